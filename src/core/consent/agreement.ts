// How many must agree: votes with equal answers count together, any refusal decides at once.
import { editedArgsField } from '../../contract/holds/answer-names.ts';
import type { Vote } from '../../contract/holds/decision.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { canonicalJson } from '../base/json.ts';
import { decisionFieldOf, isDecidedEnd } from './verdict.ts';

type Asked = Pick<Question, 'kind' | 'schema' | 'tool' | 'decisionField'>;

/**
 * Answers with the same key agree: comments and reasons do not count, nor does what a text says. Forms are compared by
 * their fingerprints, since the values hold only a reference to a secret.
 */
export function agreementKey(
  question: Asked,
  { values, fingerprint }: { values: JsonObject; fingerprint: string },
): string {
  if (question.kind === 'text') return '';
  if (question.kind !== 'confirmation' && question.kind !== 'tool_call') return fingerprint;
  const field = decisionFieldOf(question);
  if (field === null || !Object.hasOwn(values, field)) return fingerprint;
  const edited = values[editedArgsField];
  // Sent back as they were proposed: nothing was edited.
  const isEdited = edited !== undefined && canonicalJson(edited) !== canonicalJson(question.tool?.args ?? {});
  return canonicalJson({ [field]: values[field], ...(isEdited ? { [editedArgsField]: edited } : {}) });
}

/** The largest group of votes that agree; of two of the same size, the one that began first. */
export function agreeing(question: Asked, votes: readonly Vote[]): Vote[] {
  const groups = new Map<string, Vote[]>();
  for (const vote of votes) {
    const key = agreementKey(question, vote);
    groups.set(key, [...(groups.get(key) ?? []), vote]);
  }
  return [...groups.values()].reduce<Vote[]>((most, group) => (group.length > most.length ? group : most), []);
}

/** Votes as front ends show them: `1 of 2`. */
export function tallyOf(hold: Pick<Hold, 'question' | 'votes' | 'plan' | 'ended'>): { have: number; need: number } {
  const need = hold.plan.quorum;
  return { have: isDecidedEnd(hold.ended?.why) ? need : agreeing(hold.question, hold.votes).length, need };
}
