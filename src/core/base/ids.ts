// Every id is derived before anything starts and is the same after any restart, so repeats are recognised.
import type {
  A2aTaskId,
  HoldId,
  InterruptId,
  RunId,
  TaskId,
  ThreadId,
  WorkflowId,
} from '../../contract/base/id-types.ts';

/** SHA-1 of UTF-8 text as 40 hex digits; passed in, because core has no dependencies. */
export type Sha1Hex = (bytes: Uint8Array) => string;

/** Namespace of all Standfast ids. It never changes: another one would orphan every open task. */
const standfastNamespace = '6f2d8a52-6c0e-5c1b-9b8e-3f8c2a7d4e11';

/** The agent name of questions that programs ask without an agent; the configuration may not use it. */
export const askAgent = 'ask';
/** The dialect of those questions, and of those that gates ask: only the asker reads the answer, from the hold's row. */
export const askDialect = 'ask';

/** UUIDv5 (RFC 9562 §5.5) of a name within a namespace UUID. */
export function uuidV5(sha1: Sha1Hex, namespace: string, name: string): string {
  const space = namespace.replaceAll('-', '');
  const nameBytes = new TextEncoder().encode(name);
  const bytes = new Uint8Array(16 + nameBytes.length);
  for (let i = 0; i < 16; i += 1) bytes[i] = Number.parseInt(space.slice(i * 2, i * 2 + 2), 16);
  bytes.set(nameBytes, 16);
  const hex = sha1(bytes);
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Task id of the run that opens it. The parts are joined by NUL, which none of them can contain. */
export function taskIdOf(sha1: Sha1Hex, agent: string, threadId: ThreadId, openingRunId: RunId): TaskId {
  return uuidV5(sha1, standfastNamespace, ['task', agent, threadId, openingRunId].join('\u0000'));
}
export function holdIdOf(sha1: Sha1Hex, taskId: TaskId, n: number): HoldId {
  return uuidV5(sha1, taskId, `hold:${n}`);
}
export function messageIdOf(sha1: Sha1Hex, taskId: TaskId, turn: number): string {
  return uuidV5(sha1, taskId, `turn:${turn}`);
}
export function injectedMessageIdOf(sha1: Sha1Hex, taskId: TaskId, runId: RunId): string {
  return uuidV5(sha1, taskId, `injection:${runId}`);
}
/** Id of the message with which a step of a hold's ladder asks a supervisor agent. */
export function supervisorMessageIdOf(sha1: Sha1Hex, holdId: HoldId, agent: string, stepIndex: number): string {
  return uuidV5(sha1, holdId, `supervisor:${agent}:${stepIndex}`);
}
/** Names a message into a working task while it waits for its agent. */
export const injectedKey = (taskId: TaskId, runId: RunId): string => `${taskId}/into/${runId}`;
/** Names the message to a supervisor agent while it waits for it. */
export const supervisorKey = (holdId: HoldId, agent: string, stepIndex: number): string =>
  `${holdId}/ask/${agent}/${stepIndex}`;
/** Context id for a task whose thread has none; never derived from the thread id alone. */
export function contextIdOf(sha1: Sha1Hex, taskId: TaskId): string {
  return uuidV5(sha1, taskId, 'context');
}

export const workflowIdOf = (agent: string, threadId: ThreadId): WorkflowId => `a2a/${agent}/${threadId}`;
export const interruptIdOf = (prefix: string, taskId: A2aTaskId | TaskId, n: number): InterruptId =>
  `${prefix}-${taskId}-${n}`;
/** Run opened by Standfast itself: `what` says why. */
export const ownRunIdOf = (taskId: TaskId, what: string): RunId => `standfast-${taskId}-${what}`;

const inOwnSpace = /~[0-9a-f]{12}$/;

/** Internal id of this owner's thread when another owner has the plain id: it ends with a hash of the owner. */
export const ownThreadId = (sha1Hex: Sha1Hex, threadId: ThreadId, owner: string): ThreadId =>
  `${threadId}~${sha1Hex(new TextEncoder().encode(owner)).slice(0, 12)}`;

/** True for an id that carries such a mark. */
export const isMarkedThreadId = (threadId: ThreadId): boolean => inOwnSpace.test(threadId);

/** The id as its owner gave it. */
export const publicThreadId = (threadId: ThreadId): string => threadId.replace(inOwnSpace, '');
