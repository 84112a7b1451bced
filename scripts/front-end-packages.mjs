// Installs the packages of the examples that are pages of other people's making, for the tests, once for each version of a
// lock file, outside the tree; by hand: eval "$(node scripts/front-end-packages.mjs)" for a run of jest alone.
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { madeOnce, runToEnd } from './made-once.mjs';

const files = ['package.json', 'package-lock.json', '.npmrc'];

/** Resolves to the directory that holds `node_modules`; what it says on the way goes to `say`. Throws when there can be none. */
function prepare(name, what, say) {
  const example = fileURLToPath(new URL(`../examples/${name}`, import.meta.url));
  // Of the platform too: a bundler is among the packages.
  const key = [...files.map((file) => readFileSync(join(example, file))), process.platform, process.arch];
  return madeOnce({ name, key, what, say }, async (dir) => {
    mkdirSync(dir);
    for (const file of files) copyFileSync(join(example, file), join(dir, file));
    await runToEnd('npm', ['ci', '--no-audit', '--no-fund'], { cwd: dir });
  });
}

export const prepareCopilotKit = ({ say = console.log } = {}) => prepare('copilotkit', 'CopilotKit', say);
export const prepareFrontEnds = ({ say = console.log } = {}) =>
  prepare('front-ends', 'assistant-ui and TanStack AI', say);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const say = console.error;
    console.log(`export HOLDPOINT_TEST_COPILOTKIT='${await prepareCopilotKit({ say })}'`);
    console.log(`export HOLDPOINT_TEST_FRONT_ENDS='${await prepareFrontEnds({ say })}'`);
  } catch (error) {
    console.error(String(error.message ?? error));
    process.exit(1);
  }
}
