// Builds the pages into dist/web, weighs them against their budgets, and writes .gz and .br next to what compresses.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { kb, tooHeavy, weigh } from './web-budget.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'dist/web');

const gzip = (data) => gzipSync(data, { level: 9 });
const brotli = (data) => brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });

function filesBelow(dir) {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(dir, entry.name)) : [join(dir, entry.name)],
  );
}

/** Inline scripts and styles, and data: addresses: the policy would refuse them in the reader's browser. */
function refusedByPolicy() {
  const html = readFileSync(join(out, 'index.html'), 'utf8');
  const found = [];
  if (/<script(?![^>]*\ssrc=)[^>]*>/.test(html) || /<style/.test(html) || /\sstyle=/.test(html))
    found.push('index.html is inline');
  for (const file of filesBelow(out).filter((path) => /\.(css|html)$/.test(path))) {
    if (readFileSync(file, 'utf8').includes('url(data:')) found.push(`${file} holds a data: address`);
  }
  return found;
}

export async function buildWeb({ say = console.log } = {}) {
  const startedAt = performance.now();
  // React's development code is twice as large, and a caller such as jest names another environment.
  const { NODE_ENV: before } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    const { build } = await import('vite');
    await build({ configFile: join(root, 'web/vite.config.ts'), logLevel: 'warn' });
  } finally {
    // What runs after it in this process, tests among it, is not for production.
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
  const manifest = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'));
  const sizes = weigh(manifest, (file) => gzip(readFileSync(join(out, file))).length);
  const wrong = [...tooHeavy(sizes), ...refusedByPolicy()];
  const line = Object.entries(sizes).map(([name, bytes]) => `${name} ${(bytes / kb).toFixed(1)}`);
  say(`pages (KB gzip): ${line.join(', ')}`);
  if (wrong.length > 0) throw new Error(`the pages break their limits:\n  ${wrong.join('\n  ')}`);
  for (const path of filesBelow(out)) {
    if (!/\.(js|css|html|svg)$/.test(path) || statSync(path).size < 200) continue;
    const data = readFileSync(path);
    writeFileSync(`${path}.gz`, gzip(data));
    writeFileSync(`${path}.br`, brotli(data));
  }
  say(`pages built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildWeb();
  } catch (error) {
    console.error(String(error.message ?? error));
    process.exit(1);
  }
}
