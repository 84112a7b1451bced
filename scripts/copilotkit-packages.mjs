// Installs the packages of examples/copilotkit for the tests, once for each version of its lock file, outside the tree; by
// hand: HOLDPOINT_TEST_COPILOTKIT="$(node scripts/copilotkit-packages.mjs)" for a run of jest alone.
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { madeOnce, runToEnd } from './made-once.mjs';

const example = fileURLToPath(new URL('../examples/copilotkit', import.meta.url));
const files = ['package.json', 'package-lock.json', '.npmrc'];

/** The directory that holds `node_modules`; what it says on the way goes to `say`. Throws when there can be none. */
export function prepareCopilotKit({ say = console.log } = {}) {
  // Of the platform too: a bundler is among the packages.
  const key = [...files.map((file) => readFileSync(join(example, file))), process.platform, process.arch];
  return madeOnce({ name: 'copilotkit', key, what: 'CopilotKit', say }, async (dir) => {
    mkdirSync(dir);
    for (const file of files) copyFileSync(join(example, file), join(dir, file));
    await runToEnd('npm', ['ci', '--no-audit', '--no-fund'], { cwd: dir });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(await prepareCopilotKit({ say: console.error }));
  } catch (error) {
    console.error(String(error.message ?? error));
    process.exit(1);
  }
}
