// Installs the packages of a program of the examples or of a test's agent, whose package.json names exact versions, outside the tree.
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeOnce, runToEnd } from './made-once.mjs';

/** Named as they are: what these bring is the newest that fits on the day of the installation. */
const files = ['package.json', '.npmrc'];

/** Resolves to the directory that holds `node_modules`; what it says on the way goes to `say`. Throws when there can be none. */
export function installNode({ folder, name, what, say }) {
  // Of the platform too: bundlers are among the packages.
  const key = [...files.map((file) => readFileSync(join(folder, file))), process.platform, process.arch];
  return madeOnce({ name, key, what, say }, async (dir) => {
    mkdirSync(dir);
    for (const file of files) copyFileSync(join(folder, file), join(dir, file));
    await runToEnd('npm', ['install', '--no-audit', '--no-fund'], { cwd: dir });
  });
}
