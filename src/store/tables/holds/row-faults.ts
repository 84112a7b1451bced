// What is wrong in a row alone: who rewrote the chain with it has neither its question's digest in its answers, nor the key that
// proves them.
import { asc, gt } from 'drizzle-orm';
import type { HoldId } from '../../../contract/base/id-types.ts';
import { type Answered, whyOverused, withAnswer } from '../../../core/consent/grants.ts';
import type { Db } from '../../database/database.ts';
import type { EvidenceFault, UnprovedIn } from '../../ports/evidence.ts';
import { holds } from '../../schema.ts';
import { holdColumns } from './hold-columns.ts';
import { faultOf } from './readable-hold.ts';

const pageHolds = 500;

/** Of every hold, by id; and of each grant that answered more than it allows, by the last hold that has it. */
export const faultsOfRows = (unprovedIn: UnprovedIn) =>
  async function* (db: Db): AsyncGenerator<EvidenceFault, void> {
    const answered = new Map<string, Answered>();
    const last = new Map<string, HoldId>();
    for (let after = ''; ;) {
      const rows = await db
        .select(holdColumns)
        .from(holds)
        .where(gt(holds.holdId, after))
        .orderBy(asc(holds.holdId))
        .limit(pageHolds);
      for (const row of rows) {
        const found = faultOf(row);
        const whats = found === null ? unprovedIn(row) : [found.why];
        for (const what of whats) yield { holdId: row.holdId, seq: null, what };
        const grant = found === null ? withAnswer(answered, row) : null;
        if (grant !== null) last.set(grant, row.holdId);
      }
      if (rows.length < pageHolds) break;
      after = rows.at(-1)?.holdId ?? after;
    }
    for (const [grant, all] of answered) {
      const why = whyOverused(all);
      if (why !== null) yield { holdId: last.get(grant) ?? null, seq: null, what: `the grant ${grant}: ${why}` };
    }
  };
