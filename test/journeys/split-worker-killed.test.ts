// kill -9 of the worker, while agents stream and while messages are on their way: readers lose and double nothing.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startFakeAgent } from '../rigs/agent.ts';
import type { FakeAgent } from '../rigs/agent.ts';
import { textsOf } from '../rigs/agui.ts';
import type { RunResult } from '../rigs/agui.ts';
import { checkIds, checkRun } from '../rigs/check-run.ts';
import type { Answer, HoldpointClient } from '../rigs/holdpoint.ts';
import type { SseFrame, SseStream, WireEvent } from '../rigs/sse-stream.ts';
import { createSupervisor } from '../rigs/supervisor.ts';
import type { RigProcess } from '../rigs/supervisor.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { buildOnce, codeOf, countsOf, ended, greenDecision, openHold, waitForTask } from './setting.ts';
import { startSplit } from './split.ts';
import type { Api, Split } from './split.ts';

const supervisor = createSupervisor();
const seed = Number(process.env['HOLDPOINT_TEST_SEED'] ?? Date.now() % 1_000_000);
const random = mulberry(seed);
const places = 10;
const tokens = 150;
const wholeText = Array.from({ length: tokens }, (_, index) => `t${index + 1} `).join('');
/** Messages on their way when the worker is killed: how the agent's side of the request breaks. */
const sends = ['delay-headers', 'drop-response', 'hang'] as const;

let fake: FakeAgent;
let split: Split;
let api: Api;
let worker: RigProcess;

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
const tokensIn = (stream: SseStream): number =>
  stream.events().filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT').length;

/** Reads a thread's stream to the end of its run, leaving and coming back by Last-Event-ID after some frames. */
async function readWithBreaks(client: HoldpointClient, threadId: string): Promise<SseFrame[]> {
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

async function killWorker(): Promise<void> {
  for (const one of streamed) one.at.push(tokensIn(one.posted));
  await worker.kill9();
  worker = await split.startWorker();
}

beforeAll(async () => {
  buildOnce();
  fake = await startFakeAgent(supervisor);
  split = await startSplit(supervisor, `agents: { fake: { url: '${fake.url}' } }`);
  [api, worker] = await Promise.all([split.startApi(), split.startWorker()]);
  // An agent that has shown our message ids once may be believed when it says that it has none.
  ended(await api.run('fake', { threadId: 'known', text: 'say hello; complete' }), 'success');

  for (let place = 1; place <= places; place += 1) {
    const threadId = `place-${place}`;
    const delayMs = 40 + Math.floor(random() * 60);
    const posted = await api.openRun('fake', { threadId, text: `stream ${tokens} ${delayMs}; data; complete` });
    streamed.push({ threadId, posted, broken: readWithBreaks(api, threadId), at: [] });
  }
  await fake.arm(...sends.map((how) => ({ do: how, match: `say ${how}` })));
  await waitFor(() => streamed.every(({ posted }) => tokensIn(posted) >= 3), 30_000, 'all ten to stream');
  for (const how of sends) {
    sent.push({ kind: how, run: api.run('fake', { threadId: `send-${how}`, text: `say ${how}; complete` }, 90_000) });
  }
  await waitFor(
    async () => (await fake.ledger()).filter(({ fault }) => fault !== null).length === sends.length,
    30_000,
    'the faults',
  );
  await killWorker();
  const first = streamed.map(({ at }) => at[0] ?? 0);
  const isGoingOn = (): boolean =>
    streamed.every(({ posted }, index) => posted.events().some(isEnd) || tokensIn(posted) > (first[index] ?? 0) + 3);
  await waitFor(isGoingOn, 60_000, 'all ten to go on after the kill');
  await killWorker();
}, 240_000);
afterAll(() => supervisor.end());

describe(`after kill -9 of the worker (seed ${seed})`, () => {
  test('a client that reads its run through the kill gets the whole text, each word once, and a valid run', async () => {
    for (const { threadId, posted, at } of streamed) {
      const events = await posted.over(60_000);
      expect(posted.error()).toBeNull();
      checkRun(events);
      const texts = [...textsOf(events)].filter(([id]) => id.startsWith('artifact:'));
      expect([threadId, at, texts.map(([, text]) => text)]).toEqual([threadId, at, [wholeText]]);
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

  test('streams were cut in the middle: the kill met them at ten places', () => {
    const cut = streamed.flatMap(({ at }) => at).filter((count) => count > 0 && count < tokens);
    expect(cut.length).toBeGreaterThanOrEqual(places);
  });

  test.each(sends)('a message that was on its way (%s) reaches the agent once, and its run ends well', async (how) => {
    const run = await (sent.find((one) => one.kind === how)?.run ?? Promise.reject(new Error('not sent')));
    ended(run, 'success');
    const reached = (await fake.messages()).filter(({ parts }) => JSON.stringify(parts).includes(`say ${how};`));
    expect(countsOf(reached)).toEqual([1]);
  });

  test('every message reached the agent once', async () => {
    const counts = countsOf(await fake.messages());
    expect(counts).toHaveLength(1 + places + sends.length);
    expect(new Set(counts)).toEqual(new Set([1]));
  });

  test('a decision that nobody confirms gets 503, a run waits, and both happen once when the next worker is there', async () => {
    ended(await api.run('fake', { threadId: 'asked', text: 'form => say thanks; complete' }), 'interrupt');
    const hold = await openHold(api, 'fake', 'asked');
    const decide = (): Promise<Answer> => api.post(`/api/holds/${hold.id}/decision`, greenDecision());
    await worker.kill9();
    const run = api.run('fake', { threadId: 'waits', text: 'say waits; complete' }, 60_000);
    const first = await decide();
    expect([first.status, codeOf(first), Number(first.headers.get('retry-after')) > 0]).toEqual([
      503,
      'decision_not_confirmed',
      true,
    ]);
    worker = await split.startWorker();
    ended(await run, 'success');
    expect(
      (await waitFor(async () => [await decide()].find(({ status }) => status !== 503), 60_000, 'the decision')).status,
    ).toBe(200);
    const { a2aTaskId } = await waitForTask(api, hold.taskId, 'DONE');
    expect((await fake.messages()).filter(({ taskId }) => taskId === a2aTaskId)).toHaveLength(1);
  });
});
