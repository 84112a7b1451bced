// How many must agree: votes with equal answers count together, any refusal decides at once.
import { editedArgsField } from '../../contract/holds/answer-names.ts';
import type { Vote } from '../../contract/holds/decision.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { canonicalJson } from '../base/json.ts';
import { namesOf } from '../policy/audience-entry.ts';
import { filled, isFilled } from '../policy/stages.ts';
import { isDecidedEnd } from './verdict.ts';

type Asked = Pick<Question, 'kind' | 'dialect' | 'tool' | 'secrets'>;

/** Fields of the answers to calls that Standfast itself adds for a remark; a form's own are the agent's, whatever their names. */
const remarks: readonly string[] = ['reason', 'comment'];
const ownForms: readonly string[] = ['a2a.hitl.form', 'a2a.input.request'];

/**
 * Votes with the same key agree: all of their values count, but for Standfast's own remarks, and arguments that were sent
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
): string => fingerprintOf({ for: 'standfast agreement', key: agreementKey(question, answer) });

interface Counting {
  question: Asked;
  plan: Pick<Hold['plan'], 'stages'>;
}
type Counted = Pick<Vote, 'fingerprint'> & Partial<Pick<Vote, 'values' | 'stages'>>;

/** The largest group of votes that agree, by those that count; of two of the same size, the one that began first. */
export function agreeing<V extends Counted>({ question, plan }: Counting, votes: readonly V[]): V[] {
  const groups = new Map<string, V[]>();
  for (const vote of votes) {
    const { values = {}, fingerprint } = vote;
    const key = agreementKey(question, { values, fingerprint });
    groups.set(key, [...(groups.get(key) ?? []), vote]);
  }
  const size = (group: readonly V[]): number => haveOf(plan, group);
  return [...groups.values()].reduce<V[]>((most, group) => (size(group) > size(most) ? group : most), []);
}

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);

/** With stages at most what each of them needs. */
const haveOf = ({ stages }: Counting['plan'], votes: readonly Counted[]): number =>
  stages === undefined
    ? votes.length
    : sum(filled(stages, votes).map((own, at) => Math.min(own.length, stages.list[at]?.quorum ?? 0)));

/** Whether these votes, which agree, are enough: of each stage, where there are several. */
export const isEnough = (
  { stages, quorum }: Pick<Hold['plan'], 'stages' | 'quorum'>,
  votes: readonly Counted[],
): boolean => (stages === undefined ? votes.length >= quorum : isFilled(stages, votes));

/** Votes as front ends show them: `1 of 2`; of stages in all. */
export function tallyOf(hold: Pick<Hold, 'question' | 'votes' | 'plan' | 'ended'>): { have: number; need: number } {
  const { plan, votes } = hold;
  const need = plan.stages === undefined ? plan.quorum : sum(plan.stages.list.map(({ quorum }) => quorum));
  return { have: isDecidedEnd(hold.ended?.why) ? need : haveOf(plan, agreeing(hold, votes)), need };
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
