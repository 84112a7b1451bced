// Makes the virtual environment in which the Python agents of the tests run, once for each version of their requirements,
// outside the tree; by hand: HOLDPOINT_TEST_PYTHON="$(node scripts/python-agents.mjs)" for a run of jest alone.
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const requirements = fileURLToPath(new URL('../test/rigs/python/requirements.txt', import.meta.url));
const names = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11'];
/** google-adk needs 3.11; without venv and ensurepip nothing can be installed. */
const question =
  'import sys, venv, ensurepip; assert sys.version_info >= (3, 11); print(sys.base_prefix, sys.version.split()[0])';

const pythonOf = (venv) => join(venv, 'bin/python');

function findPython() {
  for (const command of names) {
    const asked = spawnSync(command, ['-c', question], { encoding: 'utf8' });
    if (asked.status === 0) return { command, about: asked.stdout.trim() };
  }
  throw new Error('no Python of at least 3.11 with venv and ensurepip (Debian: apt-get install python3-venv)');
}

/** Path of the Python that runs the agents; what it says on the way goes to `say`. Throws when there can be none. */
export async function preparePython({ say = console.log } = {}) {
  const { command, about } = findPython();
  const wanted = readFileSync(requirements, 'utf8');
  // Of the Python too: an environment is of no use to another one.
  const hash = createHash('sha256').update(wanted).update(about).digest('hex').slice(0, 16);
  const cache = join(homedir(), '.cache/holdpoint');
  const dir = join(cache, `venv-${hash}`);
  if (existsSync(pythonOf(dir))) return pythonOf(dir);

  const since = performance.now();
  const packages = wanted.split('\n').filter((line) => /^[^#\s]/.test(line)).length;
  say(`Python agents: installing ${packages} packages into ${dir} (once)`);
  mkdirSync(cache, { recursive: true });
  // Under another name until it is whole: what was cut half-way is never found, and of two at a time one is kept.
  const draft = join(cache, `venv-draft-${randomUUID()}`);
  try {
    await runToEnd(command, ['-m', 'venv', draft]);
    let seen = 0;
    const args = ['-m', 'pip', 'install', '--no-input', '--disable-pip-version-check', '--progress-bar', 'off'];
    await runToEnd(pythonOf(draft), [...args, '-r', requirements], (line) => {
      if (line.startsWith('Collecting ')) seen += 1;
      if (line.startsWith('Collecting ') && seen % 10 === 0) say(`  ${seen} of ${packages} packages`);
      if (line.startsWith('Installing ')) say('  unpacking them');
    });
    if (!existsSync(pythonOf(dir))) renameSync(draft, dir);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  say(`Python agents: ready in ${((performance.now() - since) / 1000).toFixed(1)} s`);
  return pythonOf(dir);
}

function runToEnd(command, args, onLine = () => {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let last = '';
  child.stderr.on('data', (chunk) => (last = (last + chunk).slice(-2000)));
  createInterface({ input: child.stdout }).on('line', onLine);
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) =>
      code === 0 ? done() : fail(new Error(`${command} ${args.slice(0, 3).join(' ')} ended with ${code}:\n${last}`)),
    );
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(await preparePython({ say: console.error }));
  } catch (error) {
    console.error(String(error.message ?? error));
    process.exit(1);
  }
}
