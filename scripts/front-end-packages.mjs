// Installs the packages of the examples that are pages of other people's making, for the tests, once for each version of
// a package.json, outside the tree; by hand: eval "$(node scripts/front-end-packages.mjs)" for a run of jest alone.
import { fileURLToPath } from 'node:url';
import { exportIfMain } from './made-once.mjs';
import { installNode } from './node-packages.mjs';

const prepare = (name, what, say) =>
  installNode({ folder: fileURLToPath(new URL(`../examples/${name}`, import.meta.url)), name, what, say });

export const prepareCopilotKit = ({ say = console.log } = {}) => prepare('copilotkit', 'CopilotKit', say);
export const prepareFrontEnds = ({ say = console.log } = {}) =>
  prepare('front-ends', 'assistant-ui and TanStack AI', say);

await exportIfMain(import.meta.url, {
  STANDFAST_TEST_COPILOTKIT: prepareCopilotKit,
  STANDFAST_TEST_FRONT_ENDS: prepareFrontEnds,
});
