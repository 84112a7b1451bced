// What the programs of examples/ask need, installed once for each version outside the tree: agent frameworks in Python, and
// Vercel's AI SDK. By hand: eval "$(node scripts/asking-frameworks.mjs)" for a run of jest alone.
import { fileURLToPath } from 'node:url';
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const say = console.error;
    console.log(`export HOLDPOINT_TEST_ASKING_PYTHON='${await prepareAskingPython({ say })}'`);
    console.log(`export HOLDPOINT_TEST_AI_SDK='${await prepareAiSdk({ say })}'`);
    console.log(`export HOLDPOINT_TEST_PYRIGHT='${await preparePyright({ say })}'`);
  } catch (error) {
    console.error(String(error.message ?? error));
    process.exit(1);
  }
}
