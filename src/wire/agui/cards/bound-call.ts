// A hold about a tool call is bound to that call in AG-UI: the run that asks tells the call and ends with an interrupt
// that names it. The call's one result is what the agent tells of it once it was approved; a refusal is a result at once.
// Which call it is stands in the hold's card, `toolCallId`: agents use an id of theirs again, AG-UI must not.
import { isAcceptableA2aId } from '../../../contract/base/ids.ts';
import type { Hold } from '../../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { decisionLabel } from '../../../core/answers/yes-no.ts';
import { cardOf, cardsOf, policyOf, type CardStage } from './cards.ts';
import type { Draft } from '../model/draft.ts';
import { formatCall, findCall, type Projection } from '../model/projection.ts';
import { isEqual } from '../model/state-patch.ts';
import { answerCall, carrierId, isAnswered, showCall } from '../model/tool-call.ts';
import { isObject, jsonOrText } from '../../../core/base/json.ts';

const toolOf = ({ question }: Pick<Hold, 'question'>): Hold['question']['tool'] =>
  question.kind === 'tool_call' ? question.tool : null;

/** The agent's own id of a hold's call, or one made of the hold's where AG-UI could not carry that; null: no call. */
export function reservedCallId(hold: Pick<Hold, 'question' | 'interruptId'>): string | null {
  const tool = toolOf(hold);
  if (tool === null) return null;
  return isAcceptableA2aId(tool.callId) ? tool.callId : `call:${hold.interruptId}`;
}

const boundId = (content: JsonObject | undefined): string | null =>
  typeof content?.['toolCallId'] === 'string' ? content['toolCallId'] : null;

/** The call that a hold is bound to already. */
const callOfCard = (p: Projection, interruptId: string): string | null => boundId(cardOf(p, interruptId)?.content);

const argsOf = (call: JsonObject): Json => jsonOrText(formatCall(call).args);

type Tool = NonNullable<Hold['question']['tool']>;

/** The call that a question is about: announced by the agent itself, asked about before, or the first id that no call has. */
function freeCallId(p: Projection, own: string, tool: Tool, bound: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const id = n === 1 ? own : `${own}~${n}`;
    if (bound.has(id) || isAnswered(p, id)) continue;
    const there = findCall(p, id);
    if (there === undefined) return id;
    // Asked about before: the same once more, or another call under a used id.
    const isOther = questionAbout(p, id) !== null && !isEqual(argsOf(there), tool.args);
    if (formatCall(there).name === tool.name && !isOther) return id;
  }
}

/**
 * Emits the calls of these holds (TOOL_CALL_START, ARGS, END) on one assistant message, but for those emitted before.
 * Returns the call of each hold that has one; a hold that was shown before keeps its own, and no two of a pause share one.
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
    const toolCallId = callOfCard(draft.p, hold.interruptId) ?? freeCallId(draft.p, own, tool, bound);
    bound.add(toolCallId);
    calls.set(hold.interruptId, toolCallId);
    if (findCall(draft.p, toolCallId) !== undefined && !draft.p.openCalls.includes(toolCallId)) continue;
    const call = { toolCallId, name: tool.name, args: JSON.stringify(tool.args) };
    showCall(draft, call, carrierId(draft.p, parentMessageId));
  }
  return calls;
}

const notExecuted = 'The call was not executed';

/** Gives the call of a refused hold its result; what an approved call came to, its agent alone can tell. */
export function refuseBoundCall(draft: Draft, hold: Hold): void {
  const toolCallId = callOfCard(draft.p, hold.interruptId);
  if (toolCallId === null || decisionLabel(hold) !== 'rejected') return;
  const { decision } = hold;
  const reason: JsonObject = decision === null || decision.reason === null ? {} : { reason: decision.reason };
  const message = `${notExecuted}: it was rejected.`;
  const result = { decision: 'rejected', executed: false, message, ...reason, ...policyOf(hold) };
  answerCall(draft, toolCallId, JSON.stringify(result));
}

/** How far the question about a call has come; null for a call that nobody is asked about. */
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
  expired: 'nobody answered in time',
  cancelled: 'the task was cancelled',
  withdrawn: 'the question was withdrawn',
};

const notAsked = 'The call was approved; the agent reported no result of it.';

/**
 * Gives the call of a hold that ends its result, unless the agent has sent one: that nobody knows it where the call was
 * approved, else that it was not executed.
 */
export function endBoundCall(
  draft: Draft,
  interruptId: string,
  stage: CardStage,
  /** Calls that people are asked about now, by another question. */
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
