import type { TaskId, ThreadId } from '../base/id-types.ts';
import type { JsonObject } from '../base/json.ts';

/**
 * One line of what the caller of a task (over A2A) receives, as A2A 1.0 JSON with the ids that the caller knows.
 * `event`: a StreamResponse · `message`: one of the conversation that no event brought · `pause`: the status with which the
 * agent asked, kept for a caller who may answer and never sent as it is.
 */
export type CallerEntry =
  | { kind: 'event'; event: JsonObject }
  | { kind: 'message'; message: JsonObject }
  | { kind: 'pause'; status: JsonObject; metadata: JsonObject };

/** A task as its caller knows it. */
export interface CallerTask {
  taskId: TaskId;
  agent: string;
  threadId: ThreadId;
  /** Principal id of the caller. */
  owner: string;
  contextId: string;
}

/** What a message of a caller brings in addition to its parts, kept with its run. */
export interface CallerMessage {
  /** As A2A 1.0 JSON, with the caller's ids. */
  message: JsonObject;
  metadata: JsonObject;
  acceptedOutputModes: string[];
  /** Extensions that the caller asked for. */
  extensions: string[];
  /** The tasks that the message refers to, by the agent's own ids. */
  references: string[];
  /** An answer with secrets: they are sealed, and what is kept of its parts does not hold them. */
  isSealed?: true;
}

/** How the thread of a caller's task is named: tasks of other threads have no caller, so no query is made for one. */
export const callerThreadPrefix = 'standfast-a2a-';

export const isCallerThread = (threadId: ThreadId): boolean => threadId.startsWith(callerThreadPrefix);

/** Where a caller wants push notifications of a task. */
export interface CallerPush {
  taskId: TaskId;
  configId: string;
  url: string;
  /** Of the protocol: how events are written. */
  version: '1.0' | '0.3';
  /** `PushSecrets`, sealed under `pushSealId`. */
  box: string;
  /** What was delivered, up to here. */
  deliveredSeq: number;
}

export interface PushSecrets {
  token: string;
  authentication: { scheme: string; credentials: string } | null;
}

export const pushSealId = ({ taskId, configId }: Pick<CallerPush, 'taskId' | 'configId'>): string =>
  `push/${taskId}/${configId}`;
