// `npm run release`: makes a release of what main holds.
//   npm run release               version and changelog from .changeset, a commit, the artifacts, a tag; pushes nothing
//   npm run release -- --dry-run  the same in a clone that is thrown away, and prints what would be released
//   npm run release -- --artifacts  only the artifacts of the version in package.json, into release/
// Artifacts: the packed program and the packages of npm, the Python wheel, the Helm chart, openapi.json, a bill of materials,
// image-tags.txt, notes.md, SHA256SUMS. The tag's workflow (.github/workflows/release.yml) publishes them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { runtimePackages } from './runtime-packages.mjs';

const source = fileURLToPath(new URL('..', import.meta.url));

/** What else carries the version: the file, and its line. */
const versioned = [
  ['package-lock.json', /^(\{\n {2}"name": "standfast",\n {2}"version": ")[^"]+(")/],
  ['package-lock.json', /(\n {4}"": \{\n {6}"name": "standfast",\n {6}"version": ")[^"]+(")/],
  ['docs/openapi.json', /("info": \{[^}]*?"version": ")[^"]+(")/],
  ['docker-compose.yml', /(image: standfast:)\S+()/g],
  ['packages/client/package.json', /("version": ")[^"]+(")/],
  ['packages/python/pyproject.toml', /(^version = ")[^"]+(")/m],
  ['docs/agents.md', /(standfast\/standfast@v)[\d.]+()/],
  ['action.yml', /(standfast@)[\d.]+()/],
  ['examples/shell/github.yml', /(standfast\/standfast@v)[\d.]+()/],
  ['deploy/helm/standfast/Chart.yaml', /(^version: )\S+()/m],
  ['deploy/helm/standfast/Chart.yaml', /(^appVersion: ['"]?)[^'"\s]+(['"]?)/m],
];

class ReleaseError extends Error {}

const run = (root, command, args, options = {}) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, ...options });
const show = (root, command, args) => run(root, command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
const readPackage = (root) => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const versionOf = (root) => readPackage(root).version;
const changesets = (root) => readdirSync(join(root, '.changeset')).filter((name) => name.endsWith('.md'));

/** The section of CHANGELOG.md for a version, without its heading. */
export function notesOf(changelog, version) {
  const [, rest] = changelog.split(new RegExp(`^## ${version.replaceAll('.', '\\.')}(?: .*)?$`, 'm'));
  if (rest === undefined) throw new ReleaseError(`CHANGELOG.md has no section "## ${version}": add .changeset files`);
  return `${rest.split(/^## /m)[0].trim()}\n`;
}

/** Tags of the image for a version: the exact one and its minor; no `latest`, which cannot be rolled back to. */
export const imageTags = (version) =>
  version.includes('-') ? [version] : [version, version.split('.').slice(0, 2).join('.')];

function checkTree(root) {
  if (run(root, 'git', ['status', '--porcelain']).trim() !== '')
    throw new ReleaseError('the working tree has changes: commit or stash them first');
  const branch = run(root, 'git', ['rev-parse', '--abbrev-ref', 'HEAD']).trim();
  if (branch !== 'main') throw new ReleaseError(`releases are made on main, and this is ${branch}`);
}

const frontMatter = /^---\n[\s\S]*?\n---\n/;

/** Takes away the words with which the next section begins (.changeset/highlights.md); null: there are none. */
function takeHighlights(root) {
  const file = join(root, '.changeset/highlights.md');
  if (!existsSync(file)) return null;
  const text = readFileSync(file, 'utf8').replace(frontMatter, '').trim();
  rmSync(file);
  return text;
}

/**
 * The changelog, whose section for a version begins with the highlights. No one has a version before the first release, so
 * the changes up to it are left out: they would tell readers of states that none of them saw.
 */
export function withHighlights(changelog, version, highlights, isFirst) {
  const changes = notesOf(changelog, version).trim();
  if (highlights === null) return changelog;
  const [head, rest] = changelog.split(changes);
  return `${head}${highlights}${isFirst ? '' : `\n\n${changes}`}${rest}`;
}

const isFirstRelease = (root) => run(root, 'git', ['tag', '--list', 'v*']).trim() === '';

/** Takes version and changelog from .changeset where there are files, and writes the version where else it is. */
function setVersion(root) {
  const highlights = takeHighlights(root);
  if (changesets(root).length > 0) show(root, join(source, 'node_modules/.bin/changeset'), ['version']);
  const version = versionOf(root);
  const changelog = join(root, 'CHANGELOG.md');
  writeFileSync(changelog, withHighlights(readFileSync(changelog, 'utf8'), version, highlights, isFirstRelease(root)));
  for (const [path, line] of versioned) {
    const file = join(root, path);
    const before = readFileSync(file, 'utf8');
    if (!line.test(before)) throw new ReleaseError(`${path} has no line of a version`);
    writeFileSync(file, before.replace(line, `$1${version}$2`));
  }
  keep(root, version);
  if (run(root, 'git', ['tag', '--list', `v${version}`]).trim() !== '')
    throw new ReleaseError(`v${version} is released already: add .changeset files for what changed since`);
  if (run(root, 'git', ['status', '--porcelain']).trim() !== '') {
    run(root, 'git', ['add', '--all']);
    run(root, 'git', ['commit', '--quiet', '--message', `Release ${version}`]);
  }
  return version;
}

/** What users of a release have, next to programs that call it: open executions, and a database. */
const kept = [
  ['test/workflows/histories', 'histories'],
  ['drizzle', 'drizzle'],
];

/** The generator's own notes, 2,800 lines: later migrations go on from those of the tree. */
const isSnapshot = (path) => path.endsWith('_snapshot.json');

/** Keeps what later versions must go on with (test/releases reads it), from the first release whose users can upgrade. */
function keep(root, version) {
  if (version.startsWith('0.1.')) return;
  const to = join(root, 'test/releases', version);
  for (const [from, name] of kept)
    cpSync(join(root, from), join(to, name), { recursive: true, filter: (path) => !isSnapshot(path) });
  writeFileSync(join(to, 'openapi.json.gz'), gzipSync(readFileSync(join(root, 'docs/openapi.json'))));
}

/** Packs the program with the packages that its bundle asks for as its only dependencies: some 90 to install, not 416. */
export function packProgram(root, out) {
  const [{ files }] = JSON.parse(run(root, 'npm', ['pack', '--dry-run', '--json', '--silent', '--ignore-scripts']));
  const staged = mkdtempSync(join(tmpdir(), 'standfast-pack-'));
  for (const { path } of files) cpSync(join(root, path), join(staged, path));
  const { devDependencies: _, scripts: __, imports: ___, overrides: ____, ...whole } = readPackage(root);
  const packed = { ...whole, dependencies: runtimePackages() };
  writeFileSync(join(staged, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
  const name = run(staged, 'npm', ['pack', '--silent', '--pack-destination', out]).trim();
  rmSync(staged, { recursive: true });
  return join(out, name);
}

/** Folders of packages that npm publishes next to the program. */
const npmPackages = (root) =>
  readdirSync(join(root, 'packages'))
    .map((name) => `./packages/${name}`)
    .filter((folder) => existsSync(join(root, folder, 'package.json')));

/** Archives that npm publishes, of those that a release consists of. */
export const npmArchives = (names) => names.filter((name) => name.startsWith('standfast-') && name.endsWith('.tgz'));

/** The chart as `helm package` names its root, under a name that is none of npm's. */
const packChart = (root, out, version) =>
  run(root, 'tar', ['-czf', join(out, `helm-chart-${version}.tgz`), '-C', 'deploy/helm', 'standfast']);

function makeArtifacts(root) {
  const version = versionOf(root);
  const out = join(root, 'release');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out);
  show(root, process.execPath, ['scripts/build.mjs']);
  packProgram(root, out);
  for (const folder of npmPackages(root)) run(root, 'npm', ['pack', folder, '--silent', '--pack-destination', out]);
  run(root, 'python3', ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', out, './packages/python']);
  packChart(root, out, version);
  cpSync(join(root, 'docs/openapi.json'), join(out, `openapi-${version}.json`));
  writeFileSync(join(out, `bom-${version}.json`), run(root, process.execPath, ['scripts/sbom.mjs']));
  writeFileSync(join(out, 'image-tags.txt'), `${imageTags(version).join('\n')}\n`);
  writeFileSync(join(out, 'notes.md'), notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version));
  const sums = readdirSync(out)
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(out, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
  return { version, files: readdirSync(out).toSorted() };
}

function release(root) {
  checkTree(root);
  const version = setVersion(root);
  const made = makeArtifacts(root);
  run(root, 'git', ['tag', '--annotate', `v${version}`, '--message', `Standfast ${version}`]);
  return made;
}

/** What the workflow does with the archives of npm, up to the upload. */
function rehearsePublishing(root, names) {
  const out = join(root, 'release');
  for (const name of npmArchives(names)) show(out, 'npm', ['publish', '--dry-run', '--silent', `./${name}`]);
}

/** A clone of HEAD with this tree's packages; whatever happens in it stays in it. */
function rehearse(into) {
  const root = into ?? join(mkdtempSync(join(tmpdir(), 'standfast-release-')), 'clone');
  run(source, 'git', ['clone', '--quiet', '--no-hardlinks', source, root]);
  run(root, 'git', ['checkout', '--quiet', '-B', 'main', run(source, 'git', ['rev-parse', 'HEAD']).trim()]);
  run(root, 'git', ['config', 'user.name', 'release']);
  run(root, 'git', ['config', 'user.email', 'release@localhost']);
  writeFileSync(join(root, '.git/info/exclude'), 'node_modules\nrelease\n');
  symlinkSync(join(source, 'node_modules'), join(root, 'node_modules'));
  const made = release(root);
  rehearsePublishing(root, made.files);
  return { root, made };
}

const usage = 'usage: npm run release [-- --dry-run [DIRECTORY] | -- --artifacts]';

/** What is asked for; a word that is not known releases nothing. */
export function readArgs(args) {
  let read;
  try {
    read = parseArgs({
      args,
      allowPositionals: true,
      options: { 'dry-run': { type: 'boolean' }, artifacts: { type: 'boolean' } },
    });
  } catch (error) {
    throw new ReleaseError(`${error.message}\n${usage}`);
  }
  const { values, positionals } = read;
  const [at, ...rest] = positionals;
  const isDryRun = values['dry-run'] === true;
  if (rest.length > 0 || (at !== undefined && !isDryRun) || (isDryRun && values.artifacts === true))
    throw new ReleaseError(usage);
  return { does: isDryRun ? 'rehearse' : values.artifacts === true ? 'make-artifacts' : 'release', at };
}

function main(args) {
  const { does, at } = readArgs(args);
  if (does === 'make-artifacts') return makeArtifacts(source);
  if (does === 'release') {
    const made = release(source);
    console.log(`\nv${made.version} is tagged. Pushing it publishes it (.github/workflows/release.yml):`);
    console.log(`  git push origin main v${made.version}`);
    return made;
  }
  const { root, made } = rehearse(at);
  console.log(`\nwould release ${made.version}:`);
  process.stdout.write(readFileSync(join(root, 'release/SHA256SUMS'), 'utf8'));
  if (at === undefined) rmSync(join(root, '..'), { recursive: true, force: true });
  return made;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    console.error(`release: ${error.message}`);
    process.exitCode = 1;
  }
}
