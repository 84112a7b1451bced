// The Node that ships: figures of another one are not those that users get.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { madeOnce, runToEnd } from '../scripts/made-once.mjs';

const shipped = readFileSync(fileURLToPath(new URL('../.nvmrc', import.meta.url)), 'utf8').trim();

/** Whether a Node of this version is of the line that the image and `.nvmrc` have. */
export const isShipped = (version = process.version) => version.split('.')[0] === shipped;

/** Npm's package of it for this system: a program and nothing else. */
const packageOf = () => `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

async function shippedNode(say) {
  const name = packageOf();
  const packages = { [name]: `^${shipped.slice(1)}.0.0` };
  const dir = await madeOnce(
    { name: 'bench-node', key: [JSON.stringify(packages)], what: `Node ${shipped}`, say },
    async (draft) => {
      mkdirSync(draft, { recursive: true });
      writeFileSync(join(draft, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
      await runToEnd('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error'], {
        cwd: draft,
      });
    },
  );
  return join(dir, 'node_modules', name, 'bin/node');
}

/** Runs this very command under that Node, and ends as it does. */
export async function againUnderShipped(say) {
  const child = spawn(await shippedNode(say), process.argv.slice(1), { stdio: 'inherit' });
  // Both get what is typed; this one waits for the other's end.
  process.on('SIGINT', () => child.kill('SIGINT')).on('SIGTERM', () => child.kill('SIGTERM'));
  const [code] = await once(child, 'close');
  process.exit(code ?? 1);
}
