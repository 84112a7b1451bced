// An open hold, and its change by the workflow that waits for it.
import type { AmendCommand } from '../../contract/holds/decision.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { assertNever, errorOf, HoldpointError } from '../../core/base/errors.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ApiContext } from '../api-context.ts';
import { followHold } from '../engine/follow-rows.ts';
import { noAnswerError } from '../engine/temporal-failures.ts';
import { closedError, findHold } from './find-hold.ts';

export async function findOpenHold(
  api: Pick<ApiContext, 'config' | 'store'>,
  id: string,
  principal: Principal,
  isShown?: (row: HoldRow) => boolean,
): Promise<HoldRow> {
  const hold = await findHold(api, id, principal, isShown);
  if (hold.status !== 'open') throw closedError(hold);
  return hold;
}

/** Has the workflow change an open hold; the row shows it before the caller gets the answer. */
export async function amendHold(
  api: Pick<ApiContext, 'store' | 'tasks'>,
  hold: HoldRow,
  source: AmendCommand,
  isShown: (row: HoldRow) => boolean,
): Promise<HoldRow> {
  const { store } = api;
  const task = await store.tasks.get(hold.taskId);
  if (task === null) throw new HoldpointError('internal', `the task ${hold.taskId} has no row`);
  const result = await api.tasks.amend(task, source);
  switch (result.kind) {
    case 'answer': {
      const shown = await followHold(api, hold.holdId, (row) => row.status !== 'open' || isShown(row));
      return shown ?? (await store.holds.get(hold.holdId)) ?? hold;
    }
    case 'refusal':
      throw errorOf(result.refusal);
    case 'closed':
      throw closedError((await store.holds.get(hold.holdId)) ?? hold);
    case 'unanswered':
      throw await noAnswerError(api, result.by, 'worker_unavailable');
    default:
      return assertNever(result);
  }
}
