// How many must agree: votes with equal answers count together, any refusal decides at once.
import { editedArgsField } from '../../contract/holds/answer-names.ts';
import type { Vote } from '../../contract/holds/decision.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { canonicalJson } from '../base/json.ts';
import { namesOf } from '../policy/audience-entry.ts';
import { isDecidedEnd } from './verdict.ts';

type Asked = Pick<Question, 'kind' | 'dialect' | 'tool' | 'secrets'>;

/** Fields of the answers to calls that Holdpoint itself adds for a remark; a form's own are the agent's, whatever their names. */
const remarks: readonly string[] = ['reason', 'comment'];
const ownForms: readonly string[] = ['a2a.hitl.form', 'a2a.input.request'];

/**
 * Votes with the same key agree: all of their values count, but for Holdpoint's own remarks, and arguments that were sent
 * back as they were proposed. Words agree if they are equal without the space around them. Values of secrets are references,
 * so that answers with secrets are compared by what was received.
 */
export function agreementKey(
  { kind, dialect, tool, secrets }: Asked,
  { values, fingerprint }: { values: JsonObject; fingerprint: string },
): string {
  if (secrets.length > 0) return fingerprint;
  const hasRemarks = kind === 'tool_call' && !ownForms.includes(dialect);
  const isSame = (name: string, value: unknown): boolean =>
    name === editedArgsField && canonicalJson(value) === canonicalJson(tool?.args ?? {});
  const counted = Object.entries(values).filter(
    ([name, value]) => !(hasRemarks && remarks.includes(name)) && !isSame(name, value),
  );
  const trimmed = counted.map(([name, value]): [string, unknown] =>
    kind === 'text' && typeof value === 'string' ? [name, value.trim()] : [name, value],
  );
  return canonicalJson(Object.fromEntries(trimmed));
}

/** What an answer agrees to, for who must not read it: votes that agree have the same one. */
export const agreementHash = (
  fingerprintOf: (value: unknown) => string,
  question: Asked,
  answer: { values: JsonObject; fingerprint: string },
): string => fingerprintOf({ for: 'holdpoint agreement', key: agreementKey(question, answer) });

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

/**
 * Whose vote it is: one's own where one is asked in one's own right, else that of those in whose stead one is asked. Each of
 * them has one.
 */
export function votersOf({ as = [], by }: Partial<Pick<Vote, 'as'>> & Pick<Vote, 'by'>, owner: string): string[] {
  const persons = as.flatMap((entry) =>
    entry === 'owner' ? [owner] : isUser(entry) ? namesOf([entry], 'user') : [by],
  );
  return persons.length === 0 || persons.includes(by) ? [by] : [...new Set(persons)];
}

/** In whose stead an answer was given: none where its author was asked in their own right. */
export function inPlaceOf(given: Partial<Pick<Vote, 'as'>> & Pick<Vote, 'by'>, owner: string): string[] {
  return votersOf(given, owner).filter((one) => one !== given.by);
}

const isUser = (entry: string): boolean => namesOf([entry], 'user').length > 0;
