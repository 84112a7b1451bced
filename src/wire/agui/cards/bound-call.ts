// A hold about a tool call is bound to that call in AG-UI: the run emits the call and ends with an interrupt that names
// it. An approved call's result comes from the agent; a refused call gets its result at once. The call's id is kept in
// the hold's card (`toolCallId`), because agents reuse ids and AG-UI must not.
import type { InterruptId } from '../../../contract/base/id-types.ts';
import { isAcceptableA2aId } from '../../../contract/base/ids.ts';
import type { Hold } from '../../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { argsDigestOf } from '../../../core/consent/whole.ts';
import { decisionLabel } from '../../../core/consent/verdict.ts';
import { cardOf, cardsOf, policyOf, type CardStage } from './cards.ts';
import type { Draft } from '../model/draft.ts';
import { formatCall, findCall } from '../../../core/agui/messages.ts';
import { type Projection } from '../model/projection.ts';
import { isEqual } from '../../../core/agui/patch.ts';
import { answerCall, carrierId, isAnswered, showCall } from '../model/tool-call.ts';
import { isObject, jsonOrText } from '../../../core/base/json.ts';

const toolOf = ({ question }: Pick<Hold, 'question'>): Hold['question']['tool'] =>
  question.kind === 'tool_call' ? question.tool : null;

/**
 * The agent's call id, or one derived from the hold's id where AG-UI could not carry it; null when the hold has no
 * call.
 */
export function reservedCallId(hold: Pick<Hold, 'question' | 'interruptId'>): string | null {
  const tool = toolOf(hold);
  if (tool === null) return null;
  return isAcceptableA2aId(tool.callId) ? tool.callId : `call:${hold.interruptId}`;
}

const boundId = (content: JsonObject | undefined): string | null =>
  typeof content?.['toolCallId'] === 'string' ? content['toolCallId'] : null;

/** The id under which the call of a hold is shown; null: it is about no call. */
export const shownCallOf = (hold: Pick<Hold, 'question' | 'interruptId'> & { card: JsonObject }): string | null =>
  boundId(hold.card) ?? reservedCallId(hold);

/** Id of the call that the hold is bound to; null when there is none yet. */
const callOfCard = (p: Projection, interruptId: InterruptId): string | null => boundId(cardOf(p, interruptId)?.content);

const argsOf = (call: JsonObject): Json => jsonOrText(formatCall(call).args);

type Tool = NonNullable<Hold['question']['tool']>;

/** Arguments that lie next to the question are those of its call: their preview equals nothing. */
const isSameCall = (call: JsonObject, { question }: Pick<Hold, 'question'>, { args }: Tool): boolean =>
  argsDigestOf(question) !== null || isEqual(argsOf(call), args);

/** The id to bind: that of the announced call, of the same call asked about before, or the first unused variant. */
function freeCallId(p: Projection, own: string, hold: Hold, tool: Tool, bound: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const id = n === 1 ? own : `${own}~${n}`;
    if (bound.has(id) || isAnswered(p, id)) continue;
    const there = findCall(p, id);
    if (there === undefined) return id;
    // Asked about before: either the same call again, or another one under a reused id.
    const isOther = questionAbout(p, id) !== null && !isSameCall(there, hold, tool);
    if (formatCall(there).name === tool.name && !isOther) return id;
  }
}

/**
 * Emits the holds' calls (TOOL_CALL_START, ARGS, END) on one assistant message, unless they were emitted before.
 * Returns the call id per hold; a hold keeps the call it was bound to, and no two holds of a pause share one.
 */
export function bindCalls(
  draft: Draft,
  { asked, staged }: { asked: readonly Hold[]; staged: readonly Hold[] },
  parentMessageId: string,
): Map<string, string> {
  const bound = new Set([...asked, ...staged].flatMap((hold) => callOfCard(draft.p, hold.interruptId) ?? []));
  const calls = new Map<string, string>();
  for (const hold of asked) {
    const tool = toolOf(hold);
    const own = reservedCallId(hold);
    if (tool === null || own === null) continue;
    const toolCallId = callOfCard(draft.p, hold.interruptId) ?? freeCallId(draft.p, own, hold, tool, bound);
    bound.add(toolCallId);
    calls.set(hold.interruptId, toolCallId);
    if (findCall(draft.p, toolCallId) !== undefined && !draft.p.openCalls.includes(toolCallId)) continue;
    const call = { toolCallId, name: tool.name, args: JSON.stringify(tool.args) };
    showCall(draft, call, carrierId(draft.p, parentMessageId));
  }
  return calls;
}

const notExecuted = 'The call was not executed';

/** Emits the result of a refused call; the result of an approved call comes from the agent. */
export function refuseBoundCall(draft: Draft, hold: Hold): void {
  const toolCallId = callOfCard(draft.p, hold.interruptId);
  if (toolCallId === null || decisionLabel(hold) !== 'rejected') return;
  const { decision } = hold;
  const reason: JsonObject = decision === null || decision.reason === null ? {} : { reason: decision.reason };
  const message = `${notExecuted}: it was rejected.`;
  const result = { decision: 'rejected', executed: false, message, ...reason, ...policyOf(hold) };
  answerCall(draft, toolCallId, JSON.stringify(result));
}

/** State of the hold about a call; null when there is no question about it. */
export function questionAbout(
  p: Projection,
  toolCallId: string,
): { isOpen: boolean; approval: JsonObject | null } | null {
  const card = cardsOf(p).findLast(({ content }) => boundId(content) === toolCallId);
  if (card === undefined) return null;
  const { stage, approval } = card.content;
  return { isOpen: stage === 'awaiting_input', approval: isObject(approval) ? approval : null };
}

const whyNot: Partial<Record<CardStage, string>> = {
  expired: 'no answer came in time',
  cancelled: 'the task was cancelled',
  withdrawn: 'the question was withdrawn',
};

const notAsked = 'The call was approved; the agent reported no result of it.';

/**
 * Emits a result for the call of an ended hold unless the agent sent one: outcome unknown if it was approved, else not
 * executed.
 */
export function endBoundCall(
  draft: Draft,
  interruptId: InterruptId,
  stage: CardStage,
  /** Calls that another open hold asks about. */
  askedAgain: ReadonlySet<string> = new Set(),
): void {
  const toolCallId = callOfCard(draft.p, interruptId);
  if (toolCallId !== null && askedAgain.has(toolCallId)) return;
  const approval = toolCallId === null ? null : (questionAbout(draft.p, toolCallId)?.approval ?? null);
  if (toolCallId !== null && approval !== null) {
    answerCall(draft, toolCallId, JSON.stringify({ decision: 'approved', ...approval, message: notAsked }));
    return;
  }
  const why = whyNot[stage];
  if (toolCallId === null || why === undefined) return;
  const result = { decision: null, executed: false, status: stage, message: `${notExecuted}: ${why}.` };
  answerCall(draft, toolCallId, JSON.stringify(result));
}
