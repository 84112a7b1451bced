// Writes THIRD_PARTY_NOTICES.md: everything that is installed to run Standfast, with its licence. The names and versions
// come from the lock file, so the list is the same on every platform; `--check` only says whether it is up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { accepted, fromLicenceFile } from './accepted-licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'THIRD_PARTY_NOTICES.md');

/** What the package itself says, where the lock file does not. */
function licenceOf(path, entry) {
  if (entry.license) return entry.license;
  const manifest = join(root, path, 'package.json');
  if (!existsSync(manifest)) return null;
  const { license, licenses } = JSON.parse(readFileSync(manifest, 'utf8'));
  return typeof license === 'string' ? license : (license?.type ?? licenses?.[0]?.type ?? null);
}

/** By code unit: the same order on every machine, whatever its language. */
const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** Packages that the pages hold parts of, most of them installed to build alone; a test compares them with what was built. */
const ofPages = [
  '@cfworker/json-schema',
  '@rjsf/core',
  '@rjsf/utils',
  '@simplewebauthn/browser',
  '@x0k/json-schema-merge',
  'eventsource-parser',
  'jsonpointer',
  'marked',
  'react',
  'react-dom',
  'react-is',
  'scheduler',
];

function installed(isIn) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const found = new Map();
  for (const [path, entry] of Object.entries(packages)) {
    if (path === '') continue;
    const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (!isIn(name, entry)) continue;
    found.set(`${name} ${entry.version}`, {
      name,
      version: entry.version,
      licence: licenceOf(path, entry) ?? fromLicenceFile.get(name) ?? null,
    });
  }
  return [...found.keys()].toSorted(byText).map((key) => found.get(key));
}

/** Authors whose licence asks that users of the program learn where the source is. */
const authors = new Map([['web-push', 'Marco Castelluccio and contributors']]);

/** MPL-2.0, 3.2: the built program holds them in another form than their source. */
function sourcesOf(packages) {
  return packages
    .filter(({ licence }) => licence === 'MPL-2.0')
    .map(({ name, version }) => {
      const author = authors.get(name);
      if (author === undefined)
        throw new Error(`${name} is under MPL-2.0: name its authors in scripts/third-party.mjs`);
      return `Of ${name} ${version} (MPL-2.0, by ${author}) the unchanged source is at npm, under that version.\n`;
    });
}

function notices(packages, pages) {
  const licences = [...new Set(packages.map(({ licence }) => licence))].toSorted(byText);
  const sections = licences.map((licence) => {
    const rows = packages.filter((one) => one.licence === licence);
    return `## ${licence} (${rows.length})\n\n${rows.map(({ name, version }) => `- ${name} ${version}`).join('\n')}\n`;
  });
  return [
    '# Third-party notices\n',
    'Standfast is built of these packages and installed with them, each under its own licence. Nothing of them is copied into this',
    'repository. Made by `node scripts/third-party.mjs` from `package-lock.json`.\n',
    'The built program (`dist/cli/bundle`, `dist/workflow-bundle.js`) and the built pages (`dist/web`) hold parts of packages. Their',
    'licences and copyright notices are in `dist/cli/bundle/licences.md` and `dist/web/licences.md`, which every package and image',
    'has. Packages that are installed next to the program have theirs in their own directories below `node_modules`.\n',
    'Not installed by npm: the Temporal CLI and server (MIT), which `standfast up` downloads or builds. The holidays of calendars',
    'are those of date-holidays (CC-BY-3.0, by its contributors). The images that `docker-compose.yml` names are PostgreSQL',
    '(PostgreSQL licence), Temporal server and UI (MIT), Node.js (MIT).\n',
    ...sourcesOf(packages),
    `## Of the pages (${pages.length})\n\n${pages.map((one) => `- ${one.name} ${one.version} (${one.licence})`).join('\n')}\n`,
    ...sections,
  ].join('\n');
}

const packages = installed((_, { dev }) => dev !== true);
const pages = installed((name) => ofPages.includes(name));
const unclear = [...packages, ...pages].filter(({ licence }) => licence === null || !accepted.has(licence));
if (unclear.length > 0) {
  for (const { name, version, licence } of unclear)
    console.error(`${name} ${version}: ${licence ?? 'no licence is stated'}`);
  console.error('these licences have not been accepted (scripts/third-party.mjs)');
  process.exitCode = 1;
} else if (process.argv.includes('--check')) {
  const isSame = existsSync(target) && readFileSync(target, 'utf8') === notices(packages, pages);
  if (!isSame) console.error('THIRD_PARTY_NOTICES.md is not up to date: node scripts/third-party.mjs');
  process.exitCode = isSame ? 0 : 1;
} else {
  writeFileSync(target, notices(packages, pages));
  console.log(`${packages.length} packages written to THIRD_PARTY_NOTICES.md`);
}
