// Fetches or builds the Temporal CLI while `npm start` builds the program, where there is none yet; `up` then finds it, and says
// what is missing if there can be none.
import { register } from 'tsx/esm/api';

register();
const { resolveTemporal } = await import('../src/host/temporal/temporal-cli.ts');
await resolveTemporal({ env: process.env, onProgress: (message) => console.log(`  ${message}`) }).catch(
  () => undefined,
);
