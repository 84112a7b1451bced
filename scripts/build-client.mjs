// Builds packages/client; `npm pack ./packages/client` then makes the package, which nothing here publishes.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import './client-types.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(join(root, 'packages/client/dist'), { recursive: true, force: true });
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'packages/client'],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
process.exit(status ?? 1);
