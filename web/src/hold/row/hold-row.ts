// A whole hold as a line of the list, where only the whole one could be had.
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';

export const rowOfHold = ({ decides, ...hold }: HoldView): HoldRowView => ({
  ...hold,
  ...(decides === null ? {} : { decides }),
  escalations: hold.ladder.filter((step) => step.do === 'escalate' && step.doneAt !== null).length,
  decidedStatus: hold.decision?.status ?? null,
  decidedBy: hold.decision?.by ?? null,
});
