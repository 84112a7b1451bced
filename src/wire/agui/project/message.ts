// Projects an agent's message: reasoning, text and all other parts.
import type { AgentMessage, NeutralPart } from '../../../contract/tasks/turn.ts';
import type { Draft } from '../model/draft.ts';
import { attachData, attachFile } from '../artifacts/attachments.ts';
import { shownId, jsonFingerprint } from '../model/message-ids.ts';
import { operate, surfaceOperations } from '../artifacts/artifact.ts';
import { emitMessage } from '../model/text.ts';
import { emitMessageReasoning } from '../model/reasoning.ts';
import { callsMade, isFunctionResponse, type PartPlace, readToolPart, showToolPart } from '../cards/tool-part.ts';

/** Parts read per message, and operations of A2UI in all of them. */
const maxParts = 500;

export interface MessageToShow {
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
  /** In a snapshot: keys of its calls that were made already (`callsMadeIn`). */
  callsMade?: ReadonlySet<string>;
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

const placeIn = (key: string, index: number, isPast = false): PartPlace => ({
  key: `${key}#${index}`,
  isInArtifact: false,
  isPast,
});

const keyOf = ({ messageId, parts }: AgentMessage): string =>
  messageId === '' ? `parts:${jsonFingerprint(parts)}` : shownId(messageId);

/** Keys of the calls in these messages that were made already, and are sent again. */
export function callsMadeIn(draft: Draft, messages: readonly AgentMessage[]): Set<string> {
  const parts = messages.flatMap((message) => {
    const key = keyOf(message);
    return responsesLast(message.parts).flatMap(([index, part]) =>
      part.kind === 'data' ? [{ part, place: placeIn(key, index) }] : [],
    );
  });
  return callsMade(draft, parts);
}

function projectParts(draft: Draft, message: AgentMessage, key: string, parentId: string, how: MessageToShow): void {
  let left = maxParts;
  const made = how.callsMade ?? callsMadeIn(draft, [message]);
  for (const [index, part] of responsesLast(message.parts)) {
    const place = placeIn(key, index, how.isPast);
    const partKey = place.key;
    if (part.kind === 'file') {
      attachFile(draft, part, { messageId: key }, how.hasTask);
    } else if (part.kind === 'data') {
      const tool = readToolPart(part);
      const operations = surfaceOperations(part.data);
      if (tool !== null) {
        if (!made.has(partKey)) showToolPart(draft, tool, place, parentId);
      } else if (operations.length > 0)
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
  const key = keyOf(message);
  emitMessageReasoning(draft, key, message.parts, how.isLive);
  const emittedAs = how.isQuestion ? null : emitMessage(draft, message, how);
  projectParts(draft, message, key, emittedAs ?? key, how);
}
