// `npm start`: builds what is stale, then everything with the demo agent, and opens the page at a desk. Further options go to
// `standfast up`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const ended = async (script) => {
  const [code] = await once(spawn(process.execPath, [path(script)], { stdio: 'inherit' }), 'close');
  return code;
};
// The build has a process of its own: the bundler's memory would stay with the server (650 MB at rest in place of 360).
const isFirst = !existsSync(path('../dist/.built'));
const [built] = await Promise.all([ended('./build.mjs'), isFirst ? ended('./temporal-cli.mjs') : 0]);
if (built !== 0) process.exit(1);
const main = path('../dist/cli/main.js');
const own = process.argv.slice(2);
const config = own.includes('--config') ? [] : ['--config', 'examples/quickstart/standfast.yaml'];
const open = own.includes('--no-open') || own.includes('--json') ? [] : ['--open'];
process.argv = [process.argv[0], main, 'up', ...config, ...open, ...own];
// In this very process: Ctrl-C and kill reach it as they are.
await import(main);
