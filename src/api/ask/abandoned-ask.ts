// A question whose only call was cancelled: no call can come back for its answer, so people are not asked any longer.
import type { Principal } from '../../contract/base/principal.ts';
import { askAgent } from '../../core/base/ids.ts';
import type { ApiContext } from '../api-context.ts';
import { rowsFollowMs } from '../engine/follow-rows.ts';
import { askThreadId, withdrawAsk } from './ask-people.ts';

/** Waits until the question is open, which takes moments, and withdraws it. */
export async function withdrawAbandoned(
  api: Pick<ApiContext, 'store' | 'tasks' | 'temporalUiUrl' | 'now'>,
  id: string,
  principal: Principal,
): Promise<void> {
  const thread = { agent: askAgent, threadId: askThreadId(principal, id) };
  const isAsked = async (): Promise<true | null> =>
    (await api.store.holds.ofThread(thread.agent, thread.threadId)).length > 0 ? true : null;
  await api.store.waitFor({ thread }, isAsked, { timeoutMs: rowsFollowMs });
  await withdrawAsk(api, id, principal);
}
