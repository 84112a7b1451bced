// `node scripts/operators-tools.mjs`: what deploy/ is checked with, into ~/.cache/standfast/bin, once: Helm and kubeconform built
// from the Go registry, promtool from Debian's package (elsewhere built, too), and the schemas of Kubernetes from a Python package.
// Names choose some of them. What cannot be had is named, and the tests that need it are left out; then it ends with 1.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

const boundMs = 25 * 60_000;
const startedMs = performance.now();
const bin = join(homedir(), '.cache', 'standfast', 'bin');

const built = (source) => (run, made) => {
  // By way of a module of its own: Prometheus' go.mod excludes versions, which `go install` refuses.
  run('go', 'mod', 'init', 'tools');
  run('go', 'get', source);
  run('go', 'build', '-o', made, source.split('@')[0]);
};

/** Taken out of the package, which would install a server. To build it takes six minutes of CPU. */
function promtool(run, made, dir) {
  try {
    run('apt-get', 'download', '-qq', 'prometheus');
    run(
      'dpkg',
      '-x',
      readdirSync(dir).find((name) => name.endsWith('.deb')),
      'package',
    );
    cpSync(join(dir, 'package/usr/bin/promtool'), made);
    run(made, '--version');
  } catch {
    built('github.com/prometheus/prometheus/cmd/promtool@v0.307.3')(run, made);
  }
}

function schemas(run, made, dir) {
  run('python3', '-m', 'pip', 'download', '--quiet', '--no-deps', 'kubernetes-validate==1.37.0');
  run(
    'python3',
    '-m',
    'zipfile',
    '-e',
    readdirSync(dir).find((name) => name.endsWith('.whl')),
    'package',
  );
  const from = join(dir, 'package/kubernetes_validate/kubernetes-json-schema/v1.29.0-local-strict');
  mkdirSync(made);
  // As that package has them they refer to addresses in the network.
  for (const name of readdirSync(from)) {
    const { $id: _id, ...schema } = JSON.parse(readFileSync(join(from, name), 'utf8'));
    const text = JSON.stringify(schema).replaceAll('/api/_definitions.json', '_definitions.json');
    writeFileSync(join(made, name), text);
  }
}

const tools = {
  kubeconform: built('github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0'),
  'kubernetes-1.29': schemas,
  helm: built('helm.sh/helm/v3/cmd/helm@v3.19.0'),
  promtool,
};

function make(name) {
  const path = join(bin, name);
  if (existsSync(path)) return;
  const dir = mkdtempSync(join(tmpdir(), 'standfast-tools-'));
  const run = (command, ...args) => {
    const timeout = Math.max(1, Math.ceil(boundMs - (performance.now() - startedMs)));
    execFileSync(command, args, { cwd: dir, timeout, stdio: 'pipe' });
  };
  try {
    const made = join(dir, `made-${name}`);
    tools[name](run, made, dir);
    // Next to its place first: what was cut half-way is never found.
    cpSync(made, `${path}.new`, { recursive: true });
    renameSync(`${path}.new`, path);
    console.log(`${path}: made in ${Math.round((performance.now() - startedMs) / 1000)} s`);
  } catch (error) {
    console.log(
      `${name}: none, its tests are left out (${String(error.message ?? error)
        .trim()
        .split('\n')
        .at(-1)})`,
    );
    process.exitCode = 1;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

mkdirSync(bin, { recursive: true });
const names = process.argv.slice(2);
for (const name of names) if (!(name in tools)) throw new Error(`${name}: expected ${Object.keys(tools).join(', ')}`);
for (const name of names.length > 0 ? names : Object.keys(tools)) make(name);
