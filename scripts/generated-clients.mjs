// Clients that two public generators make of docs/openapi.json, with a program on each (test/rigs/clients): built once for each
// version of all of it, outside the tree. By hand: STANDFAST_TEST_GENERATED="$(node scripts/generated-clients.mjs)".
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { madeOnce, printIfMain, runToEnd } from './made-once.mjs';
import { installNode } from './node-packages.mjs';

const document = fileURLToPath(new URL('../docs/openapi.json', import.meta.url));
const rig = (path) => fileURLToPath(new URL(`../test/rigs/clients/${path}`, import.meta.url));

/** Of TypeScript: strict, as its user's compiler would have it. */
const compilerOptions = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  allowJs: true,
  checkJs: true,
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: ['node'],
  outDir: 'built',
};

async function makeTypeScript(dir, packages) {
  mkdirSync(dir);
  for (const name of ['package.json', 'ask.js']) copyFileSync(join(rig('typescript'), name), join(dir, name));
  symlinkSync(join(packages, 'node_modules'), join(dir, 'node_modules'));
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['ask.js'] }));
  const bin = (name) => join(packages, 'node_modules/.bin', name);
  const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'];
  const output = { path: 'generated', module: { extension: '.js' } };
  const config = `export default ${JSON.stringify({ input: document, output, plugins })};\n`;
  writeFileSync(join(dir, 'openapi-ts.config.mjs'), config);
  await runToEnd(bin('openapi-ts'), [], { cwd: dir });
  await runToEnd(bin('tsc'), ['-p', '.'], { cwd: dir });
}

async function makeGo(dir) {
  mkdirSync(join(dir, 'generated'), { recursive: true });
  for (const name of ['go.mod', 'go.sum', 'ask.go']) copyFileSync(join(rig('go'), name), join(dir, name));
  const made = ['-package', 'generated', '-generate', 'types,client', '-o', 'generated/client.gen.go', document];
  await runToEnd('go', ['tool', 'oapi-codegen', ...made], { cwd: dir });
  await runToEnd('go', ['build', '-mod=readonly', '-o', 'ask', '.'], { cwd: dir });
}

/** Path of a directory with `typescript/built/ask.js` and `go/ask`; throws where one cannot be made. */
export async function prepareGenerated({ say = console.log } = {}) {
  const what = 'generated clients';
  const packages = await installNode({ folder: rig('typescript'), name: 'generator-ts', what, say });
  const sources = ['typescript/package.json', 'typescript/ask.js', 'go/ask.go', 'go/go.mod', 'go/go.sum'].map(rig);
  const key = [document, ...sources].map((file) => readFileSync(file));
  return madeOnce({ name: 'generated-clients', key, what, say }, async (draft) => {
    mkdirSync(draft);
    await makeTypeScript(join(draft, 'typescript'), packages);
    await makeGo(join(draft, 'go'));
  });
}

await printIfMain(import.meta.url, prepareGenerated);
