// One act on many open questions, by an operator: each as if it were done to one alone, with a result of its own.
import type { Principal } from '../../contract/base/principal.ts';
import type { DecisionBody } from '../../contract/holds/decision.ts';
import { type ManyAct, maxAmended } from '../../contract/acts/act-names.ts';
import type { AmendManyReply, ManyBody } from '../../contract/acts/acts.ts';
import { type ConfirmedSet, markOf, setName, whyNotConfirmed } from '../../core/consent/confirmed-set.ts';
import { headlineOf } from '../../core/consent/headline.ts';
import { judgeAnswer } from '../../core/answers/decision.ts';
import { errorOf, StandfastError } from '../../core/base/errors.ts';
import { inParallel } from '../../host/process/repeating.ts';
import { fingerprintOf } from '../../host/secrets/hash.ts';
import type { HoldRow } from '../../store/store.ts';
import type { HoldFilter } from '../../store/tables/holds/hold-filter.ts';
import type { ApiContext } from '../api-context.ts';
import { problemOf } from '../http/problems.ts';
import { cancelTask } from '../tasks/cancel-task.ts';
import { decide, entryOf } from '../holds/decide.ts';
import { holdPages } from '../holds/hold-pages.ts';
import { plainAnswer, whyNotOfMany } from '../holds/plain-answer.ts';
import { type Acting, type Given, refuseAct } from './acting.ts';
import { previewReapplied } from './reapply.ts';
import { reapply, workflowActs } from './workflow-acts.ts';
import type { WithStore } from '../api-parts.ts';

type Result = AmendManyReply['results'][number];

const atOnce = 4;

/** The open questions that a filter finds; throws `too_large` where they are more than one request takes. */
async function openOnes({ store }: WithStore, filter: HoldFilter): Promise<HoldRow[]> {
  const found: HoldRow[] = [];
  for await (const { items } of holdPages(store, { ...filter, statuses: ['open', 'time_up'], sort: 'newest' })) {
    found.push(...items);
    if (found.length > maxAmended)
      throw new StandfastError('too_large', `more than ${maxAmended} questions match: narrow the filter`);
  }
  return found;
}

/** What is done to each of many. */
const runs: { [N in ManyAct]: (api: Acting, given: Given<ManyBody<N>>) => Promise<unknown> } = {
  extend: workflowActs.extend,
  reassign: workflowActs.reassign,
  reapply,
  async cancel(api, { hold, principal }) {
    const task = await api.store.tasks.get(hold.taskId);
    if (task === null) throw new StandfastError('internal', `the task ${hold.taskId} has no row`);
    await cancelTask(api, task, principal.id);
  },
  answer: async (api, { hold, principal, body }) =>
    decide(api, hold, await answerTo(api, hold, principal, body), principal, 'bulk'),
};

async function actOn(api: Acting, hold: HoldRow, principal: Principal, body: ManyBody): Promise<void> {
  // Who may answer is judged with the answer.
  if (body.do !== 'answer') refuseAct(body.do, hold, principal);
  // Safe: `do` names the run that takes this body.
  await (runs[body.do] as (api: Acting, given: Given<ManyBody>) => Promise<unknown>)(api, { hold, principal, body });
}

/** The answer as if for this question alone; throws what it would be refused with. */
async function answerTo(
  api: Pick<ApiContext, 'now' | 'sealer' | 'store'>,
  hold: HoldRow,
  principal: Principal,
  { verdict, reason }: ManyBody<'answer'>,
): Promise<DecisionBody> {
  const why = whyNotOfMany(hold);
  if (why !== null) throw new StandfastError('bulk_not_allowed', why);
  const answer = plainAnswer(hold, verdict, reason);
  if (answer === null) throw new StandfastError('bulk_not_allowed', 'a yes alone does not answer it');
  const at = api.now().toISOString();
  const who = { principal, receivedAt: at };
  const judged = judgeAnswer(hold, await entryOf(api, hold, answer), who, hold.owner, at);
  if (!judged.ok) throw errorOf(judged);
  return answer;
}

/** What would become of one question, which stays as it is. */
async function previewOf(api: Acting, hold: HoldRow, principal: Principal, body: ManyBody): Promise<Result> {
  const named = { id: hold.holdId, taskId: hold.taskId };
  const headline = headlineOf(hold.question);
  try {
    if (body.do === 'answer') await answerTo(api, hold, principal, body);
    const detail = body.do === 'answer' ? headline : await previewReapplied(api, hold, principal);
    return { ...named, ok: true, code: null, detail };
  } catch (error) {
    const { code, detail } = problemOf(error);
    return { ...named, ok: false, code, detail: body.do === 'answer' ? `${headline}: ${detail}` : detail };
  }
}

/** A question that was not touched, and why. */
const leftOut = ({ holdId, taskId }: Pick<HoldRow, 'holdId' | 'taskId'>, why: string): Result => ({
  id: holdId,
  taskId,
  ok: false,
  code: 'changed_meanwhile',
  detail: why,
});

/** Those that were confirmed and do not match any more. */
async function goneOf({ store }: WithStore, set: ConfirmedSet, found: HoldRow[]): Promise<Result[]> {
  const matching = new Set<string>(found.map(({ holdId }) => holdId));
  const gone = Object.keys(set).filter((id) => !matching.has(id));
  const tasks = new Map((await store.holds.many(gone)).map(({ holdId, taskId }) => [holdId, taskId]));
  return gone.map((holdId) => {
    const why = whyNotConfirmed(set, holdId, null) ?? '';
    return leftOut({ holdId, taskId: tasks.get(holdId) ?? '' }, why);
  });
}

/**
 * Without `set` nothing is changed: the reply has the questions that match, as a set. With it exactly those of it that match
 * still and are as they were are changed, and all others are named.
 */
export async function amendMany(
  api: Acting,
  filter: HoldFilter | null,
  body: ManyBody,
  principal: Principal,
): Promise<AmendManyReply> {
  const { set, ...act } = body;
  const found = filter === null ? [] : await openOnes(api, filter);
  // What a policy would make of a question now is a part of what is confirmed.
  const isPreviewed = body.do === 'reapply' || (body.do === 'answer' && set === undefined);
  const previews = isPreviewed ? await inParallel(found, atOnce, (hold) => previewOf(api, hold, principal, body)) : [];
  const outcomes = new Map(body.do === 'reapply' ? previews.map(({ id, detail }) => [id, detail]) : []);
  const marks = Object.fromEntries(
    found.map((hold) => [hold.holdId, markOf(fingerprintOf, hold, [act, outcomes.get(hold.holdId) ?? null])]),
  );
  const matching = { count: found.length, set: marks, setName: setName(fingerprintOf, marks) };
  if (set === undefined) return { ...matching, applied: false, results: previews };
  const changed = await inParallel(groupsOf(found, body), atOnce, async ([hold, ...others]): Promise<Result> => {
    const whys = [hold, ...others].map(({ holdId }) => whyNotConfirmed(set, holdId, marks[holdId] ?? null));
    const why = whys.find((one) => one !== null) ?? null;
    return why === null ? await changeOne(api, hold, principal, body) : leftOut(hold, why);
  });
  const results = [...changed, ...(await goneOf(api, set, found))];
  const failed = results.filter(({ ok }) => !ok).length;
  const log = { by: principal.id, do: body.do, set: setName(fingerprintOf, set), count: results.length, failed };
  api.log.info(log, 'questions were changed together');
  return { ...matching, applied: true, results };
}

type Group = [HoldRow, ...HoldRow[]];

/** What is changed as one: a task is cancelled once, with all of its questions, and so only if each of them was confirmed. */
function groupsOf(found: readonly HoldRow[], body: ManyBody): Group[] {
  if (body.do !== 'cancel') return found.map((hold) => [hold]);
  const groups = new Map<string, Group>();
  for (const hold of found) {
    const group = groups.get(hold.taskId);
    if (group === undefined) groups.set(hold.taskId, [hold]);
    else group.push(hold);
  }
  return [...groups.values()];
}

async function changeOne(api: Acting, hold: HoldRow, principal: Principal, body: ManyBody): Promise<Result> {
  const named = { id: hold.holdId, taskId: hold.taskId };
  try {
    await actOn(api, hold, principal, body);
    return { ...named, ok: true, code: null, detail: null };
  } catch (error) {
    const { code, detail } = problemOf(error);
    if (code === 'internal') api.log.error({ err: error, holdId: hold.holdId }, 'a change of many failed');
    return { ...named, ok: false, code, detail };
  }
}
