import type { RecordDecisionsInput } from '../contract/activity.ts';
import type { ClosedHold } from '../contract/hold.ts';
import type { Tables } from '../store/store.ts';
import type { ActivityDeps } from './deps.ts';

/** Closes the rows of decided holds; the same again changes nothing. */
export async function recordClosed(tables: Tables, holds: ClosedHold[], carriedByRun: string | null): Promise<void> {
  for (const { holdId, ...end } of holds) {
    await tables.holds.close(holdId, end);
    if (carriedByRun !== null) await tables.holds.setCarrier(holdId, carriedByRun);
  }
}

/** Answers given while others of the same pause are still open. */
export async function recordDecisions(deps: ActivityDeps, input: RecordDecisionsInput): Promise<void> {
  await deps.store.tx((tables) => recordClosed(tables, input.holds, null));
}
