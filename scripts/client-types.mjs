// Types of the client from docs/openapi.json, where they are older than that: packages/client/src/api-types.ts, which is not
// committed. Called by whatever compiles or checks the client.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../docs/openapi.json', import.meta.url));
const target = fileURLToPath(new URL('../packages/client/src/api-types.ts', import.meta.url));

const document = readFileSync(source, 'utf8');
const head = `// Written by scripts/client-types.mjs from docs/openapi.json ${createHash('sha256').update(document).digest('hex')}\n`;

if (!existsSync(target) || !readFileSync(target, 'utf8').startsWith(head)) {
  // TypeScript 7 has no JavaScript API: the generator is given the last compiler that has one.
  const hook =
    "export const resolve = (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context);";
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
  const { default: generate, astToString } = await import('openapi-typescript');
  writeFileSync(target, head + astToString(await generate(JSON.parse(document), { exportType: true })));
}
