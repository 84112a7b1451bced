// Statuses that Standfast reports to a caller: `working` while people are asked, unless the caller itself may answer.
import type { HoldId } from '../../../contract/base/id-types.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import type { A2aState } from '../../../contract/tasks/turn.ts';
import type { TaskError, TaskStatus } from '../../../contract/tasks/task.ts';
import { objectOf, objectsIn } from '../../../core/base/json.ts';
import type { CallerIds } from './caller-ids.ts';

/** URI of the A2A extension whose metadata on a status message lists the open holds. */
export const holdExtension = 'urn:standfast:a2a:hold:v1';

const wireStates: Record<A2aState, string> = {
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
  'auth-required': 'TASK_STATE_AUTH_REQUIRED',
  completed: 'TASK_STATE_COMPLETED',
  canceled: 'TASK_STATE_CANCELED',
  failed: 'TASK_STATE_FAILED',
  rejected: 'TASK_STATE_REJECTED',
  unknown: 'TASK_STATE_UNSPECIFIED',
};
const byWire = new Map(Object.entries(wireStates).map(([state, wire]) => [wire, state as A2aState]));

const wireStateOf = (state: A2aState): string => wireStates[state];
export const stateOf = (status: JsonObject): A2aState => byWire.get(String(status['state'])) ?? 'unknown';

/** True for terminal, input-required and auth-required states, which are withheld until the turn has ended. */
export function isHeldBack(status: JsonObject): boolean {
  const state = stateOf(status);
  return state !== 'submitted' && state !== 'working' && state !== 'unknown';
}

export interface WaitingHold {
  holdId: HoldId;
  /** `sha256:…` of the question as shown; sent back with an answer it proves what the answerer saw. */
  digest: string;
  kind: string;
  title: string;
  audience: readonly string[];
  expiresAt: string | null;
  url: string;
  /** Progress of a quorum; absent when one answer is enough. */
  votes?: { have: number; need: number };
  /** The pending decision during its undo period. */
  decided?: { by: string; sendAt: string };
}

const nameOf = (entry: string): string => entry.replace(/^(role|user|agent):/, '');

const formatNames = (names: readonly string[]): string => [...new Set(names.map(nameOf))].join(', ');

function describeHolds(holds: readonly WaitingHold[]): string {
  const [first] = holds;
  const until = first?.expiresAt ?? null;
  const people = formatNames(holds.flatMap(({ audience }) => audience));
  const what = holds.length === 1 ? `: ${first?.title ?? ''}` : `: ${holds.length} questions`;
  const [decided] = holds.flatMap((hold) => hold.decided ?? []);
  if (decided !== undefined && holds.every((hold) => hold.decided !== undefined))
    return `Decided by ${decided.by}, to be sent at ${decided.sendAt}${what}`;
  const votes = holds.length === 1 ? first?.votes : undefined;
  const agreed = votes === undefined ? '' : ` (${votes.have} of ${votes.need} agreed)`;
  return `Asked ${people}${until === null ? '' : `, until ${until}`}${what}${agreed}`;
}

/** A `working` status whose message says who is asked and until when. */
export function askedStatus(
  ids: CallerIds,
  holds: readonly WaitingHold[],
  origin: { messageId: string; at: string },
): JsonObject {
  return standfastStatus('working', ids, describeHolds(holds), { ...origin, metadata: askedMetadata(holds) });
}

/** Message metadata `{[holdExtension]: {holds: […]}}`: the open holds and the URLs where people answer them. */
export function askedMetadata(holds: readonly WaitingHold[]): JsonObject {
  const about = holds.map(({ holdId, audience, ...rest }) => ({ id: holdId, audience: [...audience], ...rest }));
  return { [holdExtension]: { holds: about } };
}

/** Digests that a caller's message sends back in its extension metadata, by hold id. */
export function seenDigests(metadata: JsonObject): Map<string, string> {
  const holds = objectsIn(objectOf(metadata[holdExtension])['holds']);
  return new Map(
    holds.flatMap(({ id, digest }) => (typeof id === 'string' && typeof digest === 'string' ? [[id, digest]] : [])),
  );
}

/** A status whose message Standfast writes in place of the agent. */
export function standfastStatus(
  state: A2aState,
  ids: CallerIds,
  text: string,
  { messageId, at, metadata = askedMetadata([]) }: { messageId: string; at: string; metadata?: JsonObject },
): JsonObject {
  return {
    state: wireStateOf(state),
    timestamp: at,
    message: {
      messageId,
      role: 'ROLE_AGENT',
      ...ids,
      parts: [{ text }],
      metadata,
      extensions: [holdExtension],
    },
  };
}

/** The terminal state and text of a task whose agent reported none; null while the task is active. */
export function endStateOf(status: TaskStatus, error: TaskError | null): { state: A2aState; text: string } | null {
  switch (status) {
    case 'DONE':
      return { state: 'completed', text: '' };
    case 'CANCELED':
      return { state: 'canceled', text: 'The task was canceled.' };
    case 'FAILED':
      return { state: error?.code === 'agent_rejected' ? 'rejected' : 'failed', text: error?.message ?? '' };
    default:
      return null;
  }
}
