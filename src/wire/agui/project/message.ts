// Everything in one message of the agent: its reasoning, its text, and its other parts.
import type { Json } from '../../../contract/base/json.ts';
import type { AgentMessage, NeutralPart } from '../../../contract/tasks/turn.ts';
import type { Draft } from '../model/draft.ts';
import { attachData, attachFile } from '../artifacts/attachments.ts';
import { shownId, jsonFingerprint } from '../model/message-ids.ts';
import { operate, surfaceOf } from '../artifacts/artifact.ts';
import { emitMessage } from '../model/text.ts';
import { emitMessageReasoning } from '../model/reasoning.ts';
import { isFunctionResponse, readToolPart, showToolPart } from '../cards/tool-part.ts';
import { isObject } from '../../../core/base/json.ts';

/** Parts of one message that are read. */
const maxParts = 500;

interface MessageToShow {
  /** For messages without an id of their own. */
  idPrefix: string;
  /** The agent says it now; else it is from a snapshot, and what was seen is done. */
  isLive: boolean;
  /** It asks: its text is the explanation of the pause, which is emitted elsewhere. */
  isQuestion: boolean;
  /** The run has a task, so its state may be written. */
  hasTask: boolean;
}

/**
 * Data in which agents ask, and their models call functions: what of it is for people the questions say, and the rest,
 * credentials among it, is for nobody here.
 */
function isOfDialect(part: Extract<NeutralPart, { kind: 'data' }>): boolean {
  const type = isObject(part.data) ? part.data['type'] : undefined;
  const marks = ['adk_type', 'kagent_type', 'type'].map((mark) => part.metadata[mark]);
  const isMarked =
    (typeof type === 'string' && type.startsWith('a2a.')) || marks.some((mark) => typeof mark === 'string');
  return isMarked || asksForReview(part.data);
}

/** LangChain's and agent-inbox's requests: they are tool calls to approve. */
function asksForReview(data: Json): boolean {
  const [first = null] = Array.isArray(data) ? data : [data];
  return isObject(first) && ['action_requests', 'action_request'].some((key) => Object.hasOwn(first, key));
}

/** Data that means nothing to a dialect, a tool or a screen: people read it as it is. */
export function isPlainData(part: Extract<NeutralPart, { kind: 'data' }>): boolean {
  return readToolPart(part) === null && surfaceOf(part.data) === null && !isOfDialect(part);
}

/** Responses of functions last: one is shown only when its call was. */
function inOrder(parts: readonly NeutralPart[]): [number, NeutralPart][] {
  const all = [...parts.slice(0, maxParts).entries()];
  const isLate = ([, part]: [number, NeutralPart]): boolean => isFunctionResponse(part);
  return [...all.filter((one) => !isLate(one)), ...all.filter(isLate)];
}

function projectParts(draft: Draft, message: AgentMessage, key: string, parentId: string, how: MessageToShow): void {
  for (const [index, part] of inOrder(message.parts)) {
    const partKey = `${key}#${index}`;
    if (part.kind === 'file') {
      attachFile(draft, part, { messageId: key }, how.hasTask);
    } else if (part.kind === 'data') {
      const tool = readToolPart(part);
      const surfaceId = surfaceOf(part.data);
      if (tool !== null) showToolPart(draft, tool, partKey, parentId);
      else if (surfaceId !== null && isObject(part.data)) operate(draft, surfaceId, part.data, partKey);
      else if (!isOfDialect(part)) attachData(draft, part.data, key);
    }
  }
}

/** Shows what an agent's message says, each part once; the person's own messages are not shown again. */
export function showMessage(draft: Draft, message: AgentMessage, how: MessageToShow): void {
  if (message.role !== 'agent') return;
  const key = message.messageId === '' ? `parts:${jsonFingerprint(message.parts)}` : shownId(message.messageId);
  emitMessageReasoning(draft, key, message.parts, how.isLive);
  const emittedAs = how.isQuestion ? null : emitMessage(draft, message, how.idPrefix, how.isLive);
  projectParts(draft, message, key, emittedAs ?? key, how);
}
