// Tasks whose history the workflow code of today cannot replay, as after an upgrade that forgot a `patched()`.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { answer, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { workflowBundle } from '../../rigs/engine/workflow-bundle.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';

const supervisor = createSupervisor();
let core: Core;
beforeAll(async () => {
  core = await startCore(supervisor);
});
afterAll(async () => {
  if (core === undefined) return supervisor.end();
  // The other code has left a history of its own.
  await expect(core.stop()).rejects.toThrow('does not replay');
});

/** The same code with other words at the beginning of a function, as after a mistake in an upgrade. */
async function bundleWith(beginning: string, words: string): Promise<{ codePath: string }> {
  const { codePath } = await workflowBundle();
  const code = readFileSync(codePath, 'utf8');
  expect(code.split(beginning)).toHaveLength(2);
  const file = join(mkdtempSync(join(tmpdir(), 'standfast-bundle-')), 'bundle.js');
  writeFileSync(file, code.replace(beginning, `${beginning} ${words}`));
  return { codePath: file };
}

const mistakes = {
  /** No history has this timer. */
  'waits where it did not': (): Promise<{ codePath: string }> =>
    bundleWith('async function live(runtime) {', 'await new Promise((resolve) => setTimeout(resolve, 1));'),
  'throws at once': (): Promise<{ codePath: string }> =>
    bundleWith(
      'async function a2aTask(start, carried) {',
      "if (start.threadId.startsWith('stuck')) throw new TypeError('a mistake');",
    ),
};

test.each(['waits where it did not', 'throws at once'] as const)(
  'queries of tasks whose changed code %s end no worker, and other tasks go on',
  async (mistake) => {
    const { engine } = core;
    const stuck = await Promise.all(
      [1, 2, 3].map((n) => engine.open('form => complete', { threadId: `stuck-${mistake}-${n}` })),
    );
    for (const task of stuck) await task.asked();
    await engine.stopWorker();
    const { ended } = await engine.startWorker({ workflowBundle: await mistakes[mistake]() });
    let isOver = false;
    const end = (): void => void (isOver = true);
    ended.then(end, end);
    // As Temporal's pages and CLI ask, again and again.
    const kinds = ['task', '__stack_trace', '__temporal_workflow_metadata', '__enhanced_stack_trace'];
    for (let round = 0; round < 3; round += 1) {
      const asked = stuck.flatMap(({ handle }) =>
        kinds.map((kind) => engine.client.withDeadline(Date.now() + 3_000, () => handle.query(kind))),
      );
      await Promise.allSettled(asked);
    }
    const other = await engine.open('form => complete');
    await other.decide(answer(await other.asked(), { colour: 'green' }));
    await other.status('DONE');
    expect(isOver).toBe(false);
    await engine.stopWorker();
    await engine.startWorker();
  },
);
