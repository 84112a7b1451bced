// `standfast tasks --stuck` against the api on a real database, as the program runs it.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { aTask, freshThread, keys } from '../api/rig.ts';
import { describeApi } from '../api/describe-api.ts';
import { runInProcess, type CommandRun } from '../rigs/product/command.ts';

let url = '';
const rig = describeApi({ withKeys: true });
beforeAll(async () => {
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});

const tasks = (...args: string[]): Promise<CommandRun> =>
  runInProcess(['tasks', ...args, '--url', url, '--api-key', keys.op]);

describe('tasks --stuck', () => {
  test('tasks --stuck lists the tasks that do not go on, with the cause and since when, and no others', async () => {
    expect(await tasks('--stuck')).toEqual({ code: null, out: '(none)\n', err: '' });
    const open = { owner: 'anna', agent: 'expenses', status: 'IN_PROGRESS' } as const;
    const [stuck, other] = [await aTask(rig.store, freshThread(), open), await aTask(rig.store, freshThread(), open)];
    const since = new Date(Date.now() - 5 * 60_000).toISOString();
    await rig.store.tasks.stuck(stuck.taskId, { cause: 'agent_away', since, why: 'it answered HTTP 503' });
    const { out } = await tasks('--stuck');
    expect(out).toContain(stuck.taskId);
    expect(out).toMatch(/agent_away .*5 min/);
    expect(out).not.toContain(other.taskId);
    const json = JSON.parse((await tasks('--stuck', '--json')).out) as { id: string; stuck: object }[];
    expect(json).toMatchObject([
      { id: stuck.taskId, stuck: { cause: 'agent_away', since, why: 'it answered HTTP 503' } },
    ]);
    expect((await tasks('--stuck', '--agent', 'travel')).out).toBe('(none)\n');
    await rig.store.tasks.stuck(stuck.taskId, null);
    expect((await tasks('--stuck')).out).toBe('(none)\n');
  });
});
