// `npm run typecheck`: the types of the program with its tests, of the pages, the client and the bench. What did not change
// since the last time is not checked again: a whole check takes 30 s of CPU, one after a small change 5.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import './client-types.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const projects = { program: '.', pages: 'web', client: 'packages/client', bench: 'bench' };

for (const [name, path] of Object.entries(projects)) {
  const memory = ['--incremental', '--tsBuildInfoFile', join(root, `node_modules/.cache/typecheck-${name}.json`)];
  const args = [join(root, 'node_modules/typescript/bin/tsc'), '-p', path, '--noEmit', ...memory];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
