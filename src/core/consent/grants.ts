// A standing grant: calls like one that was approved are not asked about, as far as its authors and their policy allow.
import type { GrantRow, GrantTerms, Granter, GrantUsed, GrantView, ProvenGrant } from '../../contract/base/grant.ts';
import type { Attachment } from '../../contract/holds/attachment.ts';
import { editedArgsField } from '../../contract/holds/answer-names.ts';
import type { Decision } from '../../contract/holds/decision.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import type { Policy } from '../../contract/configuration/policy.ts';
import { canonicalJson, objectOf } from '../base/json.ts';
import { holds, implies, lookUp, readComparison, type Comparison } from '../policy/comparison.ts';
import { durationMs } from '../policy/duration.ts';
import { isSamePerson } from '../policy/lookalikes.ts';
import { askerOf } from '../base/asker.ts';
import { isProvedRow, type RowMacs, rowMac } from '../base/proved-row.ts';
import { payloadOf } from './edited-args.ts';
import { argsDigestOf } from './whole.ts';
import { yesOf } from './verdict.ts';

type Grants = NonNullable<Policy['grants']>;

/** A call that might need no question. */
export interface Call {
  /** As a receipt names it: `a2a:payments`, `program:ci`. */
  agent: string;
  policy: string;
  tool: string;
  args: JsonObject;
}

/** Whether a yes sends more than the arguments of its call: as ADK's payload, or what its form proposes. */
function sendsMore({ tool, schema, defaults, reply, ifMissing }: Hold['question'], yes: JsonObject): boolean {
  const { payload } = reply;
  const isOther = payload !== undefined && canonicalJson(payload) !== canonicalJson(tool?.args ?? {});
  const fields = objectOf(schema['properties']);
  const proposed = Object.keys({ ...defaults, ...ifMissing }).filter((name) => Object.hasOwn(fields, name));
  const isMore = proposed.some((name) => name !== editedArgsField && !Object.hasOwn(yes, name));
  return isMore || isOther || payloadOf({ tool, defaults }) !== null;
}

/** What a call comes with: files and data of its message, and files among the artifacts. */
type With = { attachments: readonly Attachment[] };
type Asked = Omit<Call, 'tool' | 'args'> & Pick<Hold, 'question'> & With;

/** The call of a question that has all of it, and nothing next to it, and that a yes alone answers; null: it is always asked. */
export function callOf({ agent, policy, question, attachments }: Asked): Call | null {
  const { tool } = question;
  if (attachments.length > 0) return null;
  const yes = yesOf(question);
  if (tool === null || yes === null || argsDigestOf(question) !== null || sendsMore(question, yes)) return null;
  return { agent, policy, tool: tool.name, args: tool.args };
}

function read(texts: readonly string[]): Comparison[] | null {
  const all = texts.map(readComparison);
  const comparisons = all.flatMap((one) => (one.ok ? [one.comparison] : []));
  return comparisons.length === texts.length ? comparisons : null;
}

/** Why calls of these terms differ from each other in more than ranges, or go beyond them; null: it is within. */
export function whyOutside(terms: GrantTerms, call: Call, used: GrantUsed, at: string): string | null {
  if (call.agent !== terms.agent || call.tool !== terms.tool) return 'it is for another agent or tool';
  if (call.policy !== terms.policy) return 'the call comes under another policy';
  if (!(Date.parse(at) < Date.parse(terms.until))) return `it ended at ${terms.until}`;
  const ranges = read(terms.ranges);
  if (ranges === null) return 'one of its ranges cannot be read';
  if (!ranges.every((range) => holds(range, call.args))) return 'an argument is out of its range';
  const paths = ranges.map(({ path }) => path);
  if (canonicalJson(masked(call.args, paths)) !== canonicalJson(masked(terms.args, paths)))
    return 'an argument is another one than was approved';
  if (used.times >= terms.times) return `it was used ${used.times} times`;
  return terms.sum === null ? null : whyTooMuch(terms.sum, call.args, used.sum);
}

function whyTooMuch({ of, most }: NonNullable<GrantTerms['sum']>, args: JsonObject, used: number): string | null {
  const amount = amountOf(of, args);
  if (amount === null) return `its ${of} is no amount`;
  return used + amount <= most ? null : `its ${of} would come to more than ${most}`;
}

/** The number at this path, if it is one that adds up; null: it is none. */
export function amountOf(path: string, args: JsonObject): number | null {
  const comparison = readComparison(`${path} exists`);
  const value = comparison.ok ? lookUp(args, comparison.comparison.path) : undefined;
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

const differing = { differs: true };

/** The arguments without the values that may differ. */
function masked(value: Json, paths: readonly (readonly string[])[]): Json {
  if (paths.some((path) => path.length === 0)) return differing;
  if (paths.length === 0 || typeof value !== 'object' || value === null) return value;
  const under = (name: string): (readonly string[])[] =>
    paths.flatMap(([first, ...rest]) => (first === name ? [rest] : []));
  if (Array.isArray(value)) return value.map((item, at) => masked(item, under(String(at))));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, masked(member, under(name))]));
}

/** Whether this call, the next one that is seen, is asked about all the same. */
export const isRechecked = ({ recheck }: Pick<GrantTerms, 'recheck'>, { seen, owed = 0 }: GrantUsed): boolean =>
  owed > 0 || (seen + 1) % recheck === 0;

/** Why a policy allows no grant as wide as this; null: it does. */
export function whyTooWide(allowed: Grants | undefined, terms: GrantTerms, at: string): string | null {
  if (allowed === undefined) return `the policy ${terms.policy} allows no grants`;
  const { within, times, sum = null, by } = allowed;
  const [ranges, bounds] = [read(terms.ranges), read(within)];
  if (ranges === null || bounds === null) return 'a range is no comparison such as amount <= 500';
  const isOf = (one: Comparison, other: Comparison): boolean => canonicalJson(one.path) === canonicalJson(other.path);
  const wide = ranges.find((range) => {
    const own = bounds.filter((bound) => isOf(bound, range));
    return own.length === 0 || !own.every((bound) => ranges.some((one) => implies(one, bound)));
  });
  if (wide !== undefined)
    return `${wide.path.join('.')} may not differ so much: at most ${within.join(', ') || 'nothing may'}`;
  if (terms.times > times) return `at most ${times} calls`;
  if (sum !== null && (terms.sum === null || terms.sum.of !== sum.of || terms.sum.most > sum.most))
    return `at most ${sum.most} in ${sum.of}`;
  if (Date.parse(terms.until) > Date.parse(longestUntil(allowed, at))) return `for ${allowed.for} at most`;
  if (terms.recheck > recheckOf(allowed)) return `of ${recheckOf(allowed)} calls one is asked about`;
  return terms.need < by ? `${by} persons must give it` : null;
}

/** `1 in 20`. */
export const recheckOf = ({ recheck }: Pick<Grants, 'recheck'>): number => Number(recheck.replace('1 in ', ''));

/** Until when a grant may hold that is given at this moment. */
export const longestUntil = ({ for: long }: Pick<Grants, 'for'>, at: string): string =>
  new Date(Date.parse(at) + durationMs(long)).toISOString();

interface Wanted {
  ranges?: string[] | undefined;
  times?: number | undefined;
  sum?: number | undefined;
  until?: string | undefined;
}

/** The terms that a person gives; what they do not say is as wide as their policy allows. */
export function termsOfGrant(allowed: Grants, call: Call, wanted: Wanted, at: string): GrantTerms {
  const { agent, tool, policy, args } = call;
  const { sum } = allowed;
  return {
    agent,
    tool,
    policy,
    args,
    ranges: wanted.ranges ?? allowed.within,
    times: wanted.times ?? allowed.times,
    sum: sum === undefined ? null : { of: sum.of, most: wanted.sum ?? sum.most },
    until: wanted.until === undefined ? longestUntil(allowed, at) : new Date(wanted.until).toISOString(),
    recheck: recheckOf(allowed),
    need: allowed.by,
  };
}

/** The text that each author's MAC covers. */
const givenText = (
  { id, hold, terms }: Omit<ProvenGrant, 'given'>,
  { mac: _mac, ...who }: Omit<Granter, 'mac'> & { mac?: string },
): string => canonicalJson({ for: 'standfast grant', id, hold, terms, ...who });

/** That this person gives it; made where they were recognised, and nowhere else. */
export const givenBy = (
  macOf: (text: string) => string,
  grant: Omit<ProvenGrant, 'given'>,
  who: Omit<Granter, 'mac'>,
): Granter => ({ ...who, mac: macOf(givenText(grant, who)) });

/** Why a grant is not proved; null: as many persons as it needs gave exactly this. */
export function whyUnproven({ isMacOf }: Pick<RowMacs, 'isMacOf'>, grant: ProvenGrant): string | null {
  const proven = grant.given.filter((one) => isMacOf(givenText(grant, one), one.mac));
  if (proven.length < grant.given.length) return 'a part of the grant is of another author, or by another key';
  const persons = proven.filter(({ by }, at) => proven.findIndex((other) => isSamePerson(other.by, by)) === at);
  return persons.length >= grant.terms.need ? null : `${persons.length} of ${grant.terms.need} persons gave the grant`;
}

/** A question as a grant answers it. */
export type GrantedRow = { agent: string; owner: string } & Pick<Hold, 'plan' | 'question'> & With;

/** Who asks, and who wrote in the task, give themselves nothing where the policy leaves them out. */
export const isOfRequester = (
  { given }: Pick<ProvenGrant, 'given'>,
  { owner, plan }: Pick<GrantedRow, 'owner' | 'plan'>,
): boolean =>
  plan.exclude.includes('requester') &&
  given.some(({ by }) => [owner, ...(plan.requesters ?? [])].some((one) => isSamePerson(one, by)));

export const unused: GrantUsed = { times: 0, sum: 0, seen: 0 };

/** A call as it was counted: answered, or asked about all the same. */
interface Counted {
  isAsked: boolean;
  amount: number;
}

/** What a grant has come to with one call more (`by` 1), or less. */
export function counted(used: GrantUsed, { isAsked, amount }: Counted, by: 1 | -1 = 1): GrantUsed {
  const { times, sum, seen, owed = 0 } = used;
  if (isAsked && owed > 0) return owing(used, owed - 1);
  return { ...used, times: times + (isAsked ? 0 : by), sum: sum + (isAsked ? 0 : by * amount), seen: seen + by };
}

const owing = ({ owed: _before, ...used }: GrantUsed, owed: number): GrantUsed =>
  owed === 0 ? used : { ...used, owed };

/** A call that was asked about all the same ended without a person's word: another one is asked in its place. */
export const withOneOwed = (used: GrantUsed): GrantUsed => owing(used, (used.owed ?? 0) + 1);

/** What was counted against a grant, as its row keeps it. */
export const countsOf = (
  macs: Pick<RowMacs, 'macOf'>,
  grant: string,
  used: GrantUsed,
): Pick<GrantRow, 'used' | 'usedMac'> => ({ used, usedMac: rowMac(macs, 'counts of a grant', { grant, used }) });

/** Whether a grant may answer calls: its row counts as a process of Standfast left it, and none has ended it. */
export const isStanding = (
  macs: Pick<RowMacs, 'isMacOf'>,
  { id: grant, ended, used, usedMac }: Pick<GrantRow, 'id' | 'ended' | 'used' | 'usedMac'>,
): boolean => ended === null && isProvedRow(macs, 'counts of a grant', { grant, used }, usedMac);

/** Why a decision by a grant is not proved; null: the grant is, and the call is within it. */
export function whyUngranted(
  checks: Pick<RowMacs, 'isMacOf'>,
  { agent, owner, plan, question, attachments }: GrantedRow,
  { granted, at, values }: Pick<Decision, 'granted' | 'at' | 'values'>,
): string | null {
  if (granted === undefined) return 'it names no grant';
  const unproven = whyUnproven(checks, granted);
  if (unproven !== null) return unproven;
  const call = callOf({ agent: askerOf({ agent, owner }), policy: plan.policy, question, attachments });
  if (call === null) return 'its call is not there whole, or not alone';
  if (isOfRequester(granted, { owner, plan })) return 'who asks gave the grant, whom the policy leaves out';
  if (canonicalJson(values) !== canonicalJson(yesOf(question) ?? {})) return 'it is another answer than a yes';
  return whyOutside(granted.terms, call, unused, at);
}

/** What rows have of the answers by a grant, each with what it allows. */
export interface Answered {
  terms: GrantTerms;
  used: GrantUsed;
}

/** With the answer of one row more, if a grant gave it. */
export function withAnswer(
  known: Map<string, Answered>,
  { question, decision }: Pick<Hold, 'question' | 'decision'>,
): string | null {
  const { granted } = decision ?? {};
  if (granted === undefined || decision?.source !== 'grant') return null;
  const { id, terms } = granted;
  const amount = terms.sum === null ? 0 : (amountOf(terms.sum.of, question.tool?.args ?? {}) ?? 0);
  const before = known.get(id)?.used ?? unused;
  known.set(id, { terms, used: counted(before, { isAsked: false, amount }) });
  return id;
}

/** Sums of decimals differ by the order of their addends. */
const rounding = 1 + 1e-9;

/** That a grant answered more than it allows: what was counted against it was put back; null: it did not. */
export function whyOverused({ terms: { times, sum }, used }: Answered): string | null {
  if (used.times > times) return `it answered ${used.times} calls, and allows ${times}`;
  return sum !== null && used.sum > sum.most * rounding
    ? `its ${sum.of} comes to ${used.sum}, and it allows ${sum.most}`
    : null;
}

/** What has become of a grant. */
export function grantState(macs: Pick<RowMacs, 'isMacOf'>, grant: GrantRow, now: string): GrantView['state'] {
  const { terms, given, used } = grant;
  if (!isStanding(macs, grant)) return 'ended';
  if (!(Date.parse(now) < Date.parse(terms.until))) return 'over';
  if (used.times >= terms.times) return 'used-up';
  return given.length < terms.need ? 'proposed' : 'active';
}
