// A month of an office's questions, put into a store as workers would have written it: the same each time, up to now.
import { type Policy, PolicySchema } from '../../../src/contract/configuration/policy.ts';
import type { Config } from '../../../src/contract/configuration/config.ts';
import type { Vote } from '../../../src/contract/holds/decision.ts';
import type { HoldEnd } from '../../../src/contract/holds/hold.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { nextStepOf, planLadder } from '../../../src/core/policy/ladder.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { aDecision, aQuestion } from '../../api/rig.ts';
import { aDigestedRow } from '../proofs.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The same numbers in the same order, between 0 and 1. */
export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

interface Sort {
  agent: string;
  policy: string;
  requester: string;
  share: number;
  question: (n: number) => Partial<HoldRow['question']>;
  /** What the requester wrote to the agent. */
  words: (n: number) => string;
  deciders: readonly string[];
  /** How long people take, typically. */
  takesMs: number;
  refusedShare: number;
  /** Why people refuse, if they do. */
  refusal: string;
  expiredShare: number;
}

const trips = [
  'Train to Hamburg',
  'Customer lunch',
  'Hotel in Lyon',
  'Airport taxi',
  'Team dinner',
  'Desk lamp',
  'Parking in Graz',
];
const journeys = ['the train to Hamburg', 'the train to Lyon', 'the train to Vienna'];
const firms = [
  'Miller Ltd',
  'Arco SpA',
  'Nordlicht GmbH',
  'Weber & Söhne',
  'Okafor Foods',
  'Hansen A/S',
  'Kranz & Sons',
];
const of = <T>(list: readonly T[], n: number): T => list[n % list.length] ?? (list[0] as T);

const call = (name: string, args: JsonObject, isEditable = false): HoldRow['question']['tool'] => ({
  callId: 'call-1',
  name,
  args,
  isEditable,
});
const approvedSchema = {
  type: 'object',
  properties: { approved: { type: 'boolean', title: 'Approve' } },
  required: ['approved'],
};

export const sorts: readonly Sort[] = [
  {
    agent: 'expenses',
    policy: 'finance',
    requester: 'rita',
    share: 0.42,
    words: (n) => `${of(trips, n)}, ${(17.5 + ((n * 7) % 90)).toFixed(2)} EUR`,
    question: (n) => ({
      kind: 'form',
      title: 'Approve an expense',
      message: 'The receipt is attached. Please check the amount and the cost centre.',
      schema: {
        type: 'object',
        properties: {
          amount: { type: 'number', title: 'Amount' },
          currency: { type: 'string', title: 'Currency', enum: ['EUR', 'CHF'] },
          costCentre: { type: 'string', title: 'Cost centre', enum: ['sales', 'travel', 'it'] },
          purpose: { type: 'string', title: 'Purpose' },
          approve: { type: 'boolean', title: 'Approve' },
        },
        required: ['amount', 'currency', 'costCentre', 'approve'],
      },
      defaults: { amount: 17.5 + ((n * 7) % 90), currency: 'EUR', purpose: of(trips, n) },
    }),
    deciders: ['anna', 'anna', 'ben'],
    takesMs: 4 * minuteMs,
    refusedShare: 0.12,
    refusal: 'The receipt is missing',
    expiredShare: 0.01,
  },
  {
    agent: 'refunds',
    policy: 'two-of-finance',
    requester: 'tom',
    share: 0.14,
    words: (n) => `refund ${40 + ((n * 137) % 4_000)}.00 EUR to ${of(firms, n)}`,
    question: (n) => ({
      kind: 'tool_call',
      dialect: 'adk',
      title: 'Approve refund_payment?',
      hasOwnTitle: false,
      message: `${of(firms, n)} sent the goods back.`,
      schema: approvedSchema,
      tool: call('refund_payment', { to: of(firms, n), amount: 40 + ((n * 137) % 4_000), currency: 'EUR' }),
    }),
    deciders: ['anna', 'ben'],
    takesMs: 22 * minuteMs,
    refusedShare: 0.2,
    refusal: 'The goods have not come back yet',
    expiredShare: 0.02,
  },
  {
    agent: 'legal-review-assistant-emea',
    policy: 'ops',
    requester: 'cem',
    share: 0.2,
    words: (n) => `Renew the certificate of api-${n % 4}.example.org`,
    question: (n) => ({
      kind: 'tool_call',
      dialect: 'langchain',
      title: 'Approve renew_certificate?',
      hasOwnTitle: false,
      message: 'It ends in nine days.',
      schema: approvedSchema,
      tool: call('renew_certificate', { host: `api-${n % 4}.example.org`, days: 90 }),
    }),
    deciders: ['ben'],
    takesMs: 7 * minuteMs,
    refusedShare: 0,
    refusal: 'Not needed any more',
    expiredShare: 0,
  },
  {
    agent: 'infrastructure',
    policy: 'ops',
    requester: 'tom',
    share: 0.16,
    words: (n) => `Clean up partition audit_${2016 + (n % 8)}`,
    question: (n) => ({
      kind: 'confirmation',
      title: `Drop partition audit_${2016 + (n % 8)}_q${1 + (n % 4)}?`,
      message: 'I want to delete the old audit partition; it cannot be undone.',
      schema: {
        type: 'object',
        properties: { confirmed: { type: 'boolean', title: 'Confirm' } },
        required: ['confirmed'],
      },
    }),
    deciders: ['ben'],
    takesMs: 6 * minuteMs,
    refusedShare: 0.15,
    refusal: 'Keep it until the audit is over',
    expiredShare: 0.16,
  },
  {
    agent: 'travel',
    policy: 'finance',
    requester: 'rita',
    share: 0.08,
    words: (n) => `Book ${of(journeys, n)} for Monday`,
    question: () => ({
      kind: 'text',
      dialect: 'plain',
      title: 'The agent asks',
      hasOwnTitle: false,
      message: 'Which of the two trains shall I take: 7:02 with a change, or 8:31 direct?',
      schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    }),
    deciders: ['anna', 'ben'],
    takesMs: 11 * minuteMs,
    refusedShare: 0,
    refusal: 'Not needed any more',
    expiredShare: 0.03,
  },
];

/** People ask and answer in the day, few at the weekend. */
function momentOn(day: number, roll: () => number): number {
  const date = new Date(day);
  const isWeekend = date.getUTCDay() === 0 || date.getUTCDay() === 6;
  const hour = isWeekend && roll() < 0.6 ? 10 + roll() * 6 : 7 + (roll() + roll()) * 5.5;
  return day + hour * hourMs;
}

export interface OfficeRecord {
  config: Config;
  store: Store;
  now: number;
  days: number;
  perDay: number;
  /** Questions that wait now. */
  open: number;
}

interface Open {
  /** What ids are made of. */
  name: string;
  agent: string;
  policy: string;
  owner: string;
  /** What its requester wrote. */
  words: string;
  question: HoldRow['question'];
  attachments?: HoldRow['attachments'];
  openedAt: number;
  /** The steps of its policy up to then are done. */
  until: number;
}

const policyNamed = ({ policies }: Config, name: string): Policy => policies[name] ?? PolicySchema.parse({});

/** Puts a task whose agent asks one question. */
export async function putOpen(
  { config, store }: Pick<OfficeRecord, 'config' | 'store'>,
  asked: Open,
): Promise<HoldRow> {
  const { name, agent, owner, question, attachments = [], openedAt, until } = asked;
  const [threadId, taskId] = [`office-${name}`, `task-office-${name}`];
  const policy = policyNamed(config, asked.policy);
  const opened = new Date(openedAt).toISOString();
  const plan = planLadder(asked.policy, policy, opened);
  const stepsDone = plan.steps
    .filter((step) => Date.parse(step.at) < until)
    .map((step) => ({ at: step.at, do: step.do, to: step.to }));
  await store.threads.claim(agent, threadId, owner);
  await store.tasks.put(
    { taskId, agent, threadId, owner, workflowId: `a2a/${agent}/${threadId}`, firstExecutionRunId: `run-${name}` },
    new Date(openedAt - 4_000).toISOString(),
    { title: asked.words, restartOf: null },
  );
  const row = aDigestedRow({
    holdId: `hold-office-${name}`,
    interruptId: `hitl-${taskId}-1`,
    question,
    canRefuse: true,
    audience: [...new Set([...policy.audience, ...stepsDone.flatMap((step) => step.to)])],
    plan,
    stepsTaken: stepsDone.length,
    nextStep: nextStepOf(plan, stepsDone.length),
    openedAt: opened,
    expiresAt: plan.expiresAt,
    taskId,
    agent,
    threadId,
    owner,
    openedInRun: 'r1',
    stepsDone,
    attachments,
  });
  await store.holds.putOnce([row]);
  await store.tasks.update(taskId, { status: 'NEEDS_REVIEW' });
  return row;
}

/** How many people must agree. */
function quorumOf(config: Config, name: string): number {
  const { quorum } = policyNamed(config, name);
  return typeof quorum === 'number' ? quorum : 1;
}

/** Where several must agree, each of those who did. */
function votesOf(
  { policy, deciders }: Sort,
  given: { config: Config; values: JsonObject; openedAt: number; endAt: number },
): Vote[] {
  const quorum = quorumOf(given.config, policy);
  if (quorum < 2) return [];
  const { status: _status, digest: _digest, ...decision } = aDecision({ values: given.values, source: 'page' });
  return deciders.slice(0, quorum).map((by, index) => ({
    ...decision,
    by,
    at: new Date(given.openedAt + ((given.endAt - given.openedAt) * (index + 1)) / quorum).toISOString(),
    fingerprint: 'print',
  }));
}

async function put(record: OfficeRecord, sort: Sort, n: number, openedAt: number, roll: () => number): Promise<void> {
  const { config, store, now } = record;
  const { agent, policy, requester: owner } = sort;
  const question = aQuestion(sort.question(n));
  const { expiresAt } = planLadder(policy, policyNamed(config, policy), new Date(openedAt).toISOString());
  const limitMs = expiresAt === null ? dayMs : Date.parse(expiresAt) - openedAt;
  const isExpired = roll() < sort.expiredShare;
  const tookMs = isExpired ? limitMs : Math.min(limitMs * 0.9, sort.takesMs * (0.15 + 3 * roll() * roll()));
  const endAt = openedAt + tookMs;
  const name = String(n).padStart(4, '0');
  const asked = { name, agent, policy, owner, words: sort.words(n), question, openedAt, until: Math.min(now, endAt) };
  const { holdId, taskId, digest } = await putOpen(record, asked);
  if (endAt > now) return;
  const isRefused = !isExpired && roll() < sort.refusedShare;
  const quorum = quorumOf(config, policy);
  // Where several must agree, the last of them ends it.
  const who = of(sort.deciders, isRefused || quorum < 2 ? Math.floor(roll() * 10) : quorum - 1);
  const by = isExpired ? `policy:${sort.policy}` : who;
  const at = new Date(endAt).toISOString();
  const why: HoldEnd['why'] = isExpired
    ? 'expired'
    : isRefused
      ? 'declined'
      : question.kind === 'text'
        ? 'answered'
        : 'approved';
  const values =
    question.kind === 'form'
      ? { ...question.defaults, costCentre: 'travel', approve: true }
      : question.kind === 'text'
        ? { text: 'The direct one, please.' }
        : question.kind === 'confirmation'
          ? { confirmed: true }
          : { approved: true };
  await store.holds.close(holdId, {
    status: isExpired ? 'expired' : isRefused ? 'cancelled' : 'decided',
    decision: isExpired
      ? null
      : aDecision({
          by,
          at,
          status: isRefused ? 'cancelled' : 'resolved',
          values: isRefused ? {} : values,
          reason: isRefused ? sort.refusal : null,
          source: roll() < 0.8 ? 'page' : 'link',
          digest,
        }),
    answerFingerprint: isExpired ? null : `print-${n}`,
    votes: why === 'approved' ? votesOf(sort, { config, values, openedAt, endAt }) : [],
    supersededBy: null,
    ended: { by, at, why },
  });
  const error = isExpired ? { code: 'hold_expired', message: `no answer to "${question.title}" in time` } : null;
  await store.tasks.update(taskId, { status: isExpired ? 'FAILED' : isRefused ? 'CANCELED' : 'DONE', error });
}

/** Writes the record: the past first, then what waits now. */
export async function writeOffice(record: OfficeRecord): Promise<void> {
  const { now, days, perDay, open } = record;
  const roll = dice(7);
  const today = Math.floor(now / dayMs) * dayMs;
  const pick = (): Sort => {
    let left = roll();
    return sorts.find(({ share }) => (left -= share) < 0) ?? of(sorts, 0);
  };
  let n = 0;
  for (let ago = days; ago >= 1; ago -= 1) {
    const day = today - ago * dayMs;
    const isWeekend = [0, 6].includes(new Date(day).getUTCDay());
    const count = Math.round(perDay * (isWeekend ? 0.2 : 0.6 + roll() * 0.8));
    for (let index = 0; index < count; index += 1) {
      n += 1;
      await put(record, pick(), n, momentOn(day, roll), roll);
    }
  }
  for (let index = 0; index < open; index += 1) {
    n += 1;
    // Asked a moment ago, and some an hour ago: without an answer yet.
    const sort = { ...of(sorts, index), takesMs: 0, expiredShare: 1 };
    await put(record, sort, n, now - (2 + ((index * 13) % 60)) * minuteMs, roll);
  }
}
