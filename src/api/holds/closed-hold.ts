import type { Refusal } from '../../contract/problem.ts';
import { HoldpointError } from '../../core/base/errors.ts';
import type { HoldRow } from '../../store/store.ts';

/** How a hold ended, for whoever comes too late. */
export function closedDetails({ ended, supersededBy }: HoldRow): NonNullable<Refusal['data']> {
  return { ended, supersededBy };
}

/** What whoever would do something with a closed hold is told. */
export function closedError(row: HoldRow): HoldpointError {
  const code = row.status === 'expired' ? 'interrupt_expired' : 'hold_closed';
  const how = row.status === 'open' ? 'the task of this question is over' : `this question is ${row.status}`;
  return new HoldpointError(code, how, { data: closedDetails(row) });
}
