// The published description of the HTTP interface, docs/openapi.json, as this source serves it at /docs/json.
//   npm run openapi             writes it
//   npm run openapi -- --check  only says whether it is up to date
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { buildApp } from '../src/api/app.ts';
import { ConfigSchema } from '../src/contract/configuration/config.ts';

const target = fileURLToPath(new URL('../docs/openapi.json', import.meta.url));

/** What routes need for answers: there is none, since they only describe themselves here. */
const absent = (name) =>
  new Proxy(() => undefined, {
    get() {
      throw new Error(`the description of the interface needs ${name}`);
    },
    apply() {
      throw new Error(`the description of the interface calls ${name}`);
    },
  });

const app = buildApp({
  config: ConfigSchema.parse({ agents: { example: { url: 'http://127.0.0.1:8701/' } } }),
  store: absent('store'),
  tasks: absent('tasks'),
  checkAnswer: absent('checkAnswer'),
  sealer: absent('sealer'),
  signer: absent('signer'),
  links: null,
  readHistory: absent('readHistory'),
  engram: absent('engram'),
  registry: new Registry(),
  log: pino({ level: 'silent' }),
  now: () => new Date(),
  // Where an installation is reached is its own business; the example is that of `standfast up`.
  publicUrl: 'http://127.0.0.1:8600',
  temporalUiUrl: null,
});
const document = (await app.inject({ method: 'GET', url: '/docs/json' })).json();
await app.close();
const text = `${JSON.stringify(document, null, 2)}\n`;
if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (readFileSync(target, 'utf8') !== text) {
  process.stderr.write('docs/openapi.json is not what the api serves: run npm run openapi\n');
  process.exit(1);
}
process.exit(0);
