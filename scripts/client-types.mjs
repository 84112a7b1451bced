// Types of the client from the OpenAPI document that this build serves.
//   npm run client:types             writes packages/client/src/api-types.ts
//   npm run client:types -- --check  only says whether it is up to date
import { readFileSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { startRig } from '../test/api/rig.ts';

const target = fileURLToPath(new URL('../packages/client/src/api-types.ts', import.meta.url));
const head = '// Written by `npm run client:types` from the OpenAPI document; a test keeps it equal. Do not edit.\n';

// TypeScript 7 has no JavaScript API: the generator is given the last compiler that has one.
const hook =
  "export const resolve = (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context);";
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const rig = await startRig();
const document = (await rig.app.inject({ method: 'GET', url: '/docs/json' })).json();
await rig.close();
const { default: generate, astToString } = await import('openapi-typescript');
const text = head + astToString(await generate(document, { exportType: true }));
const isCheck = process.argv.includes('--check');
if (isCheck && readFileSync(target, 'utf8') !== text) {
  process.stderr.write(
    'packages/client/src/api-types.ts is not what the OpenAPI document says: run npm run client:types\n',
  );
  process.exit(1);
}
if (!isCheck) writeFileSync(target, text);
process.exit(0);
