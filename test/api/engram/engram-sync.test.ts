// Engram runs that change records: with the version that each change was made from, and once.
import { describe, expect, test } from '@jest/globals';
import type { AguiEvent } from '../../../src/contract/tasks/run.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { freshThread } from '../rig.ts';
import { useEngramAgent, agent, rig, start, type Run, post, run } from './engram-rig.ts';

useEngramAgent();

// Promise EN6
describe('sync', () => {
  const sync = (engram: JsonObject, more: Run = {}): Promise<AguiEvent[]> =>
    run({ ...more, engram: { mode: 'sync' }, state: { view: { engram } } });

  test('sync writes what differs, with the version it was made from, and leaves out what is as it should be', async () => {
    const events = await sync({
      'config/limits': { value: { max: 7, list: ['a'] }, version: 1 },
      'config/tone': { value: 'plain', version: 1 },
      'notes/~last': null,
      'new/one': { value: null },
    });
    expect(events.at(-1)).toMatchObject({
      type: 'RUN_FINISHED',
      result: {
        engram: {
          writes: [
            { key: 'config/limits', result: 'written', version: 2 },
            { key: 'config/tone', result: 'unchanged', version: 1 },
            { key: 'notes/~last', result: 'deleted' },
            { key: 'new/one', result: 'written', version: 1 },
          ],
        },
      },
    });
    expect(agent.records.get('new/one')?.value).toBeNull();
    const changes = agent.seen.filter(({ method }) => /set|delete/.test(method));
    expect(changes.map(({ params }) => params.expectedVersion)).toEqual([1, 1, 0]);
  });

  test('sync deletes a record of the version that is named, and tells another version as a conflict', async () => {
    agent.records.set({ key: { key: 'config/tone' }, value: 'newer' });
    const events = await sync({
      'config/tone': { deleted: true, version: 1 },
      'config/limits': { deleted: true, version: 1 },
    });
    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'engram_conflict' });
    expect(agent.records.get('config/tone')?.value).toBe('newer');
    expect(agent.records.get('config/limits') ?? null).toBeNull();
  });

  test.each([
    ['a deletion by null', null],
    ['a value without a version', 'blunt'],
  ])(
    'sync takes %s for one of the version that its thread was shown last, and loses no newer write',
    async (_what, entry) => {
      const threadId = freshThread();
      await run({ threadId, runId: 'read', engram: { mode: 'hydrate_once' } });
      agent.records.set({ key: { key: 'config/tone' }, value: 'newer' });
      const refused = await sync({ 'config/tone': entry }, { threadId, runId: 'first' });
      expect(refused.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'engram_conflict' });
      expect(agent.records.get('config/tone')?.value).toBe('newer');
      // The refused run has shown the newer one.
      const taken = await sync({ 'config/tone': entry }, { threadId, runId: 'second' });
      expect(taken.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
      expect(agent.records.get('config/tone')?.value ?? null).toBe(entry);
    },
  );

  test('sync patches by RFC 6902 where the front end sends a patch', async () => {
    await sync({ 'config/limits': { patch: [{ op: 'replace', path: '/max', value: 8 }], version: 1 } });
    expect(agent.records.get('config/limits')).toMatchObject({ value: { max: 8 }, version: 2 });
  });

  test('sync tells a conflict as such, does the rest, and shows what is there now', async () => {
    agent.records.set({ key: { key: 'config/tone' }, value: 'changed by another' });
    const events = await sync({
      'config/tone': { value: 'mine', version: 1 },
      'config/limits': { value: { max: 1 }, version: 1 },
    });
    expect(events.at(-1)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'engram_conflict',
      metadata: { errors: [{ path: 'config/tone' }] },
    });
    expect(events.at(-2)).toMatchObject({
      type: 'STATE_SNAPSHOT',
      snapshot: {
        view: { engram: { 'config/tone': { value: 'changed by another' }, 'config/limits': { value: { max: 1 } } } },
      },
    });
  });

  test('sync asked for again under its runId writes nothing twice, and another body is refused', async () => {
    const more = { threadId: freshThread(), runId: 'once' };
    await sync({ 'config/tone': { value: 'once', version: 1 } }, more);
    agent.records.set({ key: { key: 'config/tone' }, value: 'since then' });
    await sync({ 'config/tone': { value: 'once', version: 1 } }, more);
    expect(agent.records.get('config/tone')?.value).toBe('since then');
    const other = await post({ ...more, engram: { mode: 'sync' }, state: { view: { engram: { x: 1 } } } });
    expect([other.status, (await other.json()) as JsonObject]).toMatchObject([409, { code: 'run_conflict' }]);
  });

  test('sync that is cut after the agent has written, and before that is noted, patches nothing twice when it is asked for again', async () => {
    const more = { threadId: freshThread(), runId: 'cut' };
    const change = { 'config/limits': { patch: [{ op: 'add', path: '/list/-', value: 'b' }] } };
    await rig.close();
    await start(agent, (known) => ({
      ...known,
      async call(method, ...rest) {
        const answer = await known.call(method, ...rest);
        if (method === 'engram/patch') throw new Error('killed');
        return answer;
      },
    }));
    expect((await sync(change, more)).at(-1)).toMatchObject({ type: 'RUN_ERROR' });
    await rig.close();
    await start();
    expect((await sync(change, more)).at(-1)).toMatchObject({
      type: 'RUN_FINISHED',
      result: { engram: { writes: [{ key: 'config/limits', result: 'written', version: 2 }] } },
    });
    expect(agent.records.get('config/limits')).toMatchObject({ value: { max: 5, list: ['a', 'b'] }, version: 2 });
  });

  test('sync is distinguished from a conflict when its own answer was lost: what is there is what was asked for', async () => {
    const set = agent.records.set;
    agent.records.set = (params: never) => {
      set(params);
      agent.records.set = set;
      return set(params);
    };
    const events = await sync({ 'config/tone': { value: 'lost answer', version: 1 } });
    expect(events.at(-1)).toMatchObject({
      type: 'RUN_FINISHED',
      result: { engram: { writes: [{ result: 'written' }] } },
    });
  });
});
