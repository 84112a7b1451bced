// Questions that people answered as proposed every time: candidates for a rule.
import { ruleKinds } from '../../contract/base/kind-names.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { HoldEnd } from '../../contract/holds/hold.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { RecordRule } from '../../contract/views/operate.ts';
import type { Policy } from '../../contract/configuration/policy.ts';
import { canonicalJson } from '../base/json.ts';
import { isKind } from './audience-entry.ts';
import { durationMs } from './duration.ts';
import { staysOpen } from './expiry-actions.ts';
import { audienceOf, quorumOf } from './ladder.ts';

/** With no change in this many answers, at most one in seven would be changed, with 95 % confidence. */
const minTimes = 20;
const dayMs = 86_400_000;
/** How long people have before the agent's proposal is sent without them. */
const defaultsAfter = '15m';
/** How long another agent has before people are asked. */
const peopleAfter = '5m';

export interface AnsweredQuestion {
  agent: string;
  kind: Question['kind'];
  policy: string;
  question: Pick<Question, 'title' | 'defaults'>;
  values: JsonObject | null;
  isEdited: boolean;
  openedAt: string;
  endedAt: string;
  why: HoldEnd['why'];
}

interface RecordRuleSetting {
  now: number;
  days: number;
  /** As configured now; dangerous questions, and those with a quorum, never become a rule. */
  policyOf: (name: string) => Policy | null;
  /** An agent that could be asked before people are; null: none is known. */
  checker: (agent: string) => string | null;
}

type RuleKind = RecordRule['kind'];
const isRuleKind = (kind: string): kind is RuleKind => ruleKinds.some((one) => one === kind);

const tookMs = ({ openedAt, endedAt }: AnsweredQuestion): number => Date.parse(endedAt) - Date.parse(openedAt);

/** True when the answer is what the agent proposed. */
function isAsProposed({ kind, question, values, isEdited }: AnsweredQuestion): boolean {
  return kind === 'form' ? canonicalJson(values ?? {}) === canonicalJson(question.defaults) : !isEdited;
}

/** In single quotes, in which YAML has no escape but the quote itself; line ends become spaces. */
const quoted = (text: string): string => `'${text.replaceAll(/\s+/gu, ' ').replaceAll("'", "''")}'`;
const list = (entries: readonly string[]): string => `[${entries.map(quoted).join(', ')}]`;

function nameOf(title: string, way: RecordRule['way']): string {
  const plain = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 44)
    .replace(/-$/, '');
  return `${plain === '' ? 'routine' : plain}-${way === 'agent' ? 'by-agent' : 'as-proposed'}`;
}

interface Text {
  agent: string;
  kind: RuleKind;
  title: string;
  way: RecordRule['way'];
  policy: Policy;
  checker: string | null;
}

function yamlOf({ agent, kind, title, way, policy, checker }: Text): string {
  const name = nameOf(title, way);
  const people = audienceOf(policy).filter((entry) => !isKind(entry, 'agent'));
  const exclude = policy.exclude.length === 0 ? [] : ['    exclude: [requester]'];
  const how =
    way === 'defaults'
      ? [
          `    audience: ${list(people)}`,
          ...exclude,
          `    # What the agent proposes is sent, unless somebody answers before.`,
          `    expire: { after: ${defaultsAfter}, then: default }`,
        ]
      : [
          ...(checker === null ? ['    # Name an agent of yours that checks such questions.'] : []),
          `    audience: ${list([`agent:${checker ?? 'checker'}`])}`,
          ...exclude,
          `    ladder: [{ after: ${peopleAfter}, escalate: ${list(people)} }]`,
          `    expire: { after: ${policy.expire.after}, then: ${policy.expire.then} }`,
        ];
  return [
    'policies:',
    `  ${name}:`,
    ...how,
    'agents:',
    `  ${agent}:`,
    '    rules:',
    `      - when: { kind: ${kind}, title: ${quoted(title)} }`,
    `        policy: ${name}`,
    '',
  ].join('\n');
}

/** A star in a title would match anything, but a rule must match only what was seen. */
const canBeNamed = (title: string): boolean => title.trim() !== '' && title.length <= 200 && !/[*\p{Cc}]/u.test(title);

const isTaken = ({ kind, why }: AnsweredQuestion): boolean =>
  why === 'approved' || (kind === 'form' && why === 'answered');

function ruleOf(all: AnsweredQuestion[], setting: RecordRuleSetting): RecordRule | null {
  const [newest] = all;
  if (newest === undefined || !isRuleKind(newest.kind)) return null;
  const { agent, kind } = newest;
  const { title } = newest.question;
  const policy = setting.policyOf(newest.policy);
  const answered = all.filter(({ why }) => why !== 'expired');
  const isEver = answered.every((one) => isTaken(one) && isAsProposed(one));
  if (
    policy === null ||
    policy.danger ||
    policy.sign !== undefined ||
    quorumOf(policy) > 1 ||
    staysOpen(policy.expire.then)
  )
    return null;
  if (answered.length < minTimes || !isEver || !canBeNamed(title)) return null;
  const way = kind === 'form' ? 'defaults' : 'agent';
  const recent = all.filter(({ openedAt }) => Date.parse(openedAt) >= setting.now - setting.days * dayMs);
  const afterMs = way === 'defaults' ? durationMs(defaultsAfter) : 0;
  const late = recent.filter((one) => tookMs(one) >= afterMs);
  return {
    agent,
    kind,
    title,
    times: answered.length,
    since: answered.at(-1)?.openedAt ?? newest.openedAt,
    way,
    yaml: yamlOf({ agent, kind, title, way, policy, checker: setting.checker(agent) }),
    replay: {
      days: setting.days,
      asked: recent.length,
      sooner: recent.length - late.length,
      spared: late.length,
      waitedMs: late.reduce((sum, one) => sum + tookMs(one) - afterMs, 0),
    },
  };
}

/** Candidates for rules, those that would save most decisions first; `record` is newest first. */
export function rulesFromRecord(record: readonly AnsweredQuestion[], setting: RecordRuleSetting): RecordRule[] {
  const sorts = new Map<string, AnsweredQuestion[]>();
  for (const one of record) {
    const sort = JSON.stringify([one.agent, one.kind, one.question.title]);
    const known = sorts.get(sort);
    if (known === undefined) sorts.set(sort, [one]);
    else known.push(one);
  }
  const rules = [...sorts.values()].flatMap((all) => ruleOf(all, setting) ?? []);
  return rules.toSorted((a, b) => b.replay.spared - a.replay.spared || b.times - a.times);
}
