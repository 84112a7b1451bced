// Compiles what is stale: TypeScript to dist/, then the workflow bundle (its own step, because Temporal runs it in a sandbox),
// and the pages to dist/web.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { licencesOf, packagesNamedIn } from './bundle-licences.mjs';
import { temporalPatches } from './temporal-patches.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const stampFile = join(root, 'dist', '.built');

function hashOf(dirs, files) {
  const hash = createHash('sha256');
  const add = (path) => hash.update(path).update(readFileSync(join(root, path)));
  const walk = (dir) => {
    for (const entry of readdirSync(join(root, dir), { withFileTypes: true }).toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const path = `${dir}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else add(path);
    }
  };
  for (const dir of dirs) walk(dir);
  for (const file of files) add(file);
  return hash.digest('hex');
}

async function buildServer(before, say) {
  const scripts = ['build', 'bundle-licences', 'temporal-patches', 'workflow-bundle'].map(
    (name) => `scripts/${name}.mjs`,
  );
  const all = hashOf(['src', 'drizzle'], ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json', ...scripts]);
  if (before.all === all) return before;
  const startedAt = performance.now();
  say('building …');
  rmSync(stampFile, { force: true });
  const workflows = hashOf(
    ['src/workflows', 'src/core', 'src/contract'],
    ['package-lock.json', 'scripts/workflow-bundle.mjs'],
  );
  const isBundled = before.workflows === workflows && existsSync(join(root, 'dist/workflow-bundle.js'));
  await Promise.all([compile(), isBundled ? null : writeWorkflows()]);
  const database = hashOf(['drizzle', 'src/store/database'], ['package-lock.json']);
  if (before.database !== database || !existsSync(join(root, 'dist/empty-database'))) makeEmptyDatabase();
  await bundleProgram();
  say(`built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return { all, workflows, database };
}

/** In a process of its own, next to what is bundled here. Types are checked by `npm run typecheck`: it takes four times as long. */
async function compile() {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const compiling = spawn(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--noCheck'], {
    cwd: root,
    stdio: 'inherit',
  });
  const [code] = await once(compiling, 'close');
  if (code !== 0) throw new Error('the compiler found errors (above)');
}

async function writeWorkflows() {
  // The SDK's bundler takes a second to load, and most builds need none.
  const { bundleWorkflows } = await import('./workflow-bundle.mjs');
  const code = await bundleWorkflows();
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(join(root, 'dist/workflow-bundle.js'), code);
}

/** Libraries that look for files or native code of their own, or are loaded by such as well. */
export const unbundled = [
  '@electric-sql/pglite',
  '@fastify/static',
  '@opentelemetry/resources',
  '@fastify/swagger-ui',
  'date-holidays',
  'pg-native',
  'pino',
  'pino-pretty',
  'source-map',
];

/**
 * One third of a start is finding and reading more than a thousand files: `dist/cli/main.js` loads few instead, of this program and
 * its libraries. They lie as deep as the modules do that name files by their own address.
 */
async function bundleProgram() {
  const { build: bundle } = await import('esbuild');
  const main = join(root, 'dist/cli/main.js');
  const outdir = join(root, 'dist/cli/bundle');
  rmSync(outdir, { recursive: true, force: true });
  const entryPoints = [
    main,
    join(root, 'dist/host/schema/schema-worker.js'),
    // Temporal's SDK starts its thread from a file next to itself, which here is next to the chunks.
    join(root, 'node_modules/@temporalio/worker/lib/workflow/workflow-worker-thread.js'),
  ];
  const { metafile } = await bundle({
    entryPoints,
    absWorkingDir: root,
    metafile: true,
    entryNames: '[name]',
    chunkNames: '[hash]',
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.20',
    external: unbundled,
    plugins: [temporalPatches],
    logLevel: 'warning',
    // What is CommonJS in them asks for Node's own modules by `require`.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
  });
  for (const { entryPoint, exports } of Object.values(metafile.outputs))
    if (
      (entryPoint ?? '').startsWith('node_modules/') &&
      exports.join() === 'default' &&
      !entryPoints.includes(join(root, entryPoint))
    )
      throw new Error(`import() of ${entryPoint} names nothing once it is bundled: import() a module that imports it`);
  const named = [...Object.keys(metafile.inputs), readFileSync(join(root, 'dist/workflow-bundle.js'), 'utf8')];
  writeFileSync(join(outdir, 'licences.md'), licencesOf(packagesNamedIn(named.join('\n'))));
  const [shebang] = readFileSync(main, 'utf8').split('\n', 1);
  writeFileSync(main, `${shebang}\nimport './bundle/main.js';\n`);
}

/** What a first start copies in place of making it; in a process of its own, because it takes as much memory as ten of them. */
function makeEmptyDatabase() {
  const [database, draft] = ['dist/empty-database', `dist/.empty-database-${process.pid}`].map((path) =>
    join(root, path),
  );
  const made = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `const { makeEmptyDatabase } = await import(${JSON.stringify(join(root, 'dist/store/database/empty.js'))});
       await makeEmptyDatabase(${JSON.stringify(draft)});`,
    ],
    { stdio: 'inherit' },
  );
  if (made.status !== 0) throw new Error('the empty database could not be made (above)');
  // Under its name only when whole: two builds at a time must not mix theirs.
  rmSync(database, { recursive: true, force: true });
  renameSync(draft, database);
}

/** Stale by their own sources and by the few files that they take of the server; its types leave no trace. */
async function buildPages(before, say) {
  const ofServer = JSON.parse(readFileSync(join(root, 'web/server-files.json'), 'utf8'));
  const scripts = ['package-lock.json', 'scripts/build-web.mjs', 'scripts/web-budget.mjs'];
  const web = hashOf(['web'], [...ofServer, ...scripts]);
  if (before.web === web && existsSync(join(root, 'dist/web/index.html'))) return web;
  const { buildWeb } = await import('./build-web.mjs');
  await buildWeb({ say });
  return web;
}

export async function build({ say = console.log } = {}) {
  const before = existsSync(stampFile) ? JSON.parse(readFileSync(stampFile, 'utf8')) : {};
  const keep = (stamp) => {
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(stampFile, JSON.stringify(stamp));
  };
  const server = await buildServer(before, say);
  // Kept before the pages are built: a fault of theirs makes no new server necessary.
  if (server !== before) keep({ ...server, web: before.web });
  const web = await buildPages(before, say);
  if (web !== before.web) keep({ ...server, web });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await build();
  } catch (error) {
    console.error(String(error.message ?? error));
    process.exit(1);
  }
}
