import type { ProblemCode } from '../../contract/base/problem.ts';
import { HoldpointError } from '../../core/base/errors.ts';
import type { ApiContext } from '../api-context.ts';

/** A worker without a heartbeat for this long counts as gone. */
const heartbeatStaleMs = 30_000;

export async function isWorkerThere(api: Pick<ApiContext, 'store'>): Promise<boolean> {
  const ageMs = await api.store.workers.sinceHeartbeatMs();
  return ageMs !== null && ageMs < heartbeatStaleMs;
}

const unavailableMessages: Partial<Record<ProblemCode, string>> = {
  engine_unavailable: 'Temporal cannot be reached; the same request again is safe',
  worker_unavailable: 'no worker has taken this yet; the same request again is safe',
  decision_not_confirmed: 'no worker has confirmed the decision yet; the same request again is safe',
};

/** Why Temporal did not answer in time; `slow` is the code when everything seems to be up. */
export async function noAnswerError(
  api: Pick<ApiContext, 'store'>,
  by: 'worker' | 'engine',
  slow: 'worker_unavailable' | 'decision_not_confirmed',
): Promise<HoldpointError> {
  const code = by === 'engine' ? 'engine_unavailable' : (await isWorkerThere(api)) ? slow : 'worker_unavailable';
  return new HoldpointError(code, unavailableMessages[code] ?? code);
}
