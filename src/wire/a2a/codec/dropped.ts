import type { Artifact, Message, Part, StreamResponse, Task, TaskArtifactUpdateEvent, TaskStatus } from '@a2a-js/sdk';
import { parseJson } from '../../../core/base/json.ts';

/*
 * The SDK's A2A 0.3 HTTP+JSON client (1.3.0) drops part metadata and file names in both directions, and `append` of
 * artifact updates, without which ADK questions and streamed tokens are lost. It keeps the metadata of messages,
 * artifacts and updates, so the dropped fields travel there under a private key that never leaves this process.
 */

const key = 'standfast.dropped';

type Fields = Record<string, unknown>;
type Metadata = Fields | undefined;

/** The response body with the fields that the SDK drops copied into metadata. */
export function keepDropped(text: string): string {
  if (!/"(?:append|metadata|name)"/.test(text)) return text;
  const answer = parseJson(text);
  if (!isFields(answer)) return text;
  keepInMessage(answer['message'] ?? answer['msg']);
  keepInTask(answer['task'] ?? answer);
  keepInStatus(fieldsOf(answer['statusUpdate'] ?? answer['status_update'])['status']);
  const update = answer['artifactUpdate'] ?? answer['artifact_update'];
  if (isFields(update)) {
    keepInArtifact(update['artifact']);
    carry(update, update['append'] === true ? { append: true } : null);
  }
  return JSON.stringify(answer);
}

/** The event with the fields restored that the SDK dropped while decoding it. */
export function restoreResponse({ payload }: StreamResponse): StreamResponse {
  switch (payload?.$case) {
    case 'task':
      return { payload: { ...payload, value: restoreTask(payload.value) } };
    case 'message':
      return { payload: { ...payload, value: restoreMessage(payload.value) } };
    case 'statusUpdate': {
      const { status } = payload.value;
      return { payload: { ...payload, value: { ...payload.value, status: status && restoreStatus(status) } } };
    }
    case 'artifactUpdate':
      return { payload: { ...payload, value: restoreUpdate(payload.value) } };
    default:
      return { payload };
  }
}

export function restoreTask(task: Task): Task {
  return {
    ...task,
    status: task.status && restoreStatus(task.status),
    artifacts: task.artifacts.map(restoreArtifact),
    history: task.history.map(restoreMessage),
  };
}

export function restoreMessage(message: Message): Message {
  const { dropped, metadata } = takeDropped(message.metadata);
  return dropped === null ? message : { ...message, metadata, parts: restoreParts(message.parts, dropped) };
}

/** The outgoing message with the fields that the SDK drops copied into metadata. */
export function carryDropped(message: Message): Message {
  const parts = message.parts.map(({ metadata, filename }) => ({
    ...(metadata !== undefined && { metadata }),
    ...(filename !== '' && { name: filename }),
  }));
  const hasAny = parts.some((part) => Object.keys(part).length > 0);
  return hasAny ? { ...message, metadata: { ...message.metadata, [key]: { parts } } } : message;
}

/** The request body with those fields restored, as the agent must receive it. */
export function sentWithDropped(body: string): string {
  const request = parseJson(body);
  const { message } = fieldsOf(request);
  if (!isFields(message)) return body;
  const { dropped, metadata } = takeDropped(fieldsOf(message['metadata']));
  if (dropped === null) return body;
  const lost = listOf(dropped['parts']);
  for (const [index, part] of listOf(message['content']).entries()) {
    const { name, metadata: own } = fieldsOf(lost[index]);
    if (!isFields(part)) continue;
    if (own !== undefined) part['metadata'] = own;
    if (name !== undefined && isFields(part['file'])) part['file']['name'] = name;
  }
  if (metadata === undefined) delete message['metadata'];
  else message['metadata'] = metadata;
  return JSON.stringify(request);
}

function keepInTask(task: unknown): void {
  if (!isFields(task)) return;
  keepInStatus(task['status']);
  for (const artifact of listOf(task['artifacts'])) keepInArtifact(artifact);
  for (const message of listOf(task['history'])) keepInMessage(message);
}

function keepInStatus(status: unknown): void {
  const { message, update } = fieldsOf(status);
  keepInMessage(message ?? update);
}

function keepInMessage(message: unknown): void {
  if (isFields(message)) carry(message, droppedOf(message['content']));
}

function keepInArtifact(artifact: unknown): void {
  if (isFields(artifact)) carry(artifact, droppedOf(artifact['parts']));
}

function droppedOf(parts: unknown): Fields | null {
  const dropped = listOf(parts).map((part) => {
    const { metadata, file } = fieldsOf(part);
    const { name } = fieldsOf(file);
    return { ...(isFields(metadata) && { metadata }), ...(typeof name === 'string' && { name }) };
  });
  return dropped.some((part) => Object.keys(part).length > 0) ? { parts: dropped } : null;
}

/** Overwrites the key unconditionally, so that an agent cannot inject it. */
function carry(owner: Fields, dropped: Fields | null): void {
  const { [key]: _foreign, ...own } = fieldsOf(owner['metadata']);
  if (dropped !== null) owner['metadata'] = { ...own, [key]: dropped };
  else if (_foreign !== undefined) owner['metadata'] = own;
}

function takeDropped(metadata: Metadata): { dropped: Fields | null; metadata: Metadata } {
  const { [key]: dropped, ...rest } = metadata ?? {};
  if (!isFields(dropped)) return { dropped: null, metadata };
  return { dropped, metadata: Object.keys(rest).length === 0 ? undefined : rest };
}

function restoreStatus(status: TaskStatus): TaskStatus {
  return { ...status, message: status.message && restoreMessage(status.message) };
}

function restoreArtifact(artifact: Artifact): Artifact {
  const { dropped, metadata } = takeDropped(artifact.metadata);
  return dropped === null ? artifact : { ...artifact, metadata, parts: restoreParts(artifact.parts, dropped) };
}

function restoreUpdate(update: TaskArtifactUpdateEvent): TaskArtifactUpdateEvent {
  const { dropped, metadata } = takeDropped(update.metadata);
  const artifact = update.artifact && restoreArtifact(update.artifact);
  return dropped === null ? { ...update, artifact } : { ...update, artifact, metadata, append: true };
}

function restoreParts(parts: readonly Part[], dropped: Fields): Part[] {
  const lost = listOf(dropped['parts']);
  return parts.map((part, index) => {
    const { metadata, name } = fieldsOf(lost[index]);
    const named = typeof name === 'string' ? { ...part, filename: name } : part;
    return isFields(metadata) ? unwrapped({ ...named, metadata }) : named;
  });
}

/** A2A 0.3 wraps non-object data as `{value}` with a marker; the SDK unwraps it only where the marker is present. */
function unwrapped(part: Part): Part {
  const { data_part_compat: isWrapped, ...metadata } = part.metadata ?? {};
  if (isWrapped !== true || part.content?.$case !== 'data' || !isFields(part.content.value)) return part;
  return { ...part, metadata, content: { $case: 'data', value: part.content.value['value'] } };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
