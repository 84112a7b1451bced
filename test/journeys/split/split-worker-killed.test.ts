// kill -9 of the worker, while agents stream and while messages are on their way, for clients over AG-UI and callers over A2A, and
// of the api with callers in the middle of their calls: readers lose and double nothing.
import { type Task, TaskState } from '@a2a-js/sdk';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import type { FakeAgent } from '../../rigs/agents/agent.ts';
import { endOf, textsOf, tokensIn } from '../../rigs/streams/agui.ts';
import type { RunResult } from '../../rigs/streams/agui.ts';
import { checkIds, checkRun } from '../../rigs/streams/check-run.ts';
import type { Answer, StandfastClient } from '../../rigs/product/standfast.ts';
import type { SseFrame, SseStream, WireEvent } from '../../rigs/streams/sse-stream.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import type { RigProcess } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { buildOnce, codeOf, countsOf, ended, greenDecision, longMs, openHold, waitForTask } from '../setting.ts';
import {
  callOf,
  openCall,
  sent as sentCall,
  startReceiver,
  subscribe,
  textsOfTask,
  notificationsOf,
} from './split-callers.ts';
import type { Call, Reading, Receiver } from './split-callers.ts';
import { startSplit } from './split.ts';
import type { Api, Split } from './split.ts';

const supervisor = createSupervisor();
const seed = Number(process.env['STANDFAST_TEST_SEED'] ?? Date.now() % 1_000_000);
const random = mulberry(seed);
const places = 10;
/** Of each half of a stream; the second one waits at a gate, so that no stream is over before the kill. */
const tokens = 100;
const halfText = Array.from({ length: tokens }, (_, index) => `t${index + 1} `).join('');
const streamScript = (gate: string, delayMs: number): string =>
  `stream ${tokens} ${delayMs}; gate ${gate}; stream ${tokens} ${delayMs} second; data; complete`;
/** Messages on their way when the worker is killed: how the agent's side of the request breaks. */
const sends = ['delay-headers', 'drop-response', 'hang'] as const;

let fake: FakeAgent;
let split: Split;
let api: Api;
let worker: RigProcess;
let receiver: Receiver;

/** Numbers from 0 to 1 that the seed alone decides. */
function mulberry(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const isEnd = ({ type }: WireEvent): boolean => type === 'RUN_FINISHED' || type === 'RUN_ERROR';

/** Reads a thread's stream to the end of its run, leaving and coming back by Last-Event-ID after some frames. */
async function readWithBreaks(client: StandfastClient, threadId: string): Promise<SseFrame[]> {
  const frames: SseFrame[] = [];
  while (!frames.some(({ event }) => isEnd(event))) {
    const leaveAfter = 5 + Math.floor(random() * 40);
    const lastEventId = frames.at(-1)?.id;
    const stream = await client.follow('fake', threadId, typeof lastEventId === 'string' ? { lastEventId } : {});
    const isEnough = (): boolean =>
      stream.isOver() || stream.frames.length >= leaveAfter || stream.events().some(isEnd);
    await waitFor(isEnough, 60_000, `more of the stream of ${threadId}`);
    frames.push(...stream.frames);
    stream.close();
  }
  return frames;
}

interface Streamed {
  threadId: string;
  posted: SseStream;
  broken: Promise<SseFrame[]>;
  /** Tokens its reader had at each kill. */
  at: number[];
}
const streamed: Streamed[] = [];
const sent: { kind: string; run: Promise<RunResult> }[] = [];

/** Callers over A2A: two that read a stream, and messages on their way when the worker is killed. */
const reading: { call: Call; stream: Reading }[] = [];
const calledSends = ['drop-response', 'hang'] as const;
const called: { kind: string; call: Call }[] = [];

async function killWorker(): Promise<void> {
  for (const one of streamed) one.at.push(tokensIn(one.posted));
  await worker.kill9();
  worker = await split.startWorker();
}

/** The same message again and again until its task is over: it joins that task each time. */
function completed(call: Call): Promise<Task> {
  return waitFor(
    async () => {
      const task = await sentCall(call);
      return task?.status?.state === TaskState.TASK_STATE_COMPLETED ? task : undefined;
    },
    60_000,
    `the end of the task of ${JSON.stringify(call.request.message?.parts)}`,
  );
}

beforeAll(async () => {
  buildOnce();
  fake = await startFakeAgent(supervisor);
  receiver = await startReceiver(supervisor);
  const agents = `agents: { fake: { url: '${fake.url}' }, asks: { url: '${fake.url}', policy: caller } }`;
  split = await startSplit(supervisor, `${agents}\npolicies: { caller: { ask: caller } }`);
  [api, worker] = await Promise.all([split.startApi(), split.startWorker()]);
  // An agent that has shown our message ids once may be believed when it says that it has none.
  ended(await api.run('fake', { threadId: 'known', text: 'say hello; complete' }), 'success');

  for (let place = 1; place <= places; place += 1) {
    const threadId = `place-${place}`;
    const delayMs = 40 + Math.floor(random() * 60);
    const posted = await api.openRun('fake', { threadId, text: streamScript(threadId, delayMs) });
    streamed.push({ threadId, posted, broken: readWithBreaks(api, threadId), at: [] });
  }
  receiver.hold();
  for (const agent of ['fake', 'asks']) {
    const taskPushNotificationConfig = { url: receiver.url };
    const call = await callOf(api.url, agent, streamScript(`of-${agent}`, 60), { taskPushNotificationConfig });
    reading.push({ call, stream: openCall(call) });
  }
  await fake.arm(...sends.map((how) => ({ do: how, match: `say ${how}` })));
  await fake.arm(...calledSends.map((how) => ({ do: how, match: `say called ${how}` })));
  await waitFor(() => streamed.every(({ posted }) => tokensIn(posted) >= 3), 30_000, 'all ten to stream');
  const hasBegun = ({ stream: { turn } }: (typeof reading)[number]): boolean =>
    turn.events.length > 5 && receiver.arrived.some(({ taskId }) => taskId === turn.taskId);
  await waitFor(() => reading.every(hasBegun), 30_000, 'both callers to read, and their receiver to be called');
  for (const how of sends) {
    sent.push({ kind: how, run: api.run('fake', { threadId: `send-${how}`, text: `say ${how}; complete` }, 90_000) });
  }
  for (const how of calledSends) {
    const call = await callOf(api.url, 'fake', `say called ${how}; complete`, { returnImmediately: true });
    called.push({ kind: how, call });
    await sentCall(call);
  }
  const faults = sends.length + calledSends.length;
  await waitFor(
    async () => (await fake.ledger()).filter(({ fault }) => fault !== null).length === faults,
    30_000,
    'the faults',
  );
  await killWorker();
  receiver.release();
  for (const gate of [...streamed.map(({ threadId }) => threadId), 'of-fake', 'of-asks']) await fake.openGate(gate);
  const first = streamed.map(({ at }) => at[0] ?? 0);
  const isGoingOn = (): boolean =>
    streamed.every(({ posted }, index) => posted.events().some(isEnd) || tokensIn(posted) > (first[index] ?? 0) + 3);
  await waitFor(isGoingOn, 60_000, 'all ten to go on after the kill');
  await killWorker();
});
afterAll(() => supervisor.end());

describe(`after kill -9 of the worker (seed ${seed})`, () => {
  test('a client that reads its run through the kill gets the whole text, each word once, and a valid run', async () => {
    for (const { threadId, posted, at } of streamed) {
      const events = await posted.over(60_000);
      expect(posted.error()).toBeNull();
      checkRun(events);
      const texts = [...textsOf(events)].filter(([id]) => id.startsWith('artifact:'));
      expect([threadId, at, texts.map(([, text]) => text)]).toEqual([threadId, at, [halfText, halfText]]);
      expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
    }
  });

  test('a client that comes back by Last-Event-ID again and again has every event once, in the same order', async () => {
    for (const { posted, broken } of streamed) {
      const frames = await broken;
      checkIds(frames);
      expect(frames.map(({ event }) => event)).toEqual(await posted.over());
    }
  });

  // Promise S5
  test('streams were cut in the middle: the kill met them at ten places', () => {
    const cut = streamed.flatMap(({ at }) => at).filter((count) => count > 0 && count < 2 * tokens);
    expect(cut.length).toBeGreaterThanOrEqual(places);
  });

  // Promise O4
  test.each(sends)('a message that was on its way (%s) reaches the agent once, and its run ends well', async (how) => {
    const run = await (sent.find((one) => one.kind === how)?.run ?? Promise.reject(new Error('not sent')));
    ended(run, 'success');
    const reached = (await fake.messages()).filter(({ parts }) => JSON.stringify(parts).includes(`say ${how};`));
    expect(countsOf(reached)).toEqual([1]);
  });

  // Promise V9d
  test('a caller over A2A that reads its stream through the kill gets the whole text, each word once', async () => {
    for (const { stream } of reading) {
      const { error, texts, state } = await stream.over;
      expect([error, state]).toEqual([null, TaskState.TASK_STATE_COMPLETED]);
      expect([texts.get('reply'), texts.get('second')]).toEqual([halfText, halfText]);
    }
  });

  // Promise V9d
  test('push notifications of a caller’s task come in order, and what the kill cut comes again under its id', async () => {
    for (const { call, stream } of reading) {
      const { taskId } = await stream.over;
      const isOver = (): boolean => notificationsOf(receiver, taskId).at(-1)?.event === 'TASK_STATE_COMPLETED';
      await waitFor(isOver, 60_000, `the end of ${taskId} to be pushed`);
      const pushed = notificationsOf(receiver, taskId);
      const numbers = pushed.map(({ id }) => Number(id.split(':').at(-1)));
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      expect(pushed.filter(({ event }) => event.startsWith('artifact')).at(-1)?.event).toBe('artifact result');
      const [first] = pushed;
      expect(receiver.arrived.filter(({ id }) => id === first?.id).length).toBeGreaterThan(1);
      expect(textsOfTask(await call.client.getTask(taskId))).toMatchObject({ reply: halfText, second: halfText });
    }
  });

  // Promise V9d
  test.each(calledSends)('a caller’s message that was on its way (%s) reaches the agent once', async (how) => {
    const call = called.find(({ kind }) => kind === how)?.call;
    if (call === undefined) throw new Error('not sent');
    expect(Object.values(textsOfTask(await completed(call)))).toEqual([`called ${how}`]);
    const reached = (await fake.messages()).filter(({ parts }) => JSON.stringify(parts).includes(`say called ${how};`));
    expect(countsOf(reached)).toEqual([1]);
  });

  test('every message reached the agent once', async () => {
    const counts = countsOf(await fake.messages());
    expect(counts).toHaveLength(1 + places + sends.length + reading.length + calledSends.length);
    expect(new Set(counts)).toEqual(new Set([1]));
  });

  test('a decision that is not confirmed gets 503, a run waits, and both happen once when the next worker is there', async () => {
    ended(await api.run('fake', { threadId: 'asked', text: 'form => say thanks; complete' }), 'interrupt');
    const hold = await openHold(api, 'fake', 'asked');
    const decide = (): Promise<Answer> => api.post(`/api/holds/${hold.id}/decision`, greenDecision());
    await worker.kill9();
    const run = (): Promise<RunResult> =>
      api.run('fake', { threadId: 'waits', runId: 'waits', text: 'say waits; complete' }, longMs);
    const waiting = run();
    const first = await decide();
    expect([first.status, codeOf(first), Number(first.headers.get('retry-after')) > 0]).toEqual([
      503,
      'decision_not_confirmed',
      true,
    ]);
    worker = await split.startWorker();
    await waiting;
    // A worker that takes long to start lets it be refused; its client sends the same again.
    await waitFor(async () => endOf((await run()).events) === 'success', longMs, 'the end of the run');
    expect(
      (await waitFor(async () => [await decide()].find(({ status }) => status !== 503), 60_000, 'the decision')).status,
    ).toBe(200);
    const { a2aTaskId } = await waitForTask(api, hold.taskId, 'DONE');
    expect((await fake.messages()).filter(({ taskId }) => taskId === a2aTaskId)).toHaveLength(1);
    const sentOnce = (await fake.messages()).filter(({ parts }) => JSON.stringify(parts).includes('say waits;'));
    expect(countsOf(sentOnce)).toEqual([1]);
  });
});

describe('after kill -9 of the api', () => {
  const textOf = (count: number): string => Array.from({ length: count }, (_, index) => `t${index + 1} `).join('');

  // Promise V9d
  test('callers over A2A go on where they were: each message is one task, each answer counts once, streams are joined again', async () => {
    const already = (await fake.messages()).length;
    const asked = await openCall(await callOf(api.url, 'asks', 'form => say thanks; complete')).over;
    expect(asked.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const push = { taskPushNotificationConfig: { url: receiver.url } };
    const script = 'stream 30 5 one; gate away; stream 30 5 two; gate back; complete';
    const long = await callOf(api.url, 'fake', script, push);
    const cut = openCall(long);
    await waitFor(() => cut.turn.texts.get('one') === textOf(30), 60_000, 'the first artifact');
    const { taskId } = cut.turn;

    // Killed with some of these answered, and others in the middle.
    const { formId } = asked.data[0] ?? {};
    const answer = [{ data: { type: 'a2a.hitl.formResponse', formId, values: { colour: 'green', note: 'ok' } } }];
    const calls = [await callOf(api.url, 'asks', answer, { taskId: asked.taskId })];
    for (let n = 0; n < 8; n += 1)
      calls.push(await callOf(api.url, 'fake', `say cut ${n}; complete`, { returnImmediately: true }));
    const first = calls.map((call) => sentCall(call));
    await Promise.race(first.slice(1));
    const port = Number(new URL(api.url).port);
    await api.process.kill9();
    const before = await Promise.all(first);
    expect((await cut.over).error).not.toBeNull();

    // The agent and the receiver do not notice.
    await fake.openGate('away');
    const isNotified = (): boolean => notificationsOf(receiver, taskId).some(({ event }) => event === 'artifact two');
    await waitFor(isNotified, 60_000, 'a push while the api is away');
    api = await split.startApi(port);

    const joined = subscribe(long, taskId);
    await waitFor(() => joined.turn.events.length > 0, 30_000, 'the stream that was joined again');
    await fake.openGate('back');
    const { error, state } = await joined.over;
    expect([error, state]).toEqual([null, TaskState.TASK_STATE_COMPLETED]);
    expect(textsOfTask(await long.client.getTask(taskId))).toEqual({ one: textOf(30), two: textOf(30) });

    for (const [index, call] of calls.entries()) {
      const again = await completed(call);
      expect(again.id).toBe(before[index]?.id ?? again.id);
      expect(Object.values(textsOfTask(again))).toEqual([index === 0 ? 'thanks' : `cut ${index - 1}`]);
    }
    // With what asked for the answer, and the long stream.
    expect(countsOf((await fake.messages()).slice(already))).toEqual([...calls, asked, long].map(() => 1));
  });
});
