// The circuit of one agent: (circuit, event) → circuit. While an agent takes no messages, its messages wait outside of any
// slot, and one probe for all of them asks whether it is back. No circuit: it is closed, and messages go.

import type { circuitStates } from '../../contract/tasks/circuit-states.ts';
import type { A2aErrorInfo } from '../../contract/tasks/agent-error.ts';
import { backoff } from '../base/backoff.ts';

/**
 * `open`: the agent is away, and only probes ask it · `half-open`: it answers a probe, and one message tries whether it
 * takes any · `closing`: it takes messages, and those that waited are woken, some at a time.
 */
export type CircuitState = (typeof circuitStates)[number];

export interface Circuit {
  state: CircuitState;
  /** Why it was opened last: a cause as `A2aErrorInfo` names it, never an agent's words. */
  cause: string;
  /** Probes and messages in a row that met an agent that is away. */
  failures: number;
  /** Until it is probed, another message may try, or others are woken. */
  dueInMs: number;
}

export type CircuitEvent =
  /** A message was not taken for as long as an attempt may try. */
  | { type: 'failed'; cause: string; retryAfterMs: number }
  /** The agent has a message. */
  | { type: 'taken' }
  /** What asking the agent's server came to. */
  | { type: 'probed'; isThere: boolean; cause: string }
  /** No message of the agent's waits any more. */
  | { type: 'drained' };

export interface CircuitBounds {
  /** From one probe to the next. */
  probeEveryMs: number;
  /** The longest pause after messages that were not taken although the agent answered the probe. */
  maxTrialEveryMs: number;
  /** The longest that an agent itself may ask for. */
  maxRetryAfterMs: number;
}

type Next = Circuit | null;
type On<T extends CircuitEvent['type']> = (
  circuit: Circuit,
  event: Extract<CircuitEvent, { type: T }>,
  bounds: CircuitBounds,
) => Next;

const same = (circuit: Circuit): Next => circuit;
const closing = (circuit: Circuit): Next => ({ ...circuit, state: 'closing', failures: 0, dueInMs: 0 });

/** Total by type. */
const transitions: { [S in CircuitState]: { [T in CircuitEvent['type']]: On<T> } } = {
  open: {
    // Messages that were on their way when it opened add nothing.
    failed: same,
    taken: closing,
    probed: (circuit, { isThere, cause }, { probeEveryMs }) =>
      isThere
        ? { ...circuit, state: 'half-open', dueInMs: 0 }
        : { ...circuit, cause, failures: circuit.failures + 1, dueInMs: probeEveryMs },
    drained: same,
  },
  'half-open': {
    failed: opened,
    taken: closing,
    probed: same,
    // There is none to try with: the next one meets what it meets.
    drained: () => null,
  },
  closing: { failed: opened, taken: same, probed: same, drained: () => null },
};

/** The longer an agent answers probes and takes no message, the longer the next message waits. */
function opened(
  circuit: Circuit,
  { cause, retryAfterMs }: Extract<CircuitEvent, { type: 'failed' }>,
  { probeEveryMs, maxTrialEveryMs, maxRetryAfterMs }: CircuitBounds,
): Circuit {
  const failures = circuit.failures + 1;
  const ownMs = backoff(failures, { firstMs: probeEveryMs, mostMs: maxTrialEveryMs });
  return { state: 'open', cause, failures, dueInMs: Math.max(ownMs, Math.min(retryAfterMs, maxRetryAfterMs)) };
}

/** Null is a closed circuit, before and after. */
export function nextCircuit(circuit: Circuit | null, event: CircuitEvent, bounds: CircuitBounds): Circuit | null {
  if (circuit !== null) {
    // Safe: the table's type ties each entry to its event.
    const on = transitions[circuit.state][event.type] as On<CircuitEvent['type']>;
    return on(circuit, event, bounds);
  }
  if (event.type !== 'failed') return null;
  const { cause, retryAfterMs } = event;
  const dueInMs = Math.max(bounds.probeEveryMs, Math.min(retryAfterMs, bounds.maxRetryAfterMs));
  return { state: 'open', cause, failures: 1, dueInMs };
}

/** Why an agent counts as away, in a word that is no agent's. */
export const causeOf = (known: Pick<A2aErrorInfo, 'what' | 'status'> | null): string =>
  known === null ? 'unanswered' : known.status === undefined ? known.what : `http_${known.status}`;

/** Proxies that say so answer in place of an agent that is away. */
const ofProxy: readonly number[] = [502, 503, 504];

/** What comes without an answer of the agent's server. */
const unanswered: readonly A2aErrorInfo['what'][] = ['network', 'aborted', 'card', 'token', 'policy', 'http'];

/** Whether what a probe met is an answer of the agent's own server: of what, is of no matter. */
export const answersAProbe = ({ what, status }: Pick<A2aErrorInfo, 'what' | 'status'>): boolean =>
  status === undefined ? !unanswered.includes(what) : !ofProxy.includes(status);

/** Whether a message goes: at once, only if it is the one that tries, or not now. */
export function passage(circuit: Pick<Circuit, 'state'> | null): 'free' | 'as-trial' | 'none' {
  if (circuit === null || circuit.state === 'closing') return 'free';
  return circuit.state === 'half-open' ? 'as-trial' : 'none';
}
