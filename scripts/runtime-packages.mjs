// What the bundled program and its demo agents ask for at run time: packages that are not in the bundle, and no other.
//   node scripts/runtime-packages.mjs DIRECTORY   copies them, with what they depend on, into DIRECTORY/node_modules
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unbundled } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bridge = '@temporalio/core-bridge';
const read = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The folder that Node would take for a package, from a folder on upwards; undefined if it is not installed. */
function folderOf(name, from) {
  for (let at = from; at.startsWith(root) || `${at}/` === root; at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    if (existsSync(join(folder, 'package.json'))) return folder;
  }
  return undefined;
}

/** Packages that the demo agents import; they are started as they are. */
function packagesOfAgents() {
  const folder = join(root, 'examples/agents');
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.js'));
  const code = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const imports = code.matchAll(/(?:from |import\()'((?:@[^/']+\/)?[^./'][^/']*)[^']*'/g);
  return [...imports].map(([, name]) => name).filter((name) => !name.startsWith('node:'));
}

/** Packages that the program loads by name, with their exact versions; what is not installed is an option of its library. */
export function runtimePackages() {
  const names = new Set([...unbundled, bridge, ...packagesOfAgents()]);
  const installed = [...names].filter((name) => folderOf(name, root) !== undefined);
  return Object.fromEntries(installed.toSorted().map((name) => [name, read(folderOf(name, root)).version]));
}

/** Folders of packages and of all that they depend on. The bridge's code is in the bundle: it depends on nothing here. */
function closureOf(names) {
  const folders = new Set();
  const add = (name, from, isOptional) => {
    const folder = folderOf(name, from);
    if (folder === undefined && isOptional) return;
    if (folder === undefined) throw new Error(`${name}, which ${relative(root, from)} needs, is not installed`);
    if (folders.has(folder)) return;
    folders.add(folder);
    if (name === bridge) return;
    const { dependencies = {}, optionalDependencies = {} } = read(folder);
    for (const needed of Object.keys(dependencies)) add(needed, folder, needed in optionalDependencies);
    for (const needed of Object.keys(optionalDependencies)) add(needed, folder, true);
  };
  for (const name of names) add(name, root, false);
  return [...folders];
}

/** The name that Temporal's bridge has for this machine (linux alone: images are for nothing else). */
const nativeTarget = () => `${arch() === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-gnu`;

function copyPackage(folder, to) {
  const isBridge = folder.endsWith(bridge);
  const native = join('releases', nativeTarget());
  cpSync(folder, to, {
    recursive: true,
    filter: (path) => {
      const inside = relative(folder, path);
      if (inside === 'node_modules') return false;
      if (!isBridge || inside === '') return true;
      return inside === 'package.json' || inside === 'releases' || inside === native || inside.startsWith(`${native}/`);
    },
  });
}

/** Copies what the bundle asks for into `to`/node_modules, laid out as it is installed here. */
export function copyRuntimePackages(to) {
  if (platform() !== 'linux') throw new Error('packages of an image are copied on Linux');
  for (const folder of closureOf(Object.keys(runtimePackages()))) copyPackage(folder, join(to, relative(root, folder)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [to] = process.argv.slice(2);
  if (to === undefined) throw new Error('usage: node scripts/runtime-packages.mjs DIRECTORY');
  copyRuntimePackages(to);
}
