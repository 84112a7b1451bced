// Checks the lock file after `npm install`, and takes the download addresses out of it. npm leaves out binaries of other
// systems that its registry does not have (yet): its own `npm ci` then refuses the file, and there is no hash to check them by.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const lockFile = 'package-lock.json';

/** Where npm would find it: nested in the one that wants it, or above. */
function isThere({ packages }, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (packages[at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`] !== undefined) return true;
    if (!at.includes('node_modules')) return packages[`node_modules/${name}`] !== undefined;
  }
}

/** Packages that wait for a binary, and entries without a hash. */
function faultsOf(lock) {
  return Object.entries(lock.packages).flatMap(([path, { link, integrity, optionalDependencies = {} }]) => [
    ...(path.includes('node_modules/') && !link && integrity === undefined ? [`${path} has no hash`] : []),
    ...Object.entries(optionalDependencies)
      .filter(([name, version]) => /^\d/.test(version) && !isThere(lock, path, name))
      .map(([name, version]) => `${path} wants ${name} ${version}, which is not there`),
  ]);
}

const file = fileURLToPath(new URL(`../${lockFile}`, import.meta.url));
const lock = JSON.parse(readFileSync(file, 'utf8'));
for (const entry of Object.values(lock.packages)) delete entry.resolved;
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
const faults = faultsOf(lock);
console.log(`${lockFile}: ${faults.length === 0 ? 'complete' : faults.join('\n  ')}`);
if (faults.length > 0) {
  console.log('  Take the newest version of such a package whose binaries are all there.');
  process.exitCode = 1;
}
