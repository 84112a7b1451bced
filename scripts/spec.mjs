// `npm run spec`: which tests hold each promise of docs/spec. A comment `// Promise O3a, W19` is above a test, above a
// describe for all of its tests, or above the imports for the whole file. Prints the promises that it is given, else all;
// fails if a promise or a comment is wrong. `--check` prints faults alone.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path) => readFileSync(join(root, path), 'utf8');

const promiseLine = /^- ([A-Z]+\d+[a-z]*): (.+(?:\n {2}\S.*)*)$/gm;
const markLine = /^( *)\/\/ Promise ([A-Z]+\d+[a-z]*(?:, [A-Z]+\d+[a-z]*)*)$/;
const title = /(?:\b(?:test|describe)(?:\.\w+)*(?:<[^>]*>)?|\))\s*\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1\s*,/g;

function filesBelow(dir) {
  return readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    const path = `${dir}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : path.endsWith('.test.ts') ? [path] : [];
  });
}

/** The promises of docs/spec, page by page: `{ id, sentence, page }`. */
export function readPromises() {
  const pages = readdirSync(join(root, 'docs/spec')).filter((name) => name.endsWith('.md'));
  return pages.toSorted().flatMap((page) =>
    [...read(`docs/spec/${page}`).matchAll(promiseLine)].map(([, id, sentence]) => ({
      id,
      sentence: sentence.replaceAll(/\s+/g, ' '),
      page,
    })),
  );
}

const unescaped = (text) => text.replaceAll(/\\(['"`])/g, '$1').replaceAll(/\s+/g, ' ');

/** The first title in `lines` from `start` on, behind those of the describes around it. */
function nameAt(lines, start, indent) {
  const own = [
    ...lines
      .slice(start, start + 80)
      .join('\n')
      .matchAll(title),
  ][0]?.[2];
  const groups = [];
  for (let at = start - 1, depth = indent; at >= 0 && depth > 0; at--) {
    const opened = /^( *)(?:describe|\(?.*\? describe|for )/.exec(lines[at]);
    if (opened === null || opened[1].length >= depth) continue;
    depth = opened[1].length;
    const group = [...lines.slice(at, start).join('\n').matchAll(title)][0]?.[2];
    if (group !== undefined && lines[at].includes('describe')) groups.unshift(group);
  }
  const group = groups.at(-1)?.replace(/[:,]$/, '');
  // A title that says again whom it is about needs no more.
  return (group !== undefined && own?.startsWith(group) ? [own] : [...groups, own ?? '']).map(unescaped).join(' › ');
}

/** Every comment `// Promise …` of the tests: `{ id, file, name }`; `name` is null where it covers the file. */
export function readMarks() {
  return filesBelow('test')
    .toSorted()
    .flatMap((file) => {
      const lines = read(file).split('\n');
      return lines.flatMap((line, at) => {
        const mark = markLine.exec(line);
        if (mark === null) return [];
        const name = lines[at + 1].startsWith('import') ? null : nameAt(lines, at + 1, mark[1].length);
        return mark[2].split(', ').map((id) => ({ id, file, name }));
      });
    });
}

/** What is wrong with promises and comments, a sentence each. */
export function faultsOf(promises, marks) {
  const ids = promises.map(({ id }) => id);
  return [
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `docs/spec has ${id} twice`),
    ...ids.filter((id) => !marks.some((mark) => mark.id === id)).map((id) => `no test says that it holds ${id}`),
    ...marks.filter(({ id }) => !ids.includes(id)).map(({ id, file }) => `${file}: docs/spec has no promise ${id}`),
    ...marks.filter(({ name }) => name === '').map(({ id, file }) => `${file}: no test follows the comment of ${id}`),
  ];
}

function main(args) {
  const [promises, marks] = [readPromises(), readMarks()];
  const faults = faultsOf(promises, marks);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  else if (!args.includes('--check')) {
    for (const { id, sentence } of promises.filter((one) => args.length === 0 || args.includes(one.id))) {
      console.log(`${id}: ${sentence}`);
      for (const { file, name } of marks.filter((mark) => mark.id === id)) console.log(`  ${file}: ${name ?? '(all)'}`);
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
