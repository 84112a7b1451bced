// The grace of a decision: when it is sent.
import type { DecisionSource } from '../../contract/holds/decision.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import { isSamePerson } from '../policy/lookalikes.ts';

/** Sources with a page that can offer to undo the answer. */
const undoable: readonly DecisionSource[] = ['rest', 'page', 'bulk', 'chat', 'link'];

/** They took an answer back already: the next one of theirs is sent at once. */
export const hasUsedGrace = ({ graceUsedBy = [] }: Pick<Hold['plan'], 'graceUsedBy'>, by: string): boolean =>
  graceUsedBy.some((one) => isSamePerson(one, by));

/** Length of the grace of an answer by this person; 0: it is sent at once. */
export const graceMsFor = (plan: Pick<Hold['plan'], 'graceMs' | 'graceUsedBy'>, by: string): number =>
  hasUsedGrace(plan, by) ? 0 : (plan.graceMs ?? 0);

/** When a decision with a grace is sent, at the deadline at the latest; null: at once. */
export function sendAt(
  { plan, expiresAt }: Hold,
  { by, source }: { by: string; source: DecisionSource },
  now: string,
): string | null {
  const graceMs = graceMsFor(plan, by);
  if (graceMs === 0 || !undoable.includes(source)) return null;
  const at = new Date(Date.parse(now) + graceMs).toISOString();
  return expiresAt !== null && expiresAt < at ? expiresAt : at;
}
