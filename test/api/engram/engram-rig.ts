// Engram runs by HTTP, against the example agent, with the real way to it: card, guarded fetch, A2A client.
import { EventSourceParserStream } from 'eventsource-parser/stream';
import jsonPatch, { type Operation } from 'fast-json-patch';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { startEngramAgent } from '../../../examples/agents/engram/engram-agent.js';
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

export let store: Store;
export let agent: Agent;
export let rig: Rig;
export let url = '';
/** Registers the hooks of a test file: a store for all of its tests, an agent and an api for each. */
export function useEngramAgent(): void {
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
}

/** Another api process on the same database; not by `describeApi`, since its agent is another in each test. */
export async function start(offered = agent, through = (known: EngramAgent): EngramAgent => known): Promise<void> {
  const agents = {
    settings: { url: offered.url, engram: { write: ['user:anna'] } },
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

export const until = (what: string, fact: () => true | undefined): Promise<true> => waitFor(fact, leastBoundMs, what);

export interface Run {
  threadId?: string;
  runId?: string;
  engram?: Json;
  a2a?: Json;
  state?: JsonObject;
  messages?: JsonObject[];
  who?: keyof typeof keys;
  agent?: string;
}

export function post(
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
export async function run(ask: Run): Promise<AguiEvent[]> {
  const events: AguiEvent[] = [];
  for await (const event of eventsOf(await post(ask))) events.push(event);
  return events;
}

/** A run that is read while it goes on: the state as a client has it. */
export interface Reader {
  state(): JsonObject;
  records(): Record<string, { value: Json; version: number }>;
  events: AguiEvent[];
  leave(): void;
  over: Promise<void>;
}
export async function follow(ask: Run): Promise<Reader> {
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
export const has = (reader: Reader, key: string, value: Json): Promise<unknown> =>
  until(`${key} to be ${JSON.stringify(value)}`, () =>
    JSON.stringify(reader.records()[key]?.value) === JSON.stringify(value) ? true : undefined,
  );
export const types = (events: AguiEvent[]): string[] => events.map(({ type }) => type);
export const openFor = (): Promise<unknown> =>
  until('one subscription', () => (agent.subscriptions().length === 1 ? true : undefined));
