// What the workers of examples/temporal need in their languages, made once for each version of them outside the tree: a Python
// with Temporal's SDK, a program in Go, classes of Java. By hand: eval "$(node scripts/temporal-callers.mjs)" for a run of jest alone.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildGo } from './go-caller.mjs';
import { exportIfMain, filesOf, madeOnce, runToEnd } from './made-once.mjs';
import { installPython } from './python-agents.mjs';

const pathOf = (path) => fileURLToPath(new URL(`../examples/temporal/${path}`, import.meta.url));

/** Path of a Python with Temporal's SDK. Throws when there can be none. */
export const prepareTemporalPython = ({ say = console.log } = {}) =>
  installPython({
    requirements: pathOf('python/requirements.txt'),
    name: 'temporal-python',
    what: 'Temporal for Python',
    say,
  });

/** Path of the worker in Go. Throws where there is no Go. */
export const prepareTemporalGo = ({ say = console.log } = {}) =>
  buildGo({ folder: 'examples/temporal/go', name: 'temporal-worker', what: 'Temporal for Go', say });

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
  STANDFAST_TEST_TEMPORAL_PYTHON: prepareTemporalPython,
  STANDFAST_TEST_TEMPORAL_GO: prepareTemporalGo,
  STANDFAST_TEST_TEMPORAL_JAVA: prepareTemporalJava,
});
