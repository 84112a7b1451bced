// The circuit of an agent: who asks an agent that is away, and when its messages go again.
import { describe, expect, test } from '@jest/globals';
import { causeOf, nextCircuit, passage, type Circuit, type CircuitEvent } from '../../../src/core/turn/circuit.ts';
import { fc } from '../../rigs/properties.ts';

const bounds = { probeEveryMs: 1_000, maxTrialEveryMs: 10_000, maxRetryAfterMs: 60_000 };
const failed: CircuitEvent = { type: 'failed', cause: 'network', retryAfterMs: 0 };
const there: CircuitEvent = { type: 'probed', isThere: true, cause: '' };
const gone: CircuitEvent = { type: 'probed', isThere: false, cause: 'network' };
const taken: CircuitEvent = { type: 'taken' };
const drained: CircuitEvent = { type: 'drained' };
const after = (...events: CircuitEvent[]): Circuit | null =>
  events.reduce<Circuit | null>((circuit, event) => nextCircuit(circuit, event, bounds), null);

describe('the circuit of an agent', () => {
  test('a message that was not taken opens the circuit of its agent, and no other message goes', () => {
    expect(passage(after())).toBe('free');
    expect(after(failed)).toEqual({ state: 'open', cause: 'network', failures: 1, dueInMs: 1_000 });
    expect(passage(after(failed))).toBe('none');
    expect(passage(after(failed, failed, gone, gone))).toBe('none');
  });

  test('an agent that answers a probe is tried by one message, and by all once it takes that one', () => {
    expect(passage(after(failed, there))).toBe('as-trial');
    expect(passage(after(failed, there, taken))).toBe('free');
    expect(after(failed, there, taken, drained)).toBeNull();
    // There is none to try with.
    expect(after(failed, there, drained)).toBeNull();
  });

  test('an agent that answers probes and takes no message is tried ever more seldom, and not more seldom than the bound', () => {
    const waits = [1, 2, 3, 10].map((times) => {
      const events = Array.from({ length: times }, () => [there, failed]).flat();
      return after(failed, ...events)?.dueInMs;
    });
    expect(waits).toEqual([4_000, 8_000, 10_000, 10_000]);
  });

  test('an agent that asks to be left alone for a while is not probed before, within the bound', () => {
    const busy = (retryAfterMs: number): CircuitEvent => ({ type: 'failed', cause: 'http_503', retryAfterMs });
    expect(after(busy(20_000))?.dueInMs).toBe(20_000);
    expect(after(busy(3_600_000))?.dueInMs).toBe(60_000);
  });

  test('an agent that goes away again while its messages go opens its circuit again', () => {
    expect(passage(after(failed, there, taken, failed))).toBe('none');
  });

  const anyEvent = fc.oneof(
    fc.record({ type: fc.constant('failed' as const), cause: fc.constant('network'), retryAfterMs: fc.nat(100_000) }),
    fc.constantFrom(there, gone, taken, drained),
  );

  test('after whatever was met of it, the messages of an agent that is back all go', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), (events) => {
        expect(after(...events, there, taken, drained) ?? { state: 'closed' }).toEqual({ state: 'closed' });
      }),
    );
  });

  // Promise W5b
  test('an agent that is away is never asked by more than probes, after whatever was met of it', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), fc.array(fc.constantFrom(gone, failed)), (events, then) => {
        const last = after(...events, failed);
        expect(passage(then.reduce<Circuit | null>((one, event) => nextCircuit(one, event, bounds), last))).toBe(
          'none',
        );
      }),
    );
  });

  test('an agent that is away is known by a cause that is none of its words', () => {
    expect(causeOf({ what: 'http', status: 503 })).toBe('http_503');
    expect(causeOf({ what: 'network' })).toBe('network');
    expect(causeOf(null)).toBe('unanswered');
  });
});
