// The published description of the HTTP interface, docs/openapi.json, as this source serves it at /docs/json.
//   npm run openapi             writes it
//   npm run openapi -- --check  only says whether it is up to date
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startRig } from '../test/api/rig.ts';

const target = fileURLToPath(new URL('../docs/openapi.json', import.meta.url));

const rig = await startRig();
const document = (await rig.app.inject({ method: 'GET', url: '/docs/json' })).json();
await rig.close();
// Where an installation is reached is its own business; the example is that of `holdpoint up`.
document.servers = [{ url: 'http://127.0.0.1:8600' }];
const text = `${JSON.stringify(document, null, 2)}\n`;
if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (readFileSync(target, 'utf8') !== text) {
  process.stderr.write('docs/openapi.json is not what the api serves: run npm run openapi\n');
  process.exit(1);
}
process.exit(0);
