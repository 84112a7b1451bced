// Workflow code bundled once for all test files: bundling takes seconds, and the sources seldom change.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from '../../../scripts/workflow-bundle.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const cacheDir = join(root, 'node_modules/.cache/standfast');

function sourcesHash(): string {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  hash.update(readFileSync(join(root, 'scripts/workflow-bundle.mjs')));
  for (const room of ['src/workflows', 'src/core', 'src/contract']) {
    const files = readdirSync(join(root, room), { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).toSorted()) {
      hash.update(path.slice(root.length)).update(readFileSync(path));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

/** The bundle of the sources as they are now: that of the build, where `npm test` has just made one. */
export async function workflowBundle(): Promise<{ codePath: string }> {
  const built = process.env['STANDFAST_TEST_BUNDLE'];
  if (built !== undefined) return { codePath: built };
  const codePath = join(cacheDir, `workflow-bundle-${sourcesHash()}.js`);
  if (existsSync(codePath)) return { codePath };
  const code = await bundleWorkflows();
  mkdirSync(cacheDir, { recursive: true });
  // Under its name only when whole: several test processes may come at once.
  const draft = join(cacheDir, `.draft-${randomUUID()}`);
  writeFileSync(draft, code);
  renameSync(draft, codePath);
  return { codePath };
}
