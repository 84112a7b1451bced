// A question whose only call was cancelled: no call can come back for its answer, so people are not asked any longer.
import type { Principal } from '../../contract/base/principal.ts';
import { rowsFollowMs } from '../engine/follow-rows.ts';
import { withdrawAsk } from './ask-people.ts';
import { followAsks } from './follow-asks.ts';
import type { TaskActs } from '../api-parts.ts';

/** Waits until the question is open, which takes moments, and withdraws it. */
export async function withdrawAbandoned(api: TaskActs, id: string, principal: Principal): Promise<void> {
  const { signal } = new AbortController();
  await followAsks(api, [id], principal, { until: 'opened', timeoutMs: rowsFollowMs, signal });
  await withdrawAsk(api, id, principal);
}
