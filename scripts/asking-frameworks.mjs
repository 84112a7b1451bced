// What the programs of examples/ask need, installed once for each version outside the tree: agent frameworks in Python, and
// Vercel's AI SDK. By hand: eval "$(node scripts/asking-frameworks.mjs)" for a run of jest alone.
import { fileURLToPath } from 'node:url';
import { exportIfMain } from './made-once.mjs';
import { installNode } from './node-packages.mjs';
import { installPython } from './python-agents.mjs';

const pathOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Path of the Python with the frameworks. Throws when there can be none. */
export const prepareAskingPython = ({ say = console.log } = {}) =>
  installPython({
    requirements: pathOf('examples/ask/python/requirements.txt'),
    name: 'venv',
    what: 'Python frameworks',
    say,
  });

/** The directory that holds `node_modules` with the AI SDK. Throws when there can be none. */
export function prepareAiSdk({ say = console.log } = {}) {
  return installNode({ folder: pathOf('examples/ask/js'), name: 'ai-sdk', what: 'AI SDK', say });
}

/** The directory that holds `node_modules` with pyright, which reads the types of packages/python. */
export const preparePyright = ({ say = console.log } = {}) =>
  installNode({ folder: pathOf('test/rigs/pyright'), name: 'pyright', what: 'pyright', say });

await exportIfMain(import.meta.url, {
  STANDFAST_TEST_ASKING_PYTHON: prepareAskingPython,
  STANDFAST_TEST_AI_SDK: prepareAiSdk,
  STANDFAST_TEST_PYRIGHT: preparePyright,
});
