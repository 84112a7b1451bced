// The gate before a tool call of a coding agent: what people are shown of the call, and what a reply of Standfast's, or of whatever
// answers in its place, means for it. Only a proved yes to this very call opens it.
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { isObject, stringOf } from '../base/json.ts';
import { askEndOf, type ProgramAsk } from './ask-end.ts';

/** What the agent's program reads; `ask`: there is no decision. */
export interface GateVerdict {
  decision: 'allow' | 'deny' | 'ask';
  reason: string;
  /** What people approved the call with, or answered. */
  given?: JsonObject;
}

/** The call as people were asked about it; `args` null: they were asked a question in its place. */
export type GateCall = Omit<ProgramAsk, 'isDecision'>;

const maxReasonChars = 1_000;
const unfit = /[\0\p{Surrogate}]/gu;
/** Names that reach the prototype of an object, which no api takes. */
const refusedNames = new Set(['__proto__', 'constructor', 'prototype']);

const marked = (text: string): string => `⟦${text}⟧`;

/** The text with a visible mark in place of what no database keeps and UTF-8 does not carry: NUL, and halves of pairs. */
export const visibleText = (text: string): string =>
  text.replaceAll(unfit, (one) => marked(`U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`));

const visibleName = (name: string): string => (refusedNames.has(name) ? marked(name) : visibleText(name));

/** The value with visible marks in names and texts; null where two of its fields would then be one. */
export function visibleJson(value: Json): Json | null {
  if (typeof value === 'string') return visibleText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(visibleJson);
    return items.some((item, index) => item === null && value[index] !== null) ? null : items;
  }
  const members = Object.entries(value).map(
    ([name, member]) => [visibleName(name), visibleJson(member), member] as const,
  );
  const isLost = members.some(([, shown, member]) => shown === null && member !== null);
  if (isLost || new Set(members.map(([name]) => name)).size < members.length) return null;
  return Object.fromEntries(members.map(([name, shown]) => [name, shown]));
}

/** At most so many characters, with a mark where it was cut. */
export function cutWithMark(text: string, max: number): string {
  const chars = Array.from(text);
  return chars.length <= max ? text : `${chars.slice(0, max - 1).join('')}…`;
}

const noDecision = (why: string): GateVerdict => ({ decision: 'ask', reason: cutWithMark(why, maxReasonChars) });

/** What a reply means for the call; null while people are still asked. */
export function gateVerdict(reply: unknown, asked: GateCall): GateVerdict | null {
  const { args, isEditable } = asked;
  const end = askEndOf(reply, { ...asked, isDecision: args !== null });
  if (end === 'waiting') return null;
  if (!isObject(reply) || end === 'unreadable') return noDecision('no decision: what answered is not about this call');
  if (end === 'expired' || end === 'withdrawn') return noDecision(`no decision: the question was ${end}`);
  const by = stringOf(reply['by']) || 'somebody';
  const why = stringOf(reply['reason']);
  const deny = (what: string): GateVerdict => ({
    decision: 'deny',
    reason: cutWithMark(`${by} ${what}${why === '' ? '' : `: ${why}`}`, maxReasonChars),
  });
  if (end === 'other-call') return deny('approved other arguments than these');
  if (end !== 'yes' && end !== 'answered') return deny('did not approve this');
  const reason = cutWithMark(`${args === null ? 'answered' : 'approved'} by ${by}`, maxReasonChars);
  // What is no edit of people's is the call's own, which they may have been shown with marks.
  const given = args === null ? reply['values'] : isEditable ? reply['args'] : null;
  return { decision: 'allow', reason, ...(isObject(given) && { given }) };
}
