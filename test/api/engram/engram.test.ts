// Engram runs by HTTP, against the example agent, with the real way to it: card, guarded fetch, A2A client.
import { EventSourceParserStream } from 'eventsource-parser/stream';
import jsonPatch, { type Operation } from 'fast-json-patch';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { engramExtension, startEngramAgent } from '../../../examples/agents/engram/engram-agent.js';
import { createEngramAgent } from '../../../src/activities/a2a/engram-agent.ts';
import { createTransports } from '../../../src/cli/run/agent-transports.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import type { EngramAgent } from '../../../src/contract/views/engram.ts';
import type { AguiEvent } from '../../../src/contract/tasks/run.ts';
import type { Json, JsonObject } from '../../../src/contract/base/json.ts';
import { openMemoryStore } from '../../rigs/store/memory-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { leastBoundMs, waitFor } from '../../rigs/wait-for.ts';
import { bearer, freshThread, startRig, type keys, type Rig } from '../rig.ts';

type Agent = Awaited<ReturnType<typeof startEngramAgent>>;

let store: Store;
let agent: Agent;
let rig: Rig;
let url = '';
beforeAll(async () => {
  store = await openMemoryStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  agent = await startEngramAgent({ pageSize: 2 });
  agent.records.set({ key: { key: 'config/limits' }, value: { max: 5, list: ['a'] } });
  agent.records.set({ key: { key: 'config/tone' }, value: 'plain' });
  agent.records.set({ key: { key: 'notes/~last' }, value: null });
  await start();
});
afterEach(async () => {
  await rig.close();
  await agent.close();
});

/** Another api process on the same database. */
async function start(offered = agent, through = (known: EngramAgent): EngramAgent => known): Promise<void> {
  const agents = {
    settings: { url: offered.url, engram: true },
    plain: { url: offered.url },
  };
  const config = ConfigSchema.parse({ agents, egress: { allow: ['127.0.0.1/32'] } });
  const transportOf = createTransports(config, pino({ level: 'silent' }));
  rig = await startRig({
    store,
    withKeys: true,
    config: { agents, agentOutage: '2s' },
    engram: (name) => through(createEngramAgent(transportOf(name))),
  });
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
}

const until = (what: string, fact: () => true | undefined): Promise<true> => waitFor(fact, leastBoundMs, what);

interface Run {
  threadId?: string;
  runId?: string;
  engram?: Json;
  a2a?: Json;
  state?: JsonObject;
  messages?: JsonObject[];
  who?: keyof typeof keys;
  agent?: string;
}

function post(
  {
    threadId = freshThread(),
    runId = 'r1',
    engram,
    a2a,
    state = {},
    messages = [],
    who = 'anna',
    agent: name = 'settings',
  }: Run,
  signal?: AbortSignal,
): Promise<Response> {
  const forwardedProps = { ...(engram === undefined ? {} : { engram }), ...(a2a === undefined ? {} : { a2a }) };
  const body = { threadId, runId, protocolVersion: '1.0', state, messages, tools: [], context: [], forwardedProps };
  return fetch(`${url}/agents/${name}/run`, {
    method: 'POST',
    headers: { ...bearer(who), 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function* eventsOf(response: Response): AsyncGenerator<AguiEvent> {
  if (response.body === null) return;
  const frames = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  for (let frame = await frames.read(); !frame.done; frame = await frames.read())
    yield JSON.parse(frame.value.data) as AguiEvent;
}
async function run(ask: Run): Promise<AguiEvent[]> {
  const events: AguiEvent[] = [];
  for await (const event of eventsOf(await post(ask))) events.push(event);
  return events;
}

/** A run that is read while it goes on: the state as a client has it. */
interface Reader {
  state(): JsonObject;
  records(): Record<string, { value: Json; version: number }>;
  events: AguiEvent[];
  leave(): void;
  over: Promise<void>;
}
async function follow(ask: Run): Promise<Reader> {
  const left = new AbortController();
  const events: AguiEvent[] = [];
  let state: JsonObject = {};
  const response = await post({ engram: { mode: 'hydrate_stream' }, ...ask }, left.signal);
  const over = (async () => {
    for await (const event of eventsOf(response)) {
      events.push(event);
      if (event.type === 'STATE_SNAPSHOT') state = event['snapshot'] as JsonObject;
      // As AG-UI's own client applies it.
      if (event.type === 'STATE_DELTA')
        state = jsonPatch.applyPatch(state, event['delta'] as unknown as Operation[], true, false).newDocument;
    }
  })().catch(() => undefined);
  const reader: Reader = {
    state: () => state,
    records: () =>
      ((state['view'] as JsonObject | undefined)?.['engram'] ?? {}) as unknown as ReturnType<Reader['records']>,
    events,
    leave: () => left.abort(),
    over,
  };
  await until('the first records', () => (events.some(({ type }) => type === 'STATE_SNAPSHOT') ? true : undefined));
  return reader;
}
const has = (reader: Reader, key: string, value: Json): Promise<unknown> =>
  until(`${key} to be ${JSON.stringify(value)}`, () =>
    JSON.stringify(reader.records()[key]?.value) === JSON.stringify(value) ? true : undefined,
  );
const types = (events: AguiEvent[]): string[] => events.map(({ type }) => type);
const openFor = (): Promise<unknown> =>
  until('one subscription', () => (agent.subscriptions().length === 1 ? true : undefined));

describe('an Engram run', () => {
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

  test('activates the extension with every call, and tells the agent no id of a thread, run or interrupt', async () => {
    await run({
      threadId: 'a-thread-of-ours',
      runId: 'a-run-of-ours',
      engram: { mode: 'hydrate_once', filter: { keyPrefix: 'config/' } },
    });
    expect(agent.seen.map(({ extensions }) => extensions)).toEqual([engramExtension]);
    expect(JSON.stringify(agent.seen)).not.toMatch(/a-thread-of-ours|a-run-of-ours/);
  });

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

  test('goes on with its subscription in another process of the api: nothing is missed, nothing comes twice', async () => {
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

  test('connects again when the stream breaks, and subscribes again when the agent has forgotten the subscription', async () => {
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

  test('ends honestly when the agent ends the subscription, with its reason', async () => {
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

  test('says so when the agent stays away', async () => {
    const reader = await follow({});
    await openFor();
    await agent.close();
    await reader.over;
    expect(reader.events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'agent_unreachable' });
  });
});

describe('sync', () => {
  const sync = (engram: JsonObject, more: Run = {}): Promise<AguiEvent[]> =>
    run({ ...more, engram: { mode: 'sync' }, state: { view: { engram } } });

  test('writes what differs, with the version it was made from, and leaves out what is as it should be', async () => {
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

  test('patches by RFC 6902 where the front end sends a patch', async () => {
    await sync({ 'config/limits': { patch: [{ op: 'replace', path: '/max', value: 8 }], version: 1 } });
    expect(agent.records.get('config/limits')).toMatchObject({ value: { max: 8 }, version: 2 });
  });

  test('tells a conflict as such, does the rest, and shows what is there now', async () => {
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

  test('asked for again under its runId writes nothing twice, and another body is refused', async () => {
    const more = { threadId: freshThread(), runId: 'once' };
    await sync({ 'config/tone': { value: 'once', version: 1 } }, more);
    agent.records.set({ key: { key: 'config/tone' }, value: 'since then' });
    await sync({ 'config/tone': { value: 'once', version: 1 } }, more);
    expect(agent.records.get('config/tone')?.value).toBe('since then');
    const other = await post({ ...more, engram: { mode: 'sync' }, state: { view: { engram: { x: 1 } } } });
    expect([other.status, (await other.json()) as JsonObject]).toMatchObject([409, { code: 'run_conflict' }]);
  });

  test('that is cut after the agent has written, and before that is noted, patches nothing twice when it is asked for again', async () => {
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

  test('is distinguished from a conflict when its own answer was lost: what is there is what was asked for', async () => {
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

describe('an Engram run that may not be', () => {
  const refused = async (ask: Run): Promise<unknown[]> => {
    const response = await post(ask);
    return [response.status, ((await response.json()) as JsonObject)['code']];
  };
  const user = { id: 'm1', role: 'user', content: 'hello' };

  test('is refused with a code of its own for messages, for a mode that is missing or unknown, and where it is switched off', async () => {
    expect(await refused({ engram: { mode: 'hydrate_once' }, messages: [user] })).toEqual([400, 'engram_messages']);
    expect(await refused({ engram: {} })).toEqual([400, 'engram_mode_unknown']);
    expect(await refused({ engram: { mode: 'mirror' } })).toEqual([400, 'engram_mode_unknown']);
    expect(await refused({ engram: { mode: 'hydrate_once' }, agent: 'plain' })).toEqual([400, 'engram_disabled']);
    expect(await refused({ a2a: { engramUpdate: { update: 1 } }, agent: 'plain' })).toEqual([400, 'engram_disabled']);
    expect(agent.seen).toEqual([]);
  });

  test('is refused where the card does not offer it, and a chat with such an agent is not', async () => {
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

  test('is refused on a thread of somebody else, and tells nobody else of it', async () => {
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
  ])('is refused for %s, and nothing is written', async (_what, engram) => {
    expect(await refused({ engram: { mode: 'sync' }, state: { view: { engram } } })).toEqual([400, 'input_invalid']);
    expect(agent.seen).toEqual([]);
  });

  test('is refused for the task of a subscription, which is nobody’s to talk to', async () => {
    const reader = await follow({});
    await openFor();
    const taskId = agent.subscriptions()[0]?.id ?? '';
    expect(await refused({ a2a: { taskId }, messages: [user] })).toEqual([404, 'not_found']);
    const tasks = await rig.app.inject({ method: 'GET', url: '/api/tasks', headers: bearer('anna') });
    expect(tasks.body).not.toContain(taskId);
    reader.leave();
  });

  test('ends with the agent’s fault where its events are none', async () => {
    const reader = await follow({});
    await openFor();
    agent.records.set({ key: { key: '__proto__' }, value: 1 });
    await reader.over;
    expect(reader.events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'engram_failed' });
  });
});
