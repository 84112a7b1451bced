import type { HoldRow } from '../../store/store.ts';

/** When people first saw a question: one that is asked again has the times of the one it takes the place of. */
export function firstShownAt(hold: HoldRow, holds: readonly HoldRow[]): string {
  const before = holds.find(({ holdId }) => holdId === hold.supersedes);
  const at = before?.ended?.at ?? hold.openedAt;
  return at > hold.openedAt ? at : hold.openedAt;
}
