// Writes the list of a task's events and effects in docs/vocabulary.md from the unions of src/core/task/task-state.ts and
// their comments; `--check` only says whether it is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = readFileSync(join(root, 'src/core/task/task-state.ts'), 'utf8');
const target = join(root, 'docs/vocabulary.md');

const begin = '<!-- written by scripts/vocabulary.mjs -->\n';
const end = '<!-- end -->\n';

/** Members of a union, each with the comment above it. */
function membersOf(union) {
  const body = source.split(`export type ${union} =\n`)[1]?.split(/\n(?:export |\/\*\*)/)[0];
  if (body === undefined) throw new Error(`there is no union ${union}`);
  const members = [...body.matchAll(/(?: {2}\/\*\* ([^\n]*) \*\/\n)? {2}\| \(?\{\s*(?:type|kind): '([\w.]+)'/g)];
  if (members.length !== body.match(/^ {2}\|/gm)?.length) throw new Error(`${union}: a member has no name`);
  const silent = members.find(([, comment]) => comment === undefined);
  if (silent !== undefined) throw new Error(`${union}: ${silent[2]} needs a comment of one line above it`);
  return members.map(([, comment, name]) => `- \`${name}\`: ${comment}\n`).join('');
}

const list = `
What happens to a task:

${membersOf('TaskEvent')}
What is then done, in order:

${membersOf('TaskEffect')}
`;

const before = readFileSync(target, 'utf8');
const [head, rest] = before.split(begin);
const tail = rest?.split(end)[1];
if (tail === undefined) throw new Error(`docs/vocabulary.md lacks the line ${begin}or ${end}`);
const after = `${head}${begin}${list}${end}${tail}`;

if (!process.argv.includes('--check')) writeFileSync(target, after);
else if (after !== before) {
  process.stderr.write(
    'docs/vocabulary.md is not what src/core/task/task-state.ts says: run node scripts/vocabulary.mjs\n',
  );
  process.exitCode = 1;
}
