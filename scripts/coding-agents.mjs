// Coding agents of npm whose hooks the tests have people decide on, outside the tree (335 MB). By hand:
// STANDFAST_TEST_CODING_AGENTS="$(node scripts/coding-agents.mjs)".
import { fileURLToPath } from 'node:url';
import { printIfMain } from './made-once.mjs';
import { installNode } from './node-packages.mjs';

const folder = fileURLToPath(new URL('../test/rigs/agents/coding', import.meta.url));

/** The directory that holds `node_modules` with Claude Code and Gemini CLI. Throws when there can be none. */
export const prepareCodingAgents = ({ say = console.log } = {}) =>
  installNode({ folder, name: 'coding-agents', what: 'coding agents', say });

await printIfMain(import.meta.url, prepareCodingAgents);
