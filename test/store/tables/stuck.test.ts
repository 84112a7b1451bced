import { expect, test } from '@jest/globals';
import { aTask, onEachDatabase } from '../stores.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { aHold } from '../stores.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { QuestionEvent } from '../../../src/store/ports/upkeep.ts';

const at = '2029-01-01T00:00:00.000Z';

onEachDatabase(({ store }) => {
  test('a stuck task keeps since when, is counted by its cause, and is forgotten once it goes on or ends', async () => {
    const { tasks } = store();
    const task = aTask();
    await tasks.put(task, at);
    const since = new Date(Date.now() - 60_000).toISOString();
    await tasks.stuck(task.taskId, { cause: 'agent_away', since, why: 'refused' });
    await tasks.stuck(task.taskId, { cause: 'agent_away', since: new Date().toISOString(), why: 'refused again' });
    expect((await tasks.get(task.taskId))?.stuck).toEqual({ cause: 'agent_away', since, why: 'refused' });
    const [counted] = await tasks.stuckCounts();
    expect(counted).toMatchObject({ cause: 'agent_away', tasks: 1 });
    expect((await tasks.list({ isStuck: true })).items.map(({ taskId }) => taskId)).toContain(task.taskId);
    expect(counted?.oldestMs).toBeGreaterThan(50_000);
    await tasks.stuck(task.taskId, { cause: 'workflow_failing', since: at, why: 'it fails' });
    expect((await tasks.get(task.taskId))?.stuck).toMatchObject({ cause: 'workflow_failing' });
    await tasks.stuck(task.taskId, null);
    expect((await tasks.get(task.taskId))?.stuck).toBeNull();
    expect((await tasks.list({ isStuck: true })).items.map(({ taskId }) => taskId)).not.toContain(task.taskId);
    await tasks.stuck(task.taskId, { cause: 'agent_away', since, why: 'refused' });
    await tasks.update(task.taskId, { status: 'FAILED', error: { code: 'agent_unreachable', message: '' } });
    expect(await tasks.stuckCounts()).toEqual([]);
  });

  test('the figures count kept runs that have not begun', async () => {
    expect(await store().figures()).toMatchObject({ unadmittedRuns: 0, oldestUnadmittedMs: 0 });
  });
});

test('every committed change of a question is reported once, and one that is rolled back never', async () => {
  const first = await openTestStore();
  const events: QuestionEvent[] = [];
  const { databaseUrl } = first;
  if (databaseUrl === undefined) return first.close();
  const store = await openStore({ databaseUrl, onEvent: (event) => void events.push(event) });
  try {
    const hold = aHold();
    await store.holds.putOnce([hold]);
    await store.holds.putOnce([hold]);
    const failing = store.tx(async (tables) => {
      await tables.holds.putOnce([aHold()]);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    const { openedAt, plan } = hold;
    expect(events).toEqual([{ kind: 'opened', policy: plan.policy, openedAt, at: null, dueAt: null }]);
  } finally {
    await store.close();
    await first.close();
  }
});
