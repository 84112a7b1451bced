// Makes a virtual environment for each framework in test/rigs/agents/frameworks, whose agents run behind its own A2A server:
// their packages do not fit into one. One without requirements of its own takes those of test/rigs/agents/python, one in Go
// is built, and one in JavaScript has its packages installed. By hand: STANDFAST_TEST_FRAMEWORKS="$(node scripts/framework-agents.mjs)".
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildGo } from './go-caller.mjs';
import { installNode } from './node-packages.mjs';
import { installPython, ownRequirements } from './python-agents.mjs';

const folder = new URL('../test/rigs/agents/frameworks/', import.meta.url);

function prepare(name, say) {
  const pathOf = (file) => fileURLToPath(new URL(`${name}/${file}`, folder));
  const what = `${name} agents`;
  if (existsSync(pathOf('go.mod')))
    return buildGo({ folder: `test/rigs/agents/frameworks/${name}`, name: 'agent', what, say });
  if (existsSync(pathOf('package.json')))
    return installNode({ folder: fileURLToPath(new URL(name, folder)), name, what, say });
  const requirements = pathOf('requirements.txt');
  const isOwn = existsSync(requirements);
  const of = isOwn ? { requirements, name: `venv-${name}` } : { requirements: ownRequirements, name: 'venv' };
  return installPython({ ...of, what, say });
}

/**
 * The Python of each framework as JSON, `{<framework>: path}`, its program, or where its packages are, one made after another; those that cannot be
 * had are missing, and `say` gets the reason.
 */
export async function prepareFrameworks({ say = console.log } = {}) {
  const made = {};
  const only = process.env.STANDFAST_TEST_ONLY_FRAMEWORKS?.split(',');
  const folders = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && only?.includes(entry.name) !== false,
  );
  for (const { name } of folders) {
    try {
      made[name] = await prepare(name, say);
    } catch (error) {
      say(`${name} agents: left out: ${String(error.message ?? error)}`);
    }
  }
  return JSON.stringify(made);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await prepareFrameworks({ say: console.error }));
