// Engram runs that read and follow records, and those that are refused.
import { describe, expect, test } from '@jest/globals';
import { engramExtension, startEngramAgent } from '../../../examples/agents/engram/engram-agent.js';
import { EngramCallError, EngramUnreachable, type EngramAgent } from '../../../src/contract/views/engram.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { bearer, freshThread } from '../rig.ts';
import {
  useEngramAgent,
  agent,
  rig,
  start,
  until,
  type Run,
  post,
  run,
  follow,
  has,
  types,
  openFor,
} from './engram-rig.ts';

useEngramAgent();

describe('an Engram run', () => {
  // Promise B36, EN1
  test('hydrate_once reads all pages of records, shows them under their keys as they are, and ends', async () => {
    const events = await run({ engram: { mode: 'hydrate_once' }, state: { mine: 1, view: { other: 2 } } });
    expect(types(events)).toEqual(['RUN_STARTED', 'STATE_SNAPSHOT', 'RUN_FINISHED']);
    expect(events[1]?.['snapshot']).toMatchObject({
      mine: 1,
      view: {
        engram: {
          'config/limits': { value: { max: 5, list: ['a'] }, version: 1 },
          'config/tone': { value: 'plain' },
          'notes/~last': { value: null },
        },
      },
    });
    expect(agent.subscriptions()).toEqual([]);
  });

  // Promise EN2
  test('an Engram run activates the extension with every call, and tells the agent no id of a thread, run or interrupt', async () => {
    await run({
      threadId: 'a-thread-of-ours',
      runId: 'a-run-of-ours',
      engram: { mode: 'hydrate_once', filter: { keyPrefix: 'config/' } },
    });
    expect(agent.seen.map(({ extensions }) => extensions)).toEqual([engramExtension]);
    expect(JSON.stringify(agent.seen)).not.toMatch(/a-thread-of-ours|a-run-of-ours/);
  });

  // Promise EN3
  test('hydrate_stream shows what is there, then each change as it comes, and ends the subscription when its reader leaves', async () => {
    const reader = await follow({});
    expect(Object.keys(reader.records())).toHaveLength(3);
    agent.records.patch({ key: { key: 'config/limits' }, patch: [{ op: 'add', path: '/list/-', value: 'b' }] });
    await has(reader, 'config/limits', { max: 5, list: ['a', 'b'] });
    agent.records.set({ key: { key: 'a/b~c' }, value: 1 });
    await has(reader, 'a/b~c', 1);
    agent.records.delete({ key: { key: 'a/b~c' } });
    await until('it to go', () => (reader.records()['a/b~c'] === undefined ? true : undefined));
    expect(types(reader.events).filter((type) => type === 'STATE_SNAPSHOT')).toHaveLength(1);
    const [delta] = reader.events.filter(({ type }) => type === 'STATE_DELTA');
    expect(delta?.['delta']).toContainEqual({
      op: 'add',
      path: '/view/engram/config~1limits/value/list/-',
      value: 'b',
    });
    expect(delta?.['rawEvent']).toMatchObject({ kind: 'delta', version: 2 });
    reader.leave();
    await until('the subscription to end', () => (agent.subscriptions().length === 0 ? true : undefined));
  });

  // Promise EN4
  test('an Engram run goes on with its subscription in another process of the api: nothing is missed, nothing comes twice', async () => {
    await rig.close();
    // Killed, it takes no leave of the agent.
    await start(agent, (known) => ({ ...known, cancel: () => Promise.reject(new Error('killed')) }));
    const threadId = freshThread();
    const reader = await follow({ threadId });
    await openFor();
    const [subscription] = agent.subscriptions();
    agent.records.set({ key: { key: 'config/tone' }, value: 'before' });
    await has(reader, 'config/tone', 'before');
    reader.leave();
    await reader.over;
    await rig.close();
    agent.records.set({ key: { key: 'config/tone' }, value: 'missed' });
    await start();
    const again = await follow({ threadId });
    expect(again.records()['config/tone']).toMatchObject({ value: 'missed', version: 3 });
    agent.records.set({ key: { key: 'config/tone' }, value: 'heard' });
    await has(again, 'config/tone', 'heard');
    expect(agent.subscriptions().map(({ id }) => id)).toEqual([subscription?.id]);
    expect(again.events.filter(({ type }) => type === 'STATE_DELTA')).toHaveLength(1);
    again.leave();
    await until('the subscription to end', () => (agent.subscriptions().length === 0 ? true : undefined));
  });

  // Promise EN4
  test('an Engram run connects again when the stream breaks, and subscribes again when the agent has forgotten the subscription', async () => {
    const reader = await follow({});
    await openFor();
    agent.cut();
    agent.records.set({ key: { key: 'config/tone' }, value: 'while away' });
    await has(reader, 'config/tone', 'while away');
    for (const task of agent.subscriptions()) agent.forget(task);
    agent.cut();
    agent.records.set({ key: { key: 'config/tone' }, value: 'after a restart' });
    await has(reader, 'config/tone', 'after a restart');
    agent.records.patch({ key: { key: 'config/limits' }, patch: [{ op: 'replace', path: '/max', value: 9 }] });
    await has(reader, 'config/limits', { max: 9, list: ['a'] });
    reader.leave();
  });

  // Promise EN5
  test('an Engram run ends honestly when the agent ends the subscription, with its reason', async () => {
    const reader = await follow({});
    await openFor();
    for (const task of agent.subscriptions()) agent.end(task, 'TASK_STATE_COMPLETED', 'idle_timeout');
    await reader.over;
    expect(reader.events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', result: { engram: { ended: 'idle_timeout' } } });
    const failing = await follow({});
    await openFor();
    for (const task of agent.subscriptions()) agent.end(task, 'TASK_STATE_FAILED', 'error');
    await failing.over;
    expect(failing.events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'engram_failed' });
  });

  // Promise EN5
  test('an Engram run ends honestly when the agent ended the subscription while its stream was cut, and refuses to stream it', async () => {
    const reader = await follow({});
    await openFor();
    agent.cut();
    for (const task of agent.subscriptions()) agent.end(task, 'TASK_STATE_COMPLETED', 'ttl');
    await reader.over;
    expect(reader.events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', result: { engram: { ended: 'ttl' } } });
  });

  // Promise EN5
  test('an Engram run ends honestly where an ended subscription is refused by words that no code goes with', async () => {
    await rig.close();
    let streams = 0;
    const broken = (): Promise<never> => Promise.reject(new EngramUnreachable('the task is in a terminal state'));
    const frames: EngramAgent['frames'] = async function* (_taskId, onOpen) {
      streams += 1;
      onOpen();
      yield await broken();
    };
    await start(agent, (known) => ({ ...known, frames }));
    const reader = await follow({});
    for (const task of agent.subscriptions()) agent.end(task, 'TASK_STATE_COMPLETED', 'idle_timeout');
    await reader.over;
    expect(reader.events.at(-1)).toMatchObject({ result: { engram: { ended: 'idle_timeout' } } });
    expect(streams).toBeLessThan(4);
  });

  // Promise EN4
  test('an Engram run subscribes again from the sequence that it reached where the agent refuses to stream a task that goes on', async () => {
    await rig.close();
    let isRefused = false;
    await start(agent, (known) => ({
      ...known,
      async *frames(...ask) {
        if (isRefused) {
          isRefused = false;
          throw new EngramCallError(-32004, 'this subscription is not streamed', null);
        }
        yield* known.frames(...ask);
      },
    }));
    const reader = await follow({});
    await openFor();
    agent.records.set({ key: { key: 'config/tone' }, value: 'first' });
    await has(reader, 'config/tone', 'first');
    isRefused = true;
    agent.cut();
    agent.records.set({ key: { key: 'config/tone' }, value: 'second' });
    await has(reader, 'config/tone', 'second');
    const subscribed = (): typeof agent.seen => agent.seen.filter(({ method }) => method === 'engram/subscribe');
    await until('another subscription', () => (subscribed().length === 2 ? true : undefined));
    expect(subscribed().map(({ params }) => typeof params.fromSequence)).toEqual(['undefined', 'string']);
    reader.leave();
  });

  test('an Engram run says so when the agent stays away', async () => {
    const reader = await follow({});
    await openFor();
    await agent.close();
    await reader.over;
    expect(reader.events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'agent_unreachable' });
  });
});
describe('an Engram run that may not be', () => {
  const refused = async (ask: Run): Promise<unknown[]> => {
    const response = await post(ask);
    return [response.status, ((await response.json()) as JsonObject)['code']];
  };
  const user = { id: 'm1', role: 'user', content: 'hello' };

  // Promise EN11
  test('an Engram run that may not be is refused with a code of its own for messages, for a mode that is missing or unknown, and where it is switched off', async () => {
    expect(await refused({ engram: { mode: 'hydrate_once' }, messages: [user] })).toEqual([400, 'engram_messages']);
    expect(await refused({ engram: {} })).toEqual([400, 'engram_mode_unknown']);
    expect(await refused({ engram: { mode: 'mirror' } })).toEqual([400, 'engram_mode_unknown']);
    expect(await refused({ engram: { mode: 'hydrate_once' }, agent: 'plain' })).toEqual([400, 'engram_disabled']);
    expect(await refused({ a2a: { engramUpdate: { update: 1 } }, agent: 'plain' })).toEqual([400, 'engram_disabled']);
    expect(agent.seen).toEqual([]);
  });

  // Promise EN11
  test('an Engram run that may not be is refused where the card does not offer it, and a chat with such an agent is not', async () => {
    const mute = await startEngramAgent({ offersEngram: false });
    await rig.close();
    await start(mute);
    expect((await run({ engram: { mode: 'hydrate_once' } })).at(-1)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'engram_not_advertised',
    });
    expect((await run({ a2a: { engramUpdate: { update: 1 } } })).at(-1)).toMatchObject({
      code: 'engram_not_advertised',
    });
    expect(mute.seen).toEqual([]);
    await mute.close();
  });

  test('an Engram run that may not be is refused on a thread of somebody else, and its sender alone reads that', async () => {
    const threadId = freshThread();
    await run({ threadId, engram: { mode: 'hydrate_once' } });
    const state = { view: { engram: { a: 1 } } };
    expect(await refused({ threadId, runId: 'r2', engram: { mode: 'sync' }, state, who: 'op' })).toEqual([
      403,
      'forbidden',
    ]);
    expect(agent.records.get('a')).toBeNull();
    // To them the same name is a thread of their own.
    const own = await run({ threadId, engram: { mode: 'hydrate_once' }, who: 'ben' });
    expect(own.map((event) => event['threadId'] ?? threadId)).toEqual([threadId, threadId, threadId]);
    expect(own.at(-1)?.type).toBe('RUN_FINISHED');
  });

  test.each<[string, JsonObject]>([
    ['a key that reaches for a prototype', JSON.parse('{"__proto__":{"value":1}}') as JsonObject],
    ['a patch that does', { a: { patch: [{ op: 'add', path: '/__proto__/x', value: 1 }] } }],
    ['a patch that copies', { a: { patch: [{ op: 'copy', from: '/a', path: '/b' }] } }],
    ['a patch that is none', { a: { patch: [{ op: 'add', path: 'a' }] } }],
  ])('an Engram run that may not be is refused for %s, and nothing is written', async (_what, engram) => {
    expect(await refused({ engram: { mode: 'sync' }, state: { view: { engram } } })).toEqual([400, 'input_invalid']);
    expect(agent.seen).toEqual([]);
  });

  test('an Engram run that may not be is refused for the task of a subscription, which takes no messages', async () => {
    const reader = await follow({});
    await openFor();
    const taskId = agent.subscriptions()[0]?.id ?? '';
    expect(await refused({ a2a: { taskId }, messages: [user] })).toEqual([404, 'not_found']);
    const tasks = await rig.app.inject({ method: 'GET', url: '/api/tasks', headers: bearer('anna') });
    expect(tasks.body).not.toContain(taskId);
    reader.leave();
  });

  test('an Engram run that may not be ends with the agent’s fault where its events are none', async () => {
    const reader = await follow({});
    await openFor();
    agent.records.set({ key: { key: '__proto__' }, value: 1 });
    await reader.over;
    expect(reader.events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'engram_failed' });
  });
});
