import { cutText } from '../../../core/base/text.ts';
import { type Message, Role, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import { isAcceptableA2aId } from '../../../contract/base/ids.ts';
import type { A2aState, AgentMessage, NeutralArtifact, TurnEvent } from '../../../contract/tasks/turn.ts';
import { markInterim, markInterimIn, markRepeat, pendingCalls } from './adk-marks.ts';
import { type Budget, cleanText, eventBudget, isRecord, noticingCuts } from './clean.ts';
import { keepMessage, keepResponse, keepTask } from './original.ts';
import { decodeMetadata, decodeName, decodeParts, takeText } from './parts.ts';

/*
 * The SDK validates nothing (docs/wire.md), so every object is untrusted whatever its type says. Undecodable input
 * becomes an `unknown` event with the reason; exported functions never throw.
 */

const maxExtensions = 50;
const maxExtensionChars = 2000;

/** Decodes one event of a stream (A2A 1.0 `StreamResponse`). */
export function decodeStreamResponse(response: StreamResponse): TurnEvent {
  const event = decodeOrUnknown(() => {
    const payload: unknown = isRecord(response) ? response.payload : undefined;
    if (!isRecord(payload)) throw new NotUnderstood('an event without a payload');
    const value = payload['value'];
    switch (payload['$case']) {
      case 'task':
        return readTask(value);
      case 'message':
        return readMessageEvent(value);
      case 'statusUpdate':
        return readStatusUpdate(value);
      case 'artifactUpdate':
        return readArtifactUpdate(value);
      default:
        throw new NotUnderstood(`an event of a kind that is not known: ${describe(payload['$case'])}`);
    }
  });
  return keepResponse(event, response);
}

/** Decodes a Task, as returned by GetTask, CancelTask and ListTasks. */
export function decodeTask(task: Task): TurnEvent {
  return keepTask(
    decodeOrUnknown(() => readTask(task)),
    task,
  );
}

/** Decodes a Message that is the whole reply. */
export function decodeMessage(message: Message): TurnEvent {
  return keepMessage(
    decodeOrUnknown(() => readMessageEvent(message)),
    message,
  );
}

class NotUnderstood extends Error {}

function decodeOrUnknown(read: () => TurnEvent): TurnEvent {
  try {
    return read();
  } catch (error) {
    return { type: 'unknown', what: error instanceof NotUnderstood ? error.message : 'an event that cannot be read' };
  }
}

function readTask(value: unknown): TurnEvent {
  const task = asRecord(value, 'task');
  const budget = eventBudget();
  const a2aTaskId = readId(task['id'], 'task id');
  const status = readStatus(task['status'], budget);
  const artifacts = Array.isArray(task['artifacts']) ? task['artifacts'] : [];
  const history = Array.isArray(task['history']) ? task['history'] : [];
  return {
    type: 'task',
    a2aTaskId,
    contextId: readOptionalId(task['contextId'], 'context id'),
    ...status,
    artifacts: artifacts
      .flatMap((artifact) => readUsableArtifact(artifact, budget))
      .map((artifact) => markRepeat(artifact, task['metadata'])),
    // Decoded last, so that a long history cannot use up the budget of the artifacts.
    history: markInterimIn(history.flatMap((message) => (isRecord(message) ? [readMessage(message, budget)] : []))),
  };
}

function readMessageEvent(value: unknown): TurnEvent {
  const message = asRecord(value, 'message');
  const contextId = readOptionalId(message['contextId'], 'context id');
  return {
    type: 'message',
    message: readMessage(message, eventBudget()),
    contextId: contextId === '' ? null : contextId,
  };
}

function readStatusUpdate(value: unknown): TurnEvent {
  const update = asRecord(value, 'status update');
  return {
    type: 'status',
    a2aTaskId: readId(update['taskId'], 'task id'),
    contextId: readOptionalId(update['contextId'], 'context id'),
    ...readStatus(update['status'], eventBudget(), update['metadata']),
  };
}

function readArtifactUpdate(value: unknown): TurnEvent {
  const update = asRecord(value, 'artifact update');
  return {
    type: 'artifact',
    a2aTaskId: readId(update['taskId'], 'task id'),
    contextId: readOptionalId(update['contextId'], 'context id'),
    artifact: markRepeat(readArtifact(update['artifact'], eventBudget(), update['metadata']), update['metadata']),
    append: update['append'] === true,
    lastChunk: update['lastChunk'] === true,
  };
}

const states: Record<TaskState, A2aState> = {
  [TaskState.UNRECOGNIZED]: 'unknown',
  [TaskState.TASK_STATE_UNSPECIFIED]: 'unknown',
  [TaskState.TASK_STATE_SUBMITTED]: 'submitted',
  [TaskState.TASK_STATE_WORKING]: 'working',
  [TaskState.TASK_STATE_COMPLETED]: 'completed',
  [TaskState.TASK_STATE_FAILED]: 'failed',
  [TaskState.TASK_STATE_CANCELED]: 'canceled',
  [TaskState.TASK_STATE_INPUT_REQUIRED]: 'input-required',
  [TaskState.TASK_STATE_REJECTED]: 'rejected',
  [TaskState.TASK_STATE_AUTH_REQUIRED]: 'auth-required',
};
const stateByNumber = new Map<unknown, A2aState>(Object.entries(states).map(([key, state]) => [Number(key), state]));

function readStatus(
  value: unknown,
  budget: Budget,
  about?: unknown,
): { state: A2aState; message: AgentMessage | null } {
  if (!isRecord(value)) return { state: 'unknown', message: null };
  const message = isRecord(value['message']) ? readMessage(value['message'], budget) : null;
  const waiting = pendingCalls(about, message?.metadata);
  return {
    state: stateByNumber.get(value['state']) ?? 'unknown',
    message: message === null ? null : { ...message, parts: markInterim(message.parts, waiting) },
  };
}

function readMessage(message: Record<string, unknown>, budget: Budget): AgentMessage {
  return noticingCuts(budget, () => ({
    messageId: readMessageId(message['messageId']),
    role: message['role'] === Role.ROLE_USER ? 'user' : 'agent',
    parts: decodeParts(message['parts'], budget),
    metadata: decodeMetadata(message['metadata'], budget),
    extensions: readExtensions(message['extensions']),
  }));
}

/** An artifact with an unusable id is skipped: rejecting the task would fail every later GetTask as well. */
function readUsableArtifact(artifact: unknown, budget: Budget): NeutralArtifact[] {
  try {
    return [readArtifact(artifact, budget)];
  } catch (error) {
    if (error instanceof NotUnderstood) return [];
    throw error;
  }
}

function readArtifact(value: unknown, budget: Budget, about?: unknown): NeutralArtifact {
  const artifact = asRecord(value, 'artifact');
  return noticingCuts(budget, () => ({
    artifactId: readId(artifact['artifactId'], 'artifact id'),
    name: decodeName(artifact['name']),
    description: takeText(artifact['description'], budget).text,
    parts: markInterim(decodeParts(artifact['parts'], budget), pendingCalls(about, artifact['metadata'])),
    metadata: decodeMetadata(artifact['metadata'], budget),
  }));
}

function readExtensions(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((uri): uri is string => typeof uri === 'string' && uri.length <= maxExtensionChars)
    .slice(0, maxExtensions)
    .map(cleanText);
}

function readId(value: unknown, what: string): string {
  const id = readOptionalId(value, what);
  if (id === '') throw new NotUnderstood(`no ${what}`);
  return id;
}

/** Message ids are never sent back to the agent, so an unusable id counts as missing and the text is kept. */
function readMessageId(value: unknown): string {
  return isUsableId(value) ? value : '';
}

/** Ids must be sent back to the agent unchanged, so one that would need sanitising is rejected. */
function readOptionalId(value: unknown, what: string): string {
  if (value === undefined || value === null || value === '') return '';
  if (isUsableId(value)) return value;
  throw new NotUnderstood(`a ${what} that is too long or not plain text: ${describe(value)}`);
}

function isUsableId(value: unknown): value is string {
  return typeof value === 'string' && isAcceptableA2aId(value) && cleanText(value) === value;
}

function asRecord(value: unknown, what: string): Record<string, unknown> {
  if (!isRecord(value)) throw new NotUnderstood(`an empty ${what}`);
  return value;
}

function describe(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(cutText(cleanText(value), 60)) : `a value of type ${typeof value}`;
}
