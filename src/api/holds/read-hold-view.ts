// One question as a caller reads it, with what belongs to it in other tables.
import type { Principal } from '../../contract/base/principal.ts';
import type { HoldView } from '../../contract/holds/hold.ts';
import type { HoldRow } from '../../store/store.ts';
import { listArtifacts } from './hold-artifacts.ts';
import { holdViewOf } from './hold-view.ts';
import { knownNow } from './known-people.ts';
import type { PolicyActs } from '../api-parts.ts';

/** One hold whole: with the caller's own draft, and the artifacts also of a question whose row was restored. */
export async function readHoldView(api: PolicyActs, row: HoldRow, principal: Principal): Promise<HoldView> {
  const [draft, artifacts, titles, snoozes] = await Promise.all([
    api.store.drafts.get(row.holdId, principal.id),
    listArtifacts(api, row),
    api.store.tasks.titles([row.taskId]),
    api.store.snoozes.of(principal.id, [row.holdId]),
  ]);
  const context = {
    request: titles.get(row.taskId) ?? '',
    snoozedUntil: snoozes.get(row.holdId),
    known: knownNow(api),
    now: api.now().toISOString(),
  };
  return holdViewOf(row, principal, context, { draft, artifacts });
}
