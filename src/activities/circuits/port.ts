// What work with an agent asks of the agent's circuit.
import type { TaskId } from '../../contract/base/id-types.ts';
import type { WaitingMessage } from '../../store/ports/circuits.ts';

export type Passage =
  /** `isTrial`: it tries for all others, and once. */
  { goes: true; isTrial: boolean } | { goes: false; since: string; cause: string };

/** How long one attempt tries: a message that tries for all others, or that meets its end, asks once. */
export const triesForMs = (passage: Passage, { tryForMs }: { tryForMs: number }): number =>
  passage.goes && !passage.isTrial ? tryForMs : 0;

export interface Circuits {
  /** Whether the agent is asked now; where only one may try, this task's message is that one. */
  passage(agent: string, taskId: TaskId): Promise<Passage>;
  /** A message was not taken for as long as an attempt may try. */
  failed(agent: string, cause: string, retryAfterMs?: number): Promise<void>;
  /** The agent has answered a message. */
  taken(agent: string): Promise<void>;
  /** Notes a message that waits; false: the agent is back already, so nothing will wake it. */
  wait(message: WaitingMessage): Promise<boolean>;
}

/** For what is tried one message at a time. */
export const alwaysClosed: Circuits = {
  passage: () => Promise.resolve({ goes: true, isTrial: false }),
  failed: () => Promise.resolve(),
  taken: () => Promise.resolve(),
  wait: () => Promise.resolve(false),
};
