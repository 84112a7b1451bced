// AG-UI tool calls: TOOL_CALL_START, ARGS, END and at most one TOOL_CALL_RESULT, attached to an assistant message.
import type { JsonObject } from '../../../contract/base/json.ts';
import { emit, type Draft } from './draft.ts';
import { utf8Bytes } from './json-bytes.ts';
import { resultId } from './message-ids.ts';
import { formatCall, findCall, findMessage } from '../../../core/agui/messages.ts';
import { type Projection } from './projection.ts';
import { textPieces } from './text.ts';

/** A question may be about the call, so its arguments are kept as far as one event holds them. */
const maxArgsBytes = 4 * 1024 * 1024;
/** A longer result is replaced by a note with its length. */
const maxResultBytes = 256 * 1024;

export interface ToolCall {
  toolCallId: string;
  name: string;
  /** Usually JSON text. */
  args: string;
}

function bounded(text: string, maxBytes: number): string {
  const bytes = utf8Bytes(text);
  return bytes <= maxBytes ? text : JSON.stringify({ omitted: 'too_large', bytes });
}

/** Id of the assistant message to attach a call to: `wanted` if it is suitable. */
export function carrierId(p: Projection, wanted: string): string {
  for (let n = 1; ; n++) {
    const id = n === 1 ? wanted : `${wanted}:calls${n === 2 ? '' : n - 1}`;
    const there = findMessage(p, id);
    if (there === undefined || there['role'] === 'assistant') return id;
  }
}

/** Emits a call, or the events of it that a crash left out; nothing for a complete one. */
export function showCall(draft: Draft, call: ToolCall, parentMessageId: string, metadata?: JsonObject): void {
  const { toolCallId, name } = call;
  const args = bounded(call.args, maxArgsBytes);
  const there = findCall(draft.p, toolCallId);
  if (there !== undefined && !draft.p.openCalls.includes(toolCallId)) return;
  if (there === undefined) {
    const start = { type: 'TOOL_CALL_START', toolCallId, toolCallName: name, parentMessageId };
    emit(draft, metadata === undefined ? start : { ...start, metadata });
  }
  const message = there === undefined ? '' : formatCall(there).args;
  if (args.startsWith(message)) {
    for (const delta of textPieces(args.slice(message.length)))
      emit(draft, { type: 'TOOL_CALL_ARGS', toolCallId, delta });
  }
  emit(draft, { type: 'TOOL_CALL_END', toolCallId });
}

export const isAnswered = (p: Projection, toolCallId: string): boolean =>
  findMessage(p, resultId(toolCallId)) !== undefined;

/** Emits the result of a call unless it has one. */
export function answerCall(draft: Draft, toolCallId: string, content: string, metadata?: JsonObject): void {
  if (isAnswered(draft.p, toolCallId)) return;
  const result: JsonObject & { type: string } = {
    type: 'TOOL_CALL_RESULT',
    messageId: resultId(toolCallId),
    toolCallId,
    role: 'tool',
    content: bounded(content, maxResultBytes),
  };
  emit(draft, metadata === undefined ? result : { ...result, metadata });
}

/** Ends calls that a crash left open. */
export function closeCalls(draft: Draft): void {
  for (const toolCallId of draft.p.openCalls) emit(draft, { type: 'TOOL_CALL_END', toolCallId });
}
