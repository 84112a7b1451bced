// Builds programs on the Go SDK of A2A, once for each version of them, outside the tree. The caller (test/rigs/agents/go) by
// hand: STANDFAST_TEST_GO_CALLER="$(node scripts/go-caller.mjs)" for a run of jest alone.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesOf, madeOnce, printIfMain, runToEnd } from './made-once.mjs';

/** Path of the program made of the module in a folder of this tree; what it says on the way goes to `say`. Throws where there is no Go. */
export async function buildGo({ folder, name, what, say }) {
  const source = fileURLToPath(new URL(`../${folder}/`, import.meta.url));
  const key = filesOf(source);
  const dir = await madeOnce({ name: `go-${name}`, key, what, say }, async (draft) => {
    mkdirSync(draft);
    await runToEnd('go', ['build', '-mod=readonly', '-o', join(draft, name), '.'], { cwd: source });
  });
  return join(dir, name);
}

export const prepareGoCaller = ({ say = console.log } = {}) =>
  buildGo({ folder: 'test/rigs/agents/go', name: 'caller', what: 'Go callers', say });

await printIfMain(import.meta.url, prepareGoCaller);
