// Projects an agent's message: reasoning, text and all other parts.
import type { AgentMessage, NeutralPart } from '../../../contract/tasks/turn.ts';
import type { Draft } from '../model/draft.ts';
import { attachData, attachFile } from '../artifacts/attachments.ts';
import { shownId, jsonFingerprint } from '../model/message-ids.ts';
import { operate, surfaceOperations } from '../artifacts/artifact.ts';
import { emitMessage } from '../model/text.ts';
import { emitMessageReasoning } from '../model/reasoning.ts';
import { isFunctionResponse, readToolPart, showToolPart } from '../cards/tool-part.ts';

/** Parts read per message, and operations of A2UI in all of them. */
const maxParts = 500;

interface MessageToShow {
  /** Prefix for messages without an id. */
  idPrefix: string;
  /** True when the agent is sending it now; in a snapshot, known messages are complete. */
  isLive: boolean;
  /** In a snapshot: it precedes a person's last message. */
  isPast?: boolean;
  /** True for the message of a pause, whose text is emitted as the explanation elsewhere. */
  isQuestion: boolean;
  /** True when the run has a task, so that its state may be written. */
  hasTask: boolean;
}

/** True for data without meaning for a dialect, tool or front end, which people read as it is. */
export function isPlainData(part: Extract<NeutralPart, { kind: 'data' }>): boolean {
  return readToolPart(part) === null && surfaceOperations(part.data).length === 0 && part.isOfDialect !== true;
}

/** The parts with function responses last, because a response is only shown after its call. */
function responsesLast(parts: readonly NeutralPart[]): [number, NeutralPart][] {
  const all = [...parts.slice(0, maxParts).entries()];
  const isLate = ([, part]: [number, NeutralPart]): boolean => isFunctionResponse(part);
  return [...all.filter((one) => !isLate(one)), ...all.filter(isLate)];
}

function projectParts(draft: Draft, message: AgentMessage, key: string, parentId: string, how: MessageToShow): void {
  let left = maxParts;
  for (const [index, part] of responsesLast(message.parts)) {
    const partKey = `${key}#${index}`;
    if (part.kind === 'file') {
      attachFile(draft, part, { messageId: key }, how.hasTask);
    } else if (part.kind === 'data') {
      const tool = readToolPart(part);
      const operations = surfaceOperations(part.data);
      if (tool !== null) showToolPart(draft, tool, partKey, parentId);
      else if (operations.length > 0)
        for (const [at, { surfaceId, operation }] of operations.slice(0, left).entries()) {
          left -= 1;
          operate(draft, surfaceId, operation, at === 0 ? partKey : `${partKey}.${at}`);
        }
      else if (part.isOfDialect !== true) attachData(draft, part.data, key);
    }
  }
}

/** Emits the parts of an agent's message, each once; user messages are not repeated. */
export function showMessage(draft: Draft, message: AgentMessage, how: MessageToShow): void {
  if (message.role !== 'agent') return;
  const key = message.messageId === '' ? `parts:${jsonFingerprint(message.parts)}` : shownId(message.messageId);
  emitMessageReasoning(draft, key, message.parts, how.isLive);
  const emittedAs = how.isQuestion ? null : emitMessage(draft, message, how);
  projectParts(draft, message, key, emittedAs ?? key, how);
}
