// A message to an agent that is away, with attempts that leave their slot: it waits, and is sent when the agent is back.
import { describe, expect, test } from '@jest/globals';
import type { A2aErrorInfo } from '../../../src/contract/tasks/agent-error.ts';
import { beginSending, send } from '../../../src/core/turn/send.ts';
import type { Probe, SendGiven, SendObservation, Settled, Write } from '../../../src/core/turn/send-state.ts';

const tryForMs = 10_000;
const bounds = { backoffMs: 250, maxBackoffMs: 15_000, outageMs: 600_000, missingMs: 10_000 };
const given = (away: SendGiven['away'], isFollowUp = true): SendGiven => ({
  mode: 'stream',
  isFollowUp,
  hasMadeTask: false,
  mayBegin: true,
  isFoundOnly: false,
  resend: 'ask',
  away,
  bounds,
});
const down: A2aErrorInfo = { kind: 'not-sent', what: 'network', wasTaken: false, message: 'refused' };
const failed = (known: A2aErrorInfo, isStreaming = false): SendObservation => ({ type: 'failed', known, isStreaming });

interface Played {
  settled: Settled;
  nowMs: number;
  requests: number;
  writes: Write[];
}

/** One attempt, whose requests and probes are answered so. */
function attempt(of: SendGiven, startMs: number, answer: SendObservation, probe: Probe = { seen: 'absent' }): Played {
  const writes: Write[] = [];
  let [nowMs, requests] = [startMs, 0];
  let step = beginSending(of, null);
  for (let steps = 0; steps < 10_000; steps += 1) {
    writes.push(...step.writes);
    const { action, state } = step;
    if (action.type === 'settle') return { settled: action.settled, nowMs, requests, writes };
    if (action.type === 'wait') nowMs += Math.max(action.ms, action.atLeastMs);
    if (action.type === 'request') requests += 1;
    const met: Record<Exclude<typeof action.type, 'settle'>, SendObservation> = {
      begin: { type: 'begun' },
      find: { type: 'intent.found', intent: null },
      probe: { type: 'probed', probe },
      request: answer,
      readCard: { type: 'card.read', hasStreams: true },
      wait: { type: 'woke' },
    };
    step = send(state, met[action.type], nowMs);
  }
  throw new Error('the message is sent for ever');
}

const kept = (sinceMs: number | null): SendGiven['away'] => ({ sinceMs, isKept: true, tryForMs });
const other = (sinceMs: number | null): SendGiven['away'] => ({ sinceMs, isKept: false, tryForMs });

describe('a message to an agent that is away', () => {
  // Promise Y82
  test('a message to an agent that is away leaves its slot within seconds, and nothing of it is in flight', () => {
    const { settled, nowMs, requests, writes } = attempt(given(kept(null)), 1_000, failed(down));
    expect(settled).toEqual({ is: 'away', sinceMs: 1_000, message: 'refused' });
    expect(nowMs - 1_000).toBeLessThanOrEqual(tryForMs);
    expect(requests).toBeGreaterThan(3);
    expect(writes.filter(({ kind }) => kind === 'forget')).toHaveLength(requests);
  });

  // Promise Y81
  test('a message to an agent that is away waits for years if people gave it, and no longer than the outage if not', () => {
    const year = 365 * 86_400_000;
    expect(attempt(given(kept(0)), year, failed(down)).settled).toMatchObject({ is: 'away', sinceMs: 0 });
    expect(attempt(given(other(0)), 300_000, failed(down)).settled).toMatchObject({ is: 'away', sinceMs: 0 });
    expect(attempt(given(other(0)), 600_001, failed(down)).settled).toMatchObject({ is: 'unreachable' });
  });

  test('a message to an agent that asks to wait long leaves its slot at once, and says for how long', () => {
    const busy: A2aErrorInfo = { ...down, kind: 'retryable', what: 'http', status: 503, retryAfterMs: 60_000 };
    const { settled, nowMs } = attempt(given(kept(null)), 0, failed(busy));
    expect(settled).toMatchObject({ is: 'away', retryAfterMs: 60_000 });
    expect(nowMs).toBe(0);
  });

  // Promise Y88
  test.each<[string, A2aErrorInfo]>([
    ['a key that is refused', { kind: 'final', what: 'http', status: 401, wasTaken: false, message: 'no' }],
    ['a gateway without its server', { kind: 'final', what: 'http', status: 404, wasTaken: false, message: 'no' }],
    ['a provider that refuses the token', { kind: 'final', what: 'token', wasTaken: false, message: 'no' }],
    ['an address that may not be called', { kind: 'not-sent', what: 'policy', wasTaken: false, message: 'no' }],
  ])('a message to an agent that is away behind %s waits if people gave it, and is refused if not', (_what, known) => {
    expect(attempt(given(kept(null)), 0, failed(known)).settled.is).toBe('away');
    expect(attempt(given(other(null)), 0, failed(known)).settled.is).toBe('refused');
  });

  test('a message to an agent without a route for streams still goes by a blocking request', () => {
    const noRoute: A2aErrorInfo = { kind: 'final', what: 'http', status: 404, wasTaken: false, message: 'no' };
    let step = beginSending(given(kept(null)), null);
    step = send(step.state, { type: 'begun' }, 0);
    step = send(step.state, failed(noRoute, true), 0);
    step = send(step.state, { type: 'probed', probe: { seen: 'absent' } }, 0);
    step = send(step.state, { type: 'intent.found', intent: null }, 0);
    expect(step.action).toEqual({ type: 'request', mode: 'send' });
  });

  test('a message that the agent may have when it goes away waits with its intent, and is not sent again before the agent was asked', () => {
    const cut: A2aErrorInfo = { kind: 'retryable', what: 'network', wasTaken: 'unknown', message: 'cut' };
    const gone: Probe = { seen: 'away', why: 'the agent cannot be asked' };
    const of = given(kept(null));
    let step = beginSending({ ...of, mayBegin: false }, null);
    step = send(step.state, { type: 'intent.found', intent: { attempt: 1, isDelivered: false } }, 0);
    expect(step.action).toEqual({ type: 'probe', when: 'when-sent' });
    step = send(step.state, { type: 'probed', probe: gone }, 0);
    expect(step).toMatchObject({ action: { settled: { is: 'away' } }, writes: [] });
    const { settled, writes } = attempt(of, 0, failed(cut), gone);
    expect(settled.is).toBe('away');
    expect(writes.some(({ kind }) => kind === 'forget')).toBe(false);
  });
});
