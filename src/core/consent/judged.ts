// Under which policy a question comes: its agent's rules, judged on what the agent sent, before anything of it was cut; and
// judged again on the call that an answer edits.
import { editedArgsField } from '../../contract/holds/answer-names.ts';
import type { Config } from '../../contract/configuration/config.ts';
import type { AnswerEntry } from '../../contract/holds/decision.ts';
import type { Facts, Question, SentFacts } from '../../contract/holds/question.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { LadderPlan, MatchedRule, Rule } from '../../contract/configuration/policy.ts';
import type { Refusal } from '../../contract/base/problem.ts';
import { refuse } from '../base/errors.ts';
import { canonicalJson, isObject, objectOf } from '../base/json.ts';
import { dataOf, type Matchable, matchOf, readMatcher } from '../policy/matcher.ts';
import { payloadOf } from './edited-args.ts';
import { isUnknownCall } from './known.ts';

/** What an agent's configuration says of the policies of its questions. */
export interface Judging {
  rules: readonly Rule[];
  /** The agent's own; missing: none. */
  policy?: string | undefined;
  /** Where what a rule reads cannot be read; missing: that rule counts as matching. */
  unreadable?: string | undefined;
}

/** How questions of this agent are judged. */
export function judgingOf(
  { agents }: Pick<Config, 'agents'>,
  agent: string,
): Omit<NonNullable<LadderPlan['judging']>, 'chosen'> {
  const { rules = [], policy, unreadable } = agents[agent] ?? {};
  return { rules, ...(policy === undefined ? {} : { policy }), ...(unreadable === undefined ? {} : { unreadable }) };
}

/** `policy` null: the agent has none. `rule`: the one that matched. */
export interface Judged {
  policy: string | null;
  rule?: MatchedRule;
}

type Sent = Pick<Question, 'kind' | 'dialect' | 'title' | 'tool' | 'defaults' | 'facts' | 'judged'>;

/** What rules are judged on: what the reader of the pause says, else the question itself. */
export function sentOf(question: Sent): Matchable {
  const { judged, kind, dialect, title } = question;
  const facts = question.facts ?? keptFacts(judged?.sent);
  // What it was judged by was more than is kept, or is not here any more.
  if (facts === undefined && judged !== undefined) return { kind: null, dialects: null, title: null, data: null };
  return {
    kind: facts?.kind === null ? null : kind,
    dialects: facts?.dialects ?? [dialect],
    title: facts?.title === null ? null : title,
    data: dataSent(question, facts),
  };
}

function keptFacts(sent: SentFacts | null | undefined): Facts | undefined {
  if (sent === undefined || sent === null) return undefined;
  const { data, ...more } = sent;
  return data === undefined ? more : { ...more, data: data && (() => data) };
}

/** More of it is not kept for a second judgement: the question then counts as one that cannot be read. */
const maxSentChars = 1024 * 1024;

function sentFacts({ data, ...more }: Facts): SentFacts | null {
  if (data === undefined) return more;
  const objects = data === null ? null : data();
  let chars = 0;
  for (const one of objects ?? []) {
    chars += JSON.stringify(one).length;
    if (chars > maxSentChars) return null;
  }
  return { ...more, data: objects };
}

/** The question where not all of it is here that rules were to read. */
export const asUnreadable = (question: Question): Question => ({ ...question, facts: { data: null } });

function dataSent(question: Sent, facts: Facts | undefined): JsonObject[] | null {
  const data = facts?.data;
  if (data === undefined) return isUnknownCall(question) ? null : proposedBy(question);
  return data === null ? null : data();
}

/** The payload that an approval of an editable call sends next to its arguments; null: they alone. */
const proposedWith = (question: Pick<Question, 'tool' | 'defaults'>): JsonObject | null =>
  question.tool?.isEditable === true ? payloadOf(question) : null;

function proposedBy(question: Pick<Question, 'tool' | 'defaults'>): JsonObject[] {
  const more = proposedWith(question);
  return more === null ? [dataOf(question)] : [dataOf(question), more];
}

/** The first rule that matches, or that cannot say; a rule that cannot be parsed matches nothing. */
export function judge({ rules, policy, unreadable }: Judging, sent: Matchable): Judged {
  for (const [at, rule] of rules.entries()) {
    const read = readMatcher(rule.when);
    const match = read.ok ? matchOf(read.matcher, sent) : 'no';
    if (match === 'no') continue;
    if (match === 'unread' && unreadable !== undefined) return { policy: unreadable };
    return { policy: rule.policy, rule: { number: at + 1, when: rule.when } };
  }
  return { policy: policy ?? null };
}

/** The question as it leaves the turn that read it, with what its facts chose, and say. */
export function withJudged(judging: Judging, question: Question): Question {
  const { facts: given, ...rest } = question;
  if (given === undefined) return question;
  const facts = readOnce(given);
  return { ...rest, judged: { ...judge(judging, sentOf({ ...rest, facts })), sent: sentFacts(facts) } };
}

function readOnce(facts: Facts): Facts {
  const { data } = facts;
  if (data === undefined || data === null) return facts;
  let read: { objects: JsonObject[] | null } | null = null;
  return { ...facts, data: () => (read ??= { objects: data() }).objects };
}

type Proposed = Pick<Question, 'tool' | 'defaults' | 'isEdited'>;

/** The arguments with which an answer replaces those that were proposed; null: it takes them as they are. */
function editOf(question: Proposed, values: JsonObject): JsonObject | null {
  const edited = values[editedArgsField];
  if (question.tool?.isEditable !== true || !isObject(edited)) return null;
  return canonicalJson(edited) === canonicalJson(proposedWith(question) ?? question.tool.args) ? null : edited;
}

/** The arguments that an approval sends in the place of the agent's: edited now, or when the question was opened again. */
export function argsEdited(question: Proposed, values: JsonObject): JsonObject | null {
  const edited = values[editedArgsField];
  if (question.tool?.isEditable === true && isObject(edited)) return edited;
  return question.isEdited === true ? objectOf(question.defaults[editedArgsField]) : null;
}

/** The values as the agent gets them: an edited call that was approved as it was proposed is sent with its arguments. */
export function withEdit(question: Question, values: JsonObject): JsonObject {
  if (question.isEdited !== true || Object.hasOwn(values, editedArgsField)) return values;
  return { ...values, [editedArgsField]: objectOf(question.defaults[editedArgsField]) };
}

/** Arguments are edited only where the call is editable, whatever else the schema lets through. */
export function refuseEdit(
  { tool, schema }: Pick<Question, 'tool' | 'schema'>,
  { values, status }: Pick<AnswerEntry, 'values' | 'status'>,
): Refusal | null {
  const edited = Object.hasOwn(values, editedArgsField) ? values[editedArgsField] : null;
  if (status === 'cancelled' || edited === null || edited === undefined) return null;
  const isOwnField = tool === null && Object.hasOwn(objectOf(schema['properties']), editedArgsField);
  if (isOwnField) return null;
  const why =
    tool?.isEditable !== true
      ? 'the arguments of this call cannot be edited: approve it as it is, or refuse it'
      : isObject(edited)
        ? null
        : 'the edited arguments are not an object';
  if (why === null) return null;
  return refuse('payload_invalid', why, { errors: [{ path: `/${editedArgsField}`, message: why }] });
}

/** The policy under which the edited call comes, where that is another one than the question is under; null: it stays. */
export function policyOfEdit(
  { question, plan }: { question: Question; plan: Pick<LadderPlan, 'policy' | 'judging'> },
  { status, values }: Pick<AnswerEntry, 'values' | 'status'>,
): string | null {
  const edited = status === 'resolved' ? editOf(question, values) : null;
  if (edited === null || plan.judging === undefined) return null;
  const data = proposedWith(question) === null ? [edited] : [dataOf(question), edited];
  const { kind, dialect, title } = question;
  const { policy } = judge(plan.judging, { kind, dialects: [dialect], title, data });
  return policy === plan.judging.chosen ? null : (policy ?? 'default');
}

/** The question about the call as an answer edited it. */
export function asEdited(question: Question, values: JsonObject): Question {
  const edited = editOf(question, values);
  if (edited === null || question.tool === null) return question;
  const { judged: _judged, facts: _facts, whole = [], ...rest } = question;
  const kept = whole.filter(({ at }) => at !== '/tool/args');
  const args = proposedWith(question) === null ? edited : question.tool.args;
  return {
    ...rest,
    ...(kept.length === 0 ? {} : { whole: kept }),
    tool: { ...question.tool, args },
    defaults: { ...question.defaults, [editedArgsField]: edited },
    isEdited: true,
  };
}
