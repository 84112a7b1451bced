// What the workers of examples/temporal need in their languages, made once for each version of them outside the tree: a Python
// with Temporal's SDK, a program in Go, classes of Java. By hand: eval "$(node scripts/temporal-callers.mjs)" for a run of jest alone.
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportIfMain, madeOnce, runToEnd } from './made-once.mjs';
import { installPython } from './python-agents.mjs';

const pathOf = (path) => fileURLToPath(new URL(`../examples/temporal/${path}`, import.meta.url));

const filesOf = (dir) =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));

/** Path of a Python with Temporal's SDK. Throws when there can be none. */
export const prepareTemporalPython = ({ say = console.log } = {}) =>
  installPython({
    requirements: pathOf('python/requirements.txt'),
    name: 'temporal-python',
    what: 'Temporal for Python',
    say,
  });

/** Path of the worker in Go. Throws where there is no Go. */
export async function prepareTemporalGo({ say = console.log } = {}) {
  const source = pathOf('go');
  const dir = await madeOnce(
    { name: 'temporal-go', key: filesOf(source), what: 'Temporal for Go', say },
    async (draft) => {
      mkdirSync(draft);
      await runToEnd('go', ['build', '-mod=readonly', '-o', join(draft, 'worker'), '.'], { cwd: source });
    },
  );
  return join(dir, 'worker');
}

/** The class path of the worker in Java. Throws where there is no Java or no Maven. */
export async function prepareTemporalJava({ say = console.log } = {}) {
  const source = pathOf('java');
  const dir = await madeOnce(
    { name: 'temporal-java', key: filesOf(source), what: 'Temporal for Java', say },
    async (draft) => {
      cpSync(source, draft, { recursive: true });
      const copied = ['dependency:copy-dependencies', '-DincludeScope=runtime'];
      await runToEnd('mvn', ['-B', '-ntp', 'compile', ...copied], { cwd: draft });
    },
  );
  return `${join(dir, 'target/classes')}:${join(dir, 'target/dependency/*')}`;
}

await exportIfMain(import.meta.url, {
  HOLDPOINT_TEST_TEMPORAL_PYTHON: prepareTemporalPython,
  HOLDPOINT_TEST_TEMPORAL_GO: prepareTemporalGo,
  HOLDPOINT_TEST_TEMPORAL_JAVA: prepareTemporalJava,
});
