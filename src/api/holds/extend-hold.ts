// A later deadline for one open question, by a person whom its policy allows.
import type { AmendCommand } from '../../contract/holds/decision.ts';
import type { Principal } from '../../contract/base/principal.ts';
import type { ExtendBody } from '../../contract/views/amend.ts';
import { HoldpointError } from '../../core/base/errors.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { mayExtend } from '../../core/task/extend.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ApiContext } from '../api-context.ts';
import { amendHold } from './amend-hold.ts';

/** The new deadline in ISO 8601. */
function deadlineOf({ expiresAt }: HoldRow, { until, by }: ExtendBody): string {
  if (until !== undefined) return new Date(until).toISOString();
  if (expiresAt === null) throw new HoldpointError('payload_invalid', 'the question has no deadline');
  const ms = Date.parse(expiresAt) + durationMs(by ?? '0s');
  // Later than any date that a Date can hold.
  if (!Number.isFinite(ms) || Math.abs(ms) > 8.64e15)
    throw new HoldpointError('payload_invalid', 'the deadline is too far away');
  return new Date(ms).toISOString();
}

export async function extendHold(
  api: Pick<ApiContext, 'now' | 'store' | 'tasks'>,
  hold: HoldRow,
  principal: Principal,
  later: ExtendBody,
): Promise<HoldRow> {
  if (hold.plan.extend === 'nobody')
    throw new HoldpointError('forbidden', `the policy ${hold.plan.policy} allows no later deadline`);
  if (!mayExtend(hold, principal, hold.owner))
    throw new HoldpointError('not_allowed_to_decide', 'you may not extend the deadline of this question');
  const until = deadlineOf(hold, later);
  const receivedAt = api.now().toISOString();
  const note = later.note ?? null;
  const source: AmendCommand = { kind: 'extend', hold: hold.holdId, principal, receivedAt, until, note };
  return amendHold(api, hold, source, (row) => row.expiresAt === until);
}
