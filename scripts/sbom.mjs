// Prints a CycloneDX bill of what is installed to run Standfast, with the hashes of the lock file. `npm sbom --omit=dev` leaves out
// whatever a package for development needs as well: here npm lists all, and the lock file says what is for development alone.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const installed = new Set(
  Object.entries(packages)
    .filter(([path, { dev }]) => path.includes('node_modules/') && dev !== true)
    .map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`),
);
const printed = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--include=dev'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const bill = JSON.parse(printed);
const components = bill.components
  .filter(({ name, version }) => installed.has(`${name}@${version}`))
  // One version may be for development in one place and for running in another.
  .map((one) => ({ ...one, properties: one.properties.filter(({ name }) => name !== 'cdx:npm:package:development') }));
const kept = new Set([bill.metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])]);
const dependencies = bill.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map((one) => ({ ...one, dependsOn: (one.dependsOn ?? []).filter((ref) => kept.has(ref)) }));
console.log(JSON.stringify({ ...bill, components, dependencies }, null, 2));
