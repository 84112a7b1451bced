// Resolves today's newest version of each framework and front end that the tests install, and runs their tests with these:
//   node scripts/newest.mjs [--only strands,langgraph] [--versions] [--report FILE]
// `--only` plays these alone. `--versions` runs no tests. The files that pin the versions are put back at the end; `--keep` leaves the newest in them.
// Not part of CI: what others publish today is no fault of a change. .github/workflows/newest.yml runs it each night.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const frameworks = 'test/rigs/agents/frameworks';
/** Pages of other people's making. */
const pages = ['examples/copilotkit', 'examples/front-ends'];
const folders = readdirSync(join(root, frameworks)).filter((name) => !name.includes('.'));
/** Tests of test/journeys, and which frameworks or pages each is about: without one of these it has nothing to run. */
const files = {
  'agents/framework-cells': folders,
  'agents/framework-agent': ['langgraph', 'strands', 'agentstack', 'fasta2a'],
  'agents/framework-bindings': ['adk', 'a2ago'],
  'agents/framework-secured': ['adk', 'a2ago'],
  'agents/framework-executors': ['langgraphjs', 'openaiagents'],
  'agents/framework-mastra': ['mastra'],
  'agents/framework-printed': ['agentstack', 'a2ago'],
  'callers/copilotkit': ['copilotkit'],
  'callers/front-ends': ['front-ends'],
};

/**
 * What a user asks a registry for, by folder, with what its A2A server needs; all else in the files comes with these. Bounds are those
 * of its recipe in docs/agents.md.
 */
const wanted = {
  adk: ['google-adk[a2a]', 'langgraph', 'langchain', 'a2a-sdk[grpc,http-server]'],
  ag2: ['ag2[a2a]'],
  agentframework: ['agent-framework-a2a', 'agent-framework-core'],
  agentstack: ['agentstack-sdk', 'mcp<2', 'fastapi<0.117'],
  agno: ['agno[a2a]'],
  beeai: ['beeai-framework[a2a]'],
  crewai: ['crewai[a2a]'],
  fasta2a: ['fasta2a', 'pydantic-ai-slim'],
  kagent: [
    'kagent-adk',
    'a2a-sdk<1',
    'opentelemetry-instrumentation-fastapi==0.59b0',
    'opentelemetry-instrumentation-httpx==0.59b0',
  ],
  langgraph: ['langgraph-api', 'langgraph-cli[inmem]', 'langgraph'],
  strands: ['strands-agents[a2a]'],
};

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    versions: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    report: { type: 'string' },
  },
});

/** Trailing lines of what a command wrote, for a report. */
const endOf = (text, lines = 15) =>
  text
    .trimEnd()
    .split('\n')
    .slice(-lines)
    .map((line) => (line.length > 300 ? `${line.slice(0, 300)}…` : line))
    .join('\n');

function run(command, args, { cwd = root, env = {}, minutes = 30 } = {}) {
  const done = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    timeout: minutes * 60_000,
  });
  if (done.status === 0) return done.stdout;
  throw new Error(endOf(`${done.stdout ?? ''}\n${done.stderr ?? ''}\n${done.error?.message ?? ''}`));
}

const pinned = (text) =>
  new Map(
    [...text.matchAll(/^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==(\S+)/gm)].map(([, name, version]) => [
      plainName(name),
      version,
    ]),
  );

const withoutBound = (line) => line.replace(/[<=].*/, '');
const plainName = (line) =>
  withoutBound(line)
    .replace(/\[.*/, '')
    .toLowerCase()
    .replaceAll(/[-_.]+/g, '-');

/** What pip would install for these lines, by name. */
function resolved(python, lines, more = []) {
  const folder = mkdtempSync(join(tmpdir(), 'standfast-newest-'));
  try {
    const asked = join(folder, 'requirements.txt');
    writeFileSync(asked, `${lines.join('\n')}\n`);
    const report = join(folder, 'report.json');
    const args = ['-m', 'pip', 'install', '--quiet', '--no-input', '--dry-run', '--ignore-installed', ...more];
    run(python, [...args, '--report', report, '-r', asked], { minutes: 15 });
    const { install } = JSON.parse(readFileSync(report, 'utf8'));
    return new Map(install.map(({ metadata: { name, version } }) => [plainName(name), version]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The file of a framework at its newest, with what its agent needs and the framework does not bring. */
function newestPython(name, text, python) {
  const own = wanted[name];
  const isBound = (one) => withoutBound(one) !== one;
  const newest = resolved(python, own.filter((one) => !isBound(one)).map(plainName), ['--no-deps']);
  const roots = own.map((one) => (isBound(one) ? one : `${one}==${newest.get(plainName(one))}`));
  const brought = resolved(python, roots);
  const missing = [...pinned(text).keys()].filter((one) => !brought.has(plainName(one)));
  const all = missing.length === 0 ? brought : resolved(python, [...roots, ...missing]);
  const extras = new Map(own.map((one) => [plainName(one), withoutBound(one)]));
  const lines = [...all].map(([one, version]) => `${extras.get(one) ?? one}==${version}`);
  const comments = text.split('\n').filter((line) => line.startsWith('#'));
  return `${[...comments, ...lines.toSorted()].join('\n')}\n`;
}

/** The direct dependencies of a page, each at its newest. */
function newestNpm(folder) {
  const path = join(root, folder, 'package.json');
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(path, 'utf8'));
  const names = Object.keys({ ...dependencies, ...devDependencies });
  const args = ['install', '--package-lock-only', '--save-exact', '--no-audit', '--no-fund'];
  run('npm', [...args, ...names.map((name) => `${name}@latest`)], { cwd: join(root, folder) });
  rmSync(join(root, folder, 'package-lock.json'), { force: true });
}

/** The direct dependencies of a Go module, each at its newest. */
function newestGo(folder) {
  const cwd = join(root, folder);
  const names = [...goVersions(readFileSync(join(cwd, 'go.mod'), 'utf8')).keys()];
  run('go', ['get', ...names.map((name) => `${name}@latest`)], { cwd });
  run('go', ['mod', 'tidy'], { cwd });
}

const goVersions = (text) =>
  new Map(
    text
      .split('\n')
      .filter((line) => !line.endsWith('// indirect'))
      .flatMap((line) => [...line.matchAll(/^(?:require )?\s*(\S+\.\S+\/\S+) (v\S+)$/g)])
      .map(([, name, version]) => [name, version]),
  );

const npmVersions = (path) => {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(path, 'utf8'));
  return new Map(Object.entries({ ...dependencies, ...devDependencies }));
};

const only = options.only?.split(',');
const isAsked = (name) => only === undefined || only.includes(name);
const saved = new Map();
/** Kept outside the tree until the end, so that a run that fails leaves the pinned versions. */
const save = (path) => saved.set(path, readFileSync(path, 'utf8'));

function changesOf(before, after) {
  const changed = [...after].filter(([name, version]) => before.has(name) && before.get(name) !== version);
  return changed.map(([name, version]) => `${name} ${before.get(name)} → ${version}`);
}

const rows = [];
function tried(name, change) {
  try {
    rows.push({ name, changes: change(), fault: null });
  } catch (error) {
    rows.push({ name, changes: [], fault: `its newest versions do not fit together: ${error.message}` });
  }
  const { changes, fault } = rows.at(-1);
  console.error(`${name}: ${fault ?? `${changes.length} newer`}`);
}

function resolveAll() {
  const folder = mkdtempSync(join(tmpdir(), 'standfast-newest-venv-'));
  run('python3', ['-m', 'venv', folder]);
  const python = join(folder, 'bin/python');
  for (const name of Object.keys(wanted).filter(isAsked)) {
    const own = join(root, frameworks, name, 'requirements.txt');
    // One without a file of its own shares that of the Python agents.
    const path = existsSync(own) ? own : join(root, 'test/rigs/agents/python/requirements.txt');
    save(path);
    tried(name, () => {
      const before = pinned(saved.get(path));
      const after = newestPython(name, saved.get(path), python);
      writeFileSync(path, after);
      return changesOf(before, pinned(after));
    });
  }
  rmSync(folder, { recursive: true, force: true });
  const paths = [...folders.map((name) => `${frameworks}/${name}`), ...pages];
  const withFile = (file) => paths.filter((path) => isAsked(basename(path)) && existsSync(join(root, path, file)));
  for (const path of withFile('package.json')) {
    const file = join(root, path, 'package.json');
    save(file);
    tried(basename(path), () => {
      const before = npmVersions(file);
      newestNpm(path);
      return changesOf(before, npmVersions(file));
    });
  }
  for (const path of withFile('go.mod')) {
    const file = join(root, path, 'go.mod');
    save(file);
    save(join(root, path, 'go.sum'));
    tried(basename(path), () => {
      newestGo(path);
      return changesOf(goVersions(saved.get(file)), goVersions(readFileSync(file, 'utf8')));
    });
  }
}

/** What is asked for, each file in a run of its own; the end of what failed. */
function test() {
  const env = { STANDFAST_FULL: '1', ...(only !== undefined && { STANDFAST_TEST_ONLY_FRAMEWORKS: options.only }) };
  const asked = Object.keys(files).filter((file) => files[file].some(isAsked));
  return asked.map((name) => {
    const file = `test/journeys/${name}.test.ts`;
    try {
      const output = run('npm', ['test', '--silent', '--', file], { env, minutes: 120 });
      // A framework that cannot be installed leaves its tests out, and nothing fails.
      const missing = output.split('\n').filter((line) => line.includes('left out: '));
      return { file, fault: missing.length === 0 ? null : missing.join('\n') };
    } catch (error) {
      return { file, fault: error.message };
    }
  });
}

function reportOf(tests) {
  const day = new Date().toISOString().slice(0, 10);
  const lines = rows.map(
    ({ name, changes, fault }) => `- ${name}: ${fault ?? (changes.join(', ') || 'nothing newer')}`,
  );
  const ran = tests.map(({ file, fault }) => `- ${file}: ${fault === null ? 'passed' : `failed\n\n${fault}\n`}`);
  const tested = ran.length === 0 ? [] : ['', '## Tests with these versions', '', ...ran];
  return `${[`# Newest versions of ${day}`, '', ...lines, ...tested].join('\n')}\n`;
}

let tests = [];
try {
  resolveAll();
  if (!options.versions) tests = test();
} finally {
  if (!options.keep) for (const [path, text] of saved) writeFileSync(path, text);
}
const report = reportOf(tests);
console.log(report);
if (options.report !== undefined) writeFileSync(options.report, report);
process.exitCode = [...rows, ...tests].some(({ fault }) => fault !== null) ? 1 : 0;
