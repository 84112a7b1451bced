// How a question of a program ended, read from a reply of Standfast's, or of whatever answers in its place. Only a proved yes to the
// very call that was asked about is one.
import type { JsonObject } from '../../contract/base/json.ts';
import { canonicalJson, isObject } from '../base/json.ts';

/** What was asked; `args`: of a tool call, those that were shown, null without one. */
export interface ProgramAsk {
  id: string;
  args: JsonObject | null;
  isEditable: boolean;
  /** A yes or a no is asked for, and another answer is not a yes. */
  isDecision: boolean;
  /** Which question under the id was asked; missing: not known yet. */
  version?: number;
}

export const askEnds = [
  'yes',
  'answered',
  'no',
  'undecided',
  'expired',
  'withdrawn',
  'waiting',
  'other-call',
  'unreadable',
] as const;
/**
 * `undecided`: an answer that is neither yes nor no to who asked for one; `other-call`: other arguments were approved;
 * `unreadable`: what answered is not about this question.
 */
export type AskEnd = (typeof askEnds)[number];

const unanswered: Partial<Record<string, AskEnd>> = {
  waiting: 'waiting',
  expired: 'expired',
  withdrawn: 'withdrawn',
  cancelled: 'withdrawn',
  declined: 'no',
};

export function askEndOf(reply: unknown, asked: ProgramAsk): AskEnd {
  if (!isObject(reply) || reply['id'] !== asked.id) return 'unreadable';
  // Another was asked in its place: the answer to that one is none to this.
  if (asked.version !== undefined && reply['version'] !== asked.version) return 'withdrawn';
  const { status, verdict, approved, args } = reply;
  if (status !== 'answered') return unanswered[String(status)] ?? 'unreadable';
  if (verdict === 'no') return 'no';
  if (!asked.isDecision) return verdict === 'yes' || verdict === 'answered' ? 'answered' : 'unreadable';
  if (verdict !== 'yes') return verdict === 'answered' ? 'undecided' : 'unreadable';
  if (asked.args === null) return 'yes';
  if (approved !== true) return 'undecided';
  const isThis = asked.isEditable ? isObject(args) : canonicalJson(args) === canonicalJson(asked.args);
  return isThis ? 'yes' : 'other-call';
}
