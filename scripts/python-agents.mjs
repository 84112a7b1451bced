// Makes the virtual environment in which the Python agents of the tests run, once for each version of their requirements,
// outside the tree; by hand: STANDFAST_TEST_PYTHON="$(node scripts/python-agents.mjs)" for a run of jest alone.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { madeOnce, printIfMain, runToEnd } from './made-once.mjs';

export const ownRequirements = fileURLToPath(new URL('../test/rigs/agents/python/requirements.txt', import.meta.url));
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
export const preparePython = ({ say = console.log } = {}) =>
  installPython({ requirements: ownRequirements, name: 'venv', what: 'Python agents', say });

/** Path of the Python of a virtual environment with these requirements, made once for each version of them. */
export async function installPython({ requirements, name, what, say }) {
  const { command, about } = findPython();
  const wanted = readFileSync(requirements, 'utf8');
  const packages = wanted.split('\n').filter((line) => /^[^#\s]/.test(line)).length;
  // Of the Python too: an environment is of no use to another one.
  const key = [wanted, about];
  const dir = await madeOnce({ name, key, what, say }, async (draft) => {
    await runToEnd(command, ['-m', 'venv', draft]);
    let seen = 0;
    const args = ['-m', 'pip', 'install', '--no-input', '--disable-pip-version-check', '--progress-bar', 'off'];
    const onLine = (line) => {
      if (line.startsWith('Collecting ')) seen += 1;
      if (line.startsWith('Collecting ') && seen % 10 === 0) say(`  ${seen} of ${packages} packages`);
      if (line.startsWith('Installing ')) say('  unpacking them');
    };
    await runToEnd(pythonOf(draft), [...args, '-r', requirements], { onLine });
  });
  return pythonOf(dir);
}

await printIfMain(import.meta.url, preparePython);
