// Makes a virtual environment for each framework in test/rigs/agents/frameworks, whose agents run behind its own A2A server:
// their packages do not fit into one. One without requirements of its own takes those of test/rigs/agents/python. By hand: HOLDPOINT_TEST_FRAMEWORKS="$(node scripts/framework-agents.mjs)".
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installPython, ownRequirements } from './python-agents.mjs';

const folder = new URL('../test/rigs/agents/frameworks/', import.meta.url);

/**
 * The Python of each framework as JSON, `{<framework>: path}`, one installed after another; those that cannot be
 * installed are missing, and `say` gets the reason.
 */
export async function prepareFrameworks({ say = console.log } = {}) {
  const made = {};
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of folders) {
    const requirements = fileURLToPath(new URL(`${name}/requirements.txt`, folder));
    const own = { requirements, name: `venv-${name}` };
    try {
      const of = existsSync(requirements) ? own : { requirements: ownRequirements, name: 'venv' };
      made[name] = await installPython({ ...of, what: `${name} agents`, say });
    } catch (error) {
      say(`${name} agents: left out: ${String(error.message ?? error)}`);
    }
  }
  return JSON.stringify(made);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await prepareFrameworks({ say: console.error }));
