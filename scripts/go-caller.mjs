// Builds the caller on the Go SDK of A2A (test/rigs/agents/go), once for each version of it, outside the tree; by hand:
// HOLDPOINT_TEST_GO_CALLER="$(node scripts/go-caller.mjs)" for a run of jest alone.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { madeOnce, runToEnd } from './made-once.mjs';

const source = fileURLToPath(new URL('../test/rigs/agents/go/', import.meta.url));
const name = 'caller';

/** Path of the program; what it says on the way goes to `say`. Throws where there is no Go. */
export async function prepareGoCaller({ say = console.log } = {}) {
  const key = ['caller.go', 'go.mod', 'go.sum'].map((file) => readFileSync(join(source, file)));
  const dir = await madeOnce({ name: 'go-caller', key, what: 'Go callers', say }, async (draft) => {
    mkdirSync(draft);
    await runToEnd('go', ['build', '-mod=readonly', '-o', join(draft, name), '.'], { cwd: source });
  });
  return join(dir, name);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(await prepareGoCaller({ say: console.error }));
  } catch (error) {
    console.error(String(error.message ?? error));
    process.exit(1);
  }
}
