// One change of many open questions, by an operator: each as if it were made for itself, with a result of its own.
import type { Principal } from '../../contract/base/principal.ts';
import type { DecisionBody } from '../../contract/holds/decision.ts';
import type { AmendManyBody, AmendManyReply } from '../../contract/views/amend.ts';
import { maxAmended } from '../../contract/views/inbox-names.ts';
import { judgeAnswer } from '../../core/answers/decision.ts';
import { assertNever, errorOf, HoldpointError } from '../../core/base/errors.ts';
import { inParallel } from '../../host/process/repeating.ts';
import type { HoldRow } from '../../store/store.ts';
import type { HoldFilter } from '../../store/tables/holds/hold-filter.ts';
import type { ApiContext } from '../api-context.ts';
import { problemOf } from '../http/problems.ts';
import { cancelTask } from '../tasks/cancel-task.ts';
import { decide, entryOf, type Deciding } from './decide.ts';
import { plainAnswer, whyNotOfMany } from './plain-answer.ts';
import { extendHold } from './extend-hold.ts';
import { previewReapplied, reapplyHold } from './reapply-hold.ts';
import { reassignHold } from './reassign-hold.ts';

type Result = AmendManyReply['results'][number];

const atOnce = 4;
const pageSize = 200;

/** What the changes of questions need of the api, all together. */
type Amending = Deciding & Pick<ApiContext, 'config'>;

/** The open questions that a filter finds; throws `too_large` where they are more than one request takes. */
async function openOnes({ store }: Pick<ApiContext, 'store'>, filter: HoldFilter): Promise<HoldRow[]> {
  const found: HoldRow[] = [];
  let cursor: string | null = null;
  do {
    const at: HoldFilter = cursor === null ? {} : { cursor };
    const page = await store.holds.list({ ...filter, ...at, statuses: ['open'], limit: pageSize, sort: 'newest' });
    found.push(...page.items);
    cursor = page.nextCursor;
    if (found.length > maxAmended)
      throw new HoldpointError('too_large', `more than ${maxAmended} questions match: narrow the filter`);
  } while (cursor !== null);
  return found;
}

async function cancelOne(
  api: Pick<ApiContext, 'store' | 'tasks' | 'temporalUiUrl'>,
  hold: HoldRow,
  principal: Principal,
): Promise<void> {
  const task = await api.store.tasks.get(hold.taskId);
  if (task === null) throw new HoldpointError('internal', `the task ${hold.taskId} has no row`);
  await cancelTask(api, task, principal.id);
}

/** The answer as if for this question alone; throws what it would be refused with. */
async function answerTo(
  api: Pick<ApiContext, 'now' | 'sealer' | 'store'>,
  hold: HoldRow,
  principal: Principal,
  { verdict, reason }: Extract<AmendManyBody, { do: 'answer' }>,
): Promise<DecisionBody> {
  const why = whyNotOfMany(hold);
  if (why !== null) throw new HoldpointError('bulk_not_allowed', why);
  const answer = plainAnswer(hold, verdict, reason);
  if (answer === null) throw new HoldpointError('bulk_not_allowed', 'a yes alone does not answer it');
  const at = api.now().toISOString();
  const who = { principal, receivedAt: at };
  const judged = judgeAnswer(hold, await entryOf(api, hold, answer), who, hold.owner, at);
  if (!judged.ok) throw errorOf(judged);
  return answer;
}

async function amendOne(api: Amending, hold: HoldRow, principal: Principal, body: AmendManyBody): Promise<void> {
  switch (body.do) {
    case 'extend':
      return void (await extendHold(api, hold, principal, body));
    case 'reassign':
      return void (await reassignHold(api, hold, principal, body));
    case 'cancel':
      return cancelOne(api, hold, principal);
    case 'reapply':
      return void (await reapplyHold(api, hold, principal));
    case 'answer':
      return void (await decide(api, hold, await answerTo(api, hold, principal, body), principal, 'bulk'));
    default:
      return assertNever(body);
  }
}

/** What would become of one question, which stays as it is. */
async function previewOf(
  api: Amending,
  hold: HoldRow,
  principal: Principal,
  body: Extract<AmendManyBody, { do: 'reapply' | 'answer' }>,
): Promise<Result> {
  const named = { id: hold.holdId, taskId: hold.taskId };
  const { title } = hold.question;
  try {
    if (body.do === 'answer') await answerTo(api, hold, principal, body);
    const detail = body.do === 'answer' ? title : await previewReapplied(api, hold, principal);
    return { ...named, ok: true, code: null, detail };
  } catch (error) {
    const { code, detail } = problemOf(error);
    return { ...named, ok: false, code, detail: body.do === 'answer' ? `${title}: ${detail}` : detail };
  }
}

/**
 * Without `count` nothing is changed: the reply says how many match. With it they are changed, unless their number is
 * another one by now.
 */
export async function amendMany(
  api: Amending,
  filter: HoldFilter | null,
  body: AmendManyBody,
  principal: Principal,
): Promise<AmendManyReply> {
  const found = filter === null ? [] : await openOnes(api, filter);
  // A task is cancelled once, however many questions it asks.
  const holds = body.do === 'cancel' ? [...new Map(found.map((hold) => [hold.taskId, hold])).values()] : found;
  const { count } = body;
  if (count === undefined) {
    const results =
      body.do === 'reapply' || body.do === 'answer'
        ? await inParallel(holds, atOnce, (hold) => previewOf(api, hold, principal, body))
        : [];
    return { count: found.length, applied: false, results };
  }
  if (count !== found.length) {
    const why = `${found.length} questions match now, and ${count} were confirmed: nothing was changed`;
    throw new HoldpointError('count_changed', why, { data: { count: found.length } });
  }
  const results = await inParallel(holds, atOnce, async (hold): Promise<Result> => {
    const named = { id: hold.holdId, taskId: hold.taskId };
    try {
      await amendOne(api, hold, principal, body);
      return { ...named, ok: true, code: null, detail: null };
    } catch (error) {
      const { code, detail } = problemOf(error);
      if (code === 'internal') api.log.error({ err: error, holdId: hold.holdId }, 'a change of many failed');
      return { ...named, ok: false, code, detail };
    }
  });
  const failed = results.filter(({ ok }) => !ok).length;
  api.log.info({ by: principal.id, do: body.do, count, failed }, 'questions were changed together');
  return { count, applied: true, results };
}
