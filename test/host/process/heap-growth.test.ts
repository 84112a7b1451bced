import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { root } from '../../source-tree.ts';

/** Keeps about 60 MiB, and makes garbage that outlives the young generation; prints the largest heap over what is kept. */
const script = `
  import { boundHeapGrowth } from ${JSON.stringify(pathToFileURL(join(root, 'src/host/process/heap-growth.ts')).href)};
  import { setImmediate as turn } from 'node:timers/promises';
  boundHeapGrowth();
  const kept = Array.from({ length: 500_000 }, (_, n) => ({ n, in: [n] }));
  globalThis.gc();
  const inUse = process.memoryUsage().heapUsed;
  const waiting = [];
  let largest = 0;
  for (let round = 0; round < 300; round += 1) {
    for (let n = 0; n < 10_000; n += 1) waiting.push(new Array(10).fill(n));
    if (waiting.length > 100_000) waiting.splice(0, 50_000);
    largest = Math.max(largest, process.memoryUsage().heapTotal);
    await turn();
  }
  console.log((largest / inUse).toFixed(2), kept.length);`;

test('a process under a steady load does not let its heap grow to a multiple of what it has in use', async () => {
  const args = ['--expose-gc', '--max-semi-space-size=8', '--import', 'tsx', '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  // V8's own way comes to 5.3, this one to 2.8 at most.
  expect(Number(stdout.split(' ')[0])).toBeLessThan(4);
});
