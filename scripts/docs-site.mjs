// `npm run docs`: the documentation as a static site with a search of its own, from the files of docs/ as they are.
//   npm run docs [-- DIRECTORY]   builds it (site/); DOCS_BASE is the path it is served below, / if not given
// VitePress is installed outside the tree: nothing of it is a package of the program. A page that leads nowhere ends it with 1.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runToEnd } from './made-once.mjs';
import { installNode } from './node-packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [to = join(root, 'site')] = process.argv.slice(2);

const packages = await installNode({
  folder: join(root, 'scripts/docs-site'),
  name: 'docs-site',
  what: 'VitePress',
  say: (line) => console.error(line),
});
// A folder for this build alone: VitePress writes next to its configuration, and finds its packages from there.
const work = mkdtempSync(join(tmpdir(), 'docs-site-'));
try {
  symlinkSync(join(packages, 'node_modules'), join(work, 'node_modules'));
  symlinkSync(join(root, 'docs'), join(work, 'docs'));
  mkdirSync(join(work, '.vitepress'));
  const given = {
    srcDir: join(work, 'docs'),
    outDir: resolve(to),
    cacheDir: join(work, 'cache'),
    base: process.env['DOCS_BASE'] ?? '/',
  };
  writeFileSync(
    join(work, '.vitepress/config.mjs'),
    `import { configOf } from ${JSON.stringify(join(root, 'scripts/docs-site/config.mjs'))};
export default configOf(${JSON.stringify(given)});
`,
  );
  await runToEnd(process.execPath, [join(work, 'node_modules/vitepress/bin/vitepress.js'), 'build', work], {
    cwd: work,
    onLine: (line) => console.log(line),
  });
  // VitePress takes along the pictures that a page shows, and none that it links to.
  cpSync(join(root, 'docs/pictures'), join(given.outDir, 'pictures'), { recursive: true });
} finally {
  rmSync(work, { recursive: true, force: true });
}
