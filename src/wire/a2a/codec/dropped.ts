import type { Artifact, Message, Part, StreamResponse, Task, TaskArtifactUpdateEvent, TaskStatus } from '@a2a-js/sdk';
import { parseJson } from '../../../core/base/json.ts';

/*
 * The SDK's client for HTTP+JSON of A2A 0.3 (1.3.0) drops the metadata of parts and the names of files, both ways, and
 * `append` of an artifact's update: each token of an answer would replace the one before, and ADK's questions would be
 * none. It keeps the metadata of messages, artifacts and updates; so what it drops travels there, below one key that is
 * put in and taken out on this side of the wire: no agent sees it, and none can write it.
 */

const key = 'holdpoint.dropped';

type Fields = Record<string, unknown>;
type Metadata = Fields | undefined;

/** The text of an answer, as it came, to one whose metadata carries what the SDK drops. */
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

/** An event of such an answer as it was on the wire. */
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
  const { dropped, metadata } = taken(message.metadata);
  return dropped === null ? message : { ...message, metadata, parts: restoreParts(message.parts, dropped) };
}

/** An outgoing message whose metadata carries what the SDK drops on the way out. */
export function carryDropped(message: Message): Message {
  const parts = message.parts.map(({ metadata, filename }) => ({
    ...(metadata !== undefined && { metadata }),
    ...(filename !== '' && { name: filename }),
  }));
  const hasAny = parts.some((part) => Object.keys(part).length > 0);
  return hasAny ? { ...message, metadata: { ...message.metadata, [key]: { parts } } } : message;
}

/** The body of a request that such a message goes out in, as the agent is to get it. */
export function sentWithDropped(body: string): string {
  const request = parseJson(body);
  const { message } = fieldsOf(request);
  if (!isFields(message)) return body;
  const { dropped, metadata } = taken(fieldsOf(message['metadata']));
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

/** The agent's own use of our key goes away, whatever it was. */
function carry(owner: Fields, dropped: Fields | null): void {
  const { [key]: _foreign, ...own } = fieldsOf(owner['metadata']);
  if (dropped !== null) owner['metadata'] = { ...own, [key]: dropped };
  else if (_foreign !== undefined) owner['metadata'] = own;
}

function taken(metadata: Metadata): { dropped: Fields | null; metadata: Metadata } {
  const { [key]: dropped, ...rest } = metadata ?? {};
  if (!isFields(dropped)) return { dropped: null, metadata };
  return { dropped, metadata: Object.keys(rest).length === 0 ? undefined : rest };
}

function restoreStatus(status: TaskStatus): TaskStatus {
  return { ...status, message: status.message && restoreMessage(status.message) };
}

function restoreArtifact(artifact: Artifact): Artifact {
  const { dropped, metadata } = taken(artifact.metadata);
  return dropped === null ? artifact : { ...artifact, metadata, parts: restoreParts(artifact.parts, dropped) };
}

function restoreUpdate(update: TaskArtifactUpdateEvent): TaskArtifactUpdateEvent {
  const { dropped, metadata } = taken(update.metadata);
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

/** Data that is no object travels over 0.3 as `{value}`, marked so: the SDK unwraps it where it sees the mark. */
function unwrapped(part: Part): Part {
  const { data_part_compat: isWrapped, ...metadata } = part.metadata ?? {};
  if (isWrapped !== true || part.content?.$case !== 'data' || !isFields(part.content.value)) return part;
  return { ...part, metadata, content: { $case: 'data', value: part.content.value['value'] } };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
