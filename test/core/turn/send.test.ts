// A message against a model of an agent and of the way to it: requests that break before or after the agent has run, answers
// that prove nothing, attempts that end anywhere. How often the agent runs is counted.
import { describe, expect, test } from '@jest/globals';
import type { A2aErrorInfo } from '../../../src/contract/tasks/agent-error.ts';
import { beginSending, send } from '../../../src/core/turn/send.ts';
import type {
  SendAction,
  SendGiven,
  SendObservation,
  SendStep,
  Settled,
  Write,
} from '../../../src/core/turn/send-state.ts';
import { luckOf, type Luck } from '../../rigs/luck.ts';
import { fc, runs } from '../../rigs/properties.ts';

const bounds = { backoffMs: 250, maxBackoffMs: 15_000, outageMs: 3_000, missingMs: 10_000 };
const sendForMs = 10_000;

/** How the agent and its server are. */
interface Manner {
  isFollowUp: boolean;
  resend: SendGiven['resend'];
  /** It shows the messages that it got, and is known to. */
  isProven: boolean;
  hasStreams: boolean;
}

const error = (over: Partial<A2aErrorInfo>): A2aErrorInfo => ({
  kind: 'final',
  what: 'refused',
  wasTaken: false,
  message: 'an error',
  ...over,
});
type Fault = { known: A2aErrorInfo; mayHaveRun: boolean; mayRunLater?: boolean };
/**
 * What may come back instead of an answer, and whether the agent may have run all the same. That a route is missing is
 * believed, and so is a refusal of an agent that does not show what it has: nothing could tell better.
 */
const faultsOf = ({ isFollowUp, isProven, hasStreams }: Manner, isStreaming: boolean): Fault[] => [
  { known: error({ kind: 'not-sent', what: 'network' }), mayHaveRun: false },
  { known: error({ kind: 'not-sent', what: 'card' }), mayHaveRun: false },
  { known: error({ kind: 'retryable', what: 'http', status: 429, retryAfterMs: 2_000 }), mayHaveRun: false },
  { known: error({ kind: 'retryable', what: 'network', wasTaken: 'unknown' }), mayHaveRun: true, mayRunLater: true },
  { known: error({ kind: 'aborted', what: 'aborted', wasTaken: 'unknown' }), mayHaveRun: true, mayRunLater: true },
  { known: error({ kind: 'retryable', what: 'agent-error', wasTaken: 'unknown' }), mayHaveRun: true },
  ...(isStreaming
    ? [{ known: error({ kind: 'retryable', what: 'empty-stream', wasTaken: 'unknown' }), mayHaveRun: true } as Fault]
    : []),
  { known: error({ what: 'http', status: 404 }), mayHaveRun: false },
  { known: error({ what: 'no-method' }), mayHaveRun: false },
  { known: error({}), mayHaveRun: isFollowUp && isProven },
  {
    known: error({ what: 'unsupported' }),
    mayHaveRun: isStreaming ? isFollowUp || hasStreams : isFollowUp && isProven,
  },
  { known: error({ what: 'no-push' }), mayHaveRun: false },
  { known: error({ what: 'task-not-found' }), mayHaveRun: false },
];

interface Intent {
  attempt: number;
  untilMs: number;
  isDelivered: boolean;
}

class EndOfAttempt extends Error {}

interface World {
  nowMs: number;
  runs: number;
  /** When a request that is still on its way reaches the agent. */
  arrivesAtMs: number | null;
  intent: Intent | null;
  sendsWithout: 'all' | 'follow-ups' | null;
}

/** Sends one message by as many attempts as it takes. */
function play(manner: Manner, luck: Luck): { settled: Settled; runs: number } {
  const world: World = { nowMs: 0, runs: 0, arrivesAtMs: null, intent: null, sendsWithout: null };
  for (let attempt = 1; attempt < 50; attempt += 1) {
    try {
      const settled = playAttempt(manner, world, attempt, luck);
      arrive(world, Number.POSITIVE_INFINITY);
      if (settled.is !== 'fenced') return { settled, runs: world.runs };
    } catch (ended) {
      if (!(ended instanceof EndOfAttempt)) throw ended;
    }
  }
  throw new Error('the message is sent for ever');
}

function arrive(world: World, untilMs: number): void {
  if (world.arrivesAtMs === null || world.arrivesAtMs > untilMs) return;
  world.arrivesAtMs = null;
  world.runs += 1;
}

function playAttempt(manner: Manner, world: World, attempt: number, luck: Luck): Settled {
  const given: SendGiven = {
    mode: 'stream',
    isFollowUp: manner.isFollowUp,
    hasMadeTask: false,
    mayBegin: attempt === 1,
    isFoundOnly: false,
    resend: manner.resend,
    away: null,
    bounds,
  };
  let step: SendStep = beginSending(given, world.sendsWithout);
  for (let steps = 0; steps < 1_000; steps += 1) {
    for (const write of step.writes) {
      keep(world, attempt, write);
      // The worker may be killed between any two writes.
      if (luck.below(12) === 0) throw new EndOfAttempt();
    }
    if (step.action.type === 'settle') return step.action.settled;
    const seen = perform(manner, world, attempt, step.action, luck);
    if (luck.below(12) === 0) throw new EndOfAttempt();
    step = send(step.state, seen, world.nowMs);
  }
  throw new Error('the message is sent for ever');
}

function keep(world: World, attempt: number, write: Write): void {
  const { intent } = world;
  if (write.kind === 'delivered' && intent !== null) intent.isDelivered = true;
  if (write.kind === 'forget' && intent?.attempt === (write.attempt === 'own' ? attempt : write.attempt))
    world.intent = null;
  if (write.kind === 'sends-without') world.sendsWithout = write.which;
}

function perform(
  manner: Manner,
  world: World,
  attempt: number,
  action: Exclude<SendAction, { type: 'settle' }>,
  luck: Luck,
): SendObservation {
  const write = (): void => {
    world.intent = { attempt, untilMs: world.nowMs + sendForMs, isDelivered: false };
  };
  const find = (): SendObservation => ({ type: 'intent.found', intent: world.intent && { ...world.intent } });
  switch (action.type) {
    case 'begin':
      if (world.intent !== null) return find();
      write();
      return { type: 'begun' };
    case 'find':
      return find();
    case 'wait':
      world.nowMs += Math.max(action.ms, action.atLeastMs);
      arrive(world, world.nowMs);
      return { type: 'woke' };
    case 'readCard':
      return { type: 'card.read', hasStreams: manner.hasStreams };
    case 'probe': {
      if (action.when === 'when-sent') world.nowMs = Math.max(world.nowMs, world.intent?.untilMs ?? 0) + 2_000;
      arrive(world, world.nowMs);
      if (luck.below(6) === 0) return { type: 'probed', probe: { seen: 'unknown', why: 'it cannot be asked' } };
      if (world.runs > 0 && manner.isProven)
        return { type: 'probed', probe: { seen: 'delivered', task: null, isInHistory: true } };
      if (manner.isProven) return { type: 'probed', probe: { seen: 'absent' } };
      return { type: 'probed', probe: { seen: 'unknown', why: 'it does not show what it got' } };
    }
    case 'request':
      return request(manner, world, action.mode, luck, write);
    default:
      return action satisfies never;
  }
}

function request(
  manner: Manner,
  world: World,
  mode: 'stream' | 'send',
  luck: Luck,
  write: () => void,
): SendObservation {
  if (luck.below(40) === 0) return { type: 'fenced' };
  write();
  const isStreaming = mode === 'stream' && manner.hasStreams;
  if (luck.below(4) === 0) {
    world.runs += 1;
    if (luck.below(5) === 0) throw new EndOfAttempt();
    return luck.below(4) === 0 ? { type: 'seen', task: null } : { type: 'answered' };
  }
  const faults = faultsOf(manner, isStreaming);
  const fault = faults[luck.below(faults.length)];
  if (fault === undefined) throw new Error('there is no such fault');
  if (fault.mayHaveRun && luck.below(2) === 0) {
    if (fault.mayRunLater === true && luck.below(2) === 0) world.arrivesAtMs = world.nowMs + luck.below(sendForMs);
    else world.runs += 1;
  }
  return { type: 'failed', known: fault.known, isStreaming };
}

const manners: fc.Arbitrary<Manner> = fc.record({
  isFollowUp: fc.boolean(),
  resend: fc.constantFrom(undefined, 'ask' as const, 'safe' as const, 'never' as const),
  isProven: fc.boolean(),
  hasStreams: fc.boolean(),
});

describe('a message, whatever becomes of its requests and attempts,', () => {
  test('a message, whatever becomes of its requests and attempts, is never taken twice, and never sent for ever', () => {
    const ends = new Map<string, number>();
    fc.assert(
      fc.property(manners, fc.nat(0x7f_ff_ff_ff), (manner, seed) => {
        const { settled, runs: taken } = play(manner, luckOf(seed));
        ends.set(settled.is, (ends.get(settled.is) ?? 0) + 1);
        // Sent again without knowing is what `resend: safe` asks for.
        if (manner.resend !== 'safe') expect(taken).toBeLessThanOrEqual(1);
        if (settled.is === 'delivered') expect(taken).toBeGreaterThan(0);
        // Nothing was taken by an agent that is reported as unreachable.
        if (settled.is === 'unreachable' && manner.resend !== 'safe') expect(taken).toBe(0);
      }),
      { numRuns: runs(10_000) },
    );
    expect([...ends.keys()].toSorted()).toEqual(['delivered', 'delivery-unknown', 'refused', 'unreachable']);
  });
});

describe('a message into a task that one of the agent’s replicas does not know', () => {
  const missing = error({ what: 'task-not-found' });
  const given: SendGiven = {
    mode: 'stream',
    isFollowUp: true,
    hasMadeTask: false,
    mayBegin: true,
    isFoundOnly: false,
    resend: 'ask',
    away: null,
    bounds,
  };
  /** How it settles, how often it was sent, and when, if it is answered so. */
  const playAnswers = (answerOf: (n: number) => SendObservation): { settled: Settled; sent: number; nowMs: number } => {
    let step = beginSending(given, null);
    let [sent, nowMs] = [0, 0];
    for (;;) {
      const { action, state } = step;
      if (action.type === 'settle') return { settled: action.settled, sent, nowMs };
      if (action.type === 'wait') nowMs += action.ms;
      const met = (): SendObservation => {
        if (action.type === 'request') return answerOf((sent += 1));
        if (action.type === 'wait') return { type: 'woke' };
        return action.type === 'begin' ? { type: 'begun' } : { type: 'intent.found', intent: null };
      };
      step = send(state, met(), nowMs);
    }
  };
  const refused: SendObservation = { type: 'failed', known: missing, isStreaming: true };

  // Promise Y86
  test('a message into a task that one of the agent’s replicas does not know is sent again until one takes it', () => {
    const { settled, sent } = playAnswers((n) => (n < 4 ? refused : { type: 'answered' }));
    expect([settled, sent]).toEqual([{ is: 'delivered', by: 'answer' }, 4]);
  });

  test('a message into a task that none of the agent’s replicas knows is refused after several answers, spread over time', () => {
    const { settled, sent, nowMs } = playAnswers(() => refused);
    expect(settled).toMatchObject({ is: 'refused' });
    expect(sent).toBeGreaterThanOrEqual(5);
    expect(nowMs).toBeGreaterThanOrEqual(bounds.missingMs);
    expect(nowMs).toBeLessThan(3 * bounds.missingMs);
  });
});

test('a message refuses what its phase cannot meet', () => {
  const given: SendGiven = {
    mode: 'stream',
    isFollowUp: false,
    hasMadeTask: false,
    mayBegin: false,
    isFoundOnly: false,
    resend: 'ask',
    away: null,
    bounds,
  };
  const { state } = beginSending(given, null);
  expect(() => send(state, { type: 'woke' }, 0)).toThrow('a message that is finding cannot meet woke');
});
