// `npm start`: builds what is stale, then everything with the demo agent. Further options go to `holdpoint up`.
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

try {
  await build();
} catch (error) {
  console.error(String(error.message ?? error));
  process.exit(1);
}
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const own = process.argv.slice(2);
const config = own.includes('--config') ? [] : ['--config', 'examples/quickstart/holdpoint.yaml'];
process.argv = [process.argv[0], main, 'up', ...config, ...own];
// In this very process: Ctrl-C and kill reach it as they are.
await import(main);
