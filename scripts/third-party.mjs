// Writes THIRD_PARTY_NOTICES.md: everything that is installed to run Holdpoint, with its licence. The names and versions
// come from the lock file, so the list is the same on every platform; `--check` only says whether it is up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'THIRD_PARTY_NOTICES.md');

/** Licences whose terms were read and fit a program under Apache-2.0; another one is a decision to be made by people. */
const accepted = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'Unlicense',
  // Weak copyleft by file: its sources are not changed, and the notices say where they are.
  'MPL-2.0',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  '(Apache-2.0 AND BSD-3-Clause)',
  'Apache-2.0 AND MIT',
  // Names its author where its work is passed on: this very list does.
  '(ISC AND CC-BY-3.0)',
  'PSF-2.0',
]);

/** Packages whose manifest is silent, and what their LICENSE file says. */
const fromLicenceFile = new Map([['unionfs', 'Unlicense']]);

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

function installedToRun() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const found = new Map();
  for (const [path, entry] of Object.entries(packages)) {
    if (path === '' || entry.dev) continue;
    const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
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
      return `Of ${name} ${version} (MPL-2.0, by ${author}) the unchanged source lies in \`node_modules/${name}\`, and at npm.\n`;
    });
}

function notices(packages) {
  const licences = [...new Set(packages.map(({ licence }) => licence))].toSorted(byText);
  const sections = licences.map((licence) => {
    const rows = packages.filter((one) => one.licence === licence);
    return `## ${licence} (${rows.length})\n\n${rows.map(({ name, version }) => `- ${name} ${version}`).join('\n')}\n`;
  });
  return [
    '# Third-party notices\n',
    'Holdpoint is installed with these packages, each under its own licence; the text of a licence and its copyright notice lie',
    "in the package's own directory below `node_modules` (in the container image too). Nothing of them is copied into this",
    'repository. Made by `node scripts/third-party.mjs` from `package-lock.json`.\n',
    'Beside them, and not installed by npm: the Temporal CLI and server (MIT), which `holdpoint up` downloads or builds. The',
    'holidays of calendars are those of date-holidays (CC-BY-3.0, by its contributors). The built pages (`dist/web`) hold parts of react,',
    'react-dom, scheduler, marked, @cfworker/json-schema, @simplewebauthn/browser (MIT) and of @rjsf/core, @rjsf/utils (Apache-2.0). The',
    'images that `docker-compose.yml` names are PostgreSQL (PostgreSQL licence), Temporal server and UI (MIT), Node.js (MIT).\n',
    'The built program (`dist/cli/bundle`) holds parts of the packages below, put together so that it starts faster.',
    ...sourcesOf(packages),
    ...sections,
  ].join('\n');
}

const packages = installedToRun();
const unclear = packages.filter(({ licence }) => licence === null || !accepted.has(licence));
if (unclear.length > 0) {
  for (const { name, version, licence } of unclear)
    console.error(`${name} ${version}: ${licence ?? 'no licence is stated'}`);
  console.error('these licences have not been accepted (scripts/third-party.mjs)');
  process.exitCode = 1;
} else if (process.argv.includes('--check')) {
  const isSame = existsSync(target) && readFileSync(target, 'utf8') === notices(packages);
  if (!isSame) console.error('THIRD_PARTY_NOTICES.md is not up to date: node scripts/third-party.mjs');
  process.exitCode = isSame ? 0 : 1;
} else {
  writeFileSync(target, notices(packages));
  console.log(`${packages.length} packages written to THIRD_PARTY_NOTICES.md`);
}
