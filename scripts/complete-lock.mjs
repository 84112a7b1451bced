// Completes the lock files after `npm install`: entries for binaries of other platforms that the registry at hand did
// not offer (npm leaves them out, and then its own `npm ci` refuses the file), and no download addresses.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const files = ['package-lock.json', 'examples/copilotkit/package-lock.json'];
const systems = ['darwin', 'linux', 'win32', 'android', 'freebsd', 'netbsd', 'openbsd', 'sunos', 'aix', 'openharmony'];
const processors = ['x64', 'arm64', 'arm', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'mips64el', 'wasm32'];

/** What a platform package says of itself, read from its name (`core-linux-arm64-musl`). */
function platformOf(name) {
  const words = name.split(/[-/]/);
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor));
  const libc = words.includes('musl') ? ['musl'] : words.some((word) => word.startsWith('gnu')) ? ['glibc'] : [];
  return {
    ...(os.length > 0 && { os }),
    ...(cpu.length > 0 && { cpu }),
    ...(os.includes('linux') && libc.length > 0 && { libc }),
  };
}

/** Where npm would find it: nested beside the one that wants it, or above. */
function isThere(lock, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (lock.packages[path] !== undefined) return true;
    if (at === '' || !at.includes('node_modules')) return lock.packages[`node_modules/${name}`] !== undefined;
  }
}

/** Adds what is missing, and says how many entries that was. */
function complete(lock) {
  let added = 0;
  for (const [path, entry] of Object.entries(lock.packages)) {
    delete entry.resolved;
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const platform = platformOf(name);
      if (isThere(lock, path, name) || !/^\d/.test(version) || platform.os === undefined) continue;
      const top = `node_modules/${name}`;
      const place = lock.packages[top] === undefined ? top : `${path}/node_modules/${name}`;
      lock.packages[place] = {
        version,
        // Binaries are published under the licence of the package they belong to.
        ...(entry.license && { license: entry.license }),
        ...(entry.dev && { dev: true }),
        optional: true,
        ...platform,
      };
      added += 1;
    }
  }
  const sorted = Object.keys(lock.packages).toSorted((a, b) => (a < b ? -1 : 1));
  lock.packages = Object.fromEntries(sorted.map((path) => [path, lock.packages[path]]));
  return added;
}

for (const name of files) {
  const file = fileURLToPath(new URL(`../${name}`, import.meta.url));
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const added = complete(lock);
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`${name}: ${added} entries added`);
}
