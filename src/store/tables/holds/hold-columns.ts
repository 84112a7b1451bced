// A hold and its row: what SQL filters, sorts and counts by stands in plain columns, the rest in JSON.
import { createHash } from 'node:crypto';
import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { ClosedHold, HoldEnd } from '../../../contract/holds/hold.ts';
import type { Json } from '../../../contract/base/json.ts';
import { canonicalJson } from '../../../core/base/json.ts';
import { storable } from '../../columns.ts';
import { holds } from '../../schema.ts';
import { isSealing } from '../../sealed-columns.ts';
import type { HoldRow } from '../../store.ts';

const {
  kind: _kind,
  policy: _policy,
  searchText: _searchText,
  excludesOwner: _excludesOwner,
  requesters: _requesters,
  claimedBy: _claimedBy,
  isEscalated: _isEscalated,
  endedAt: _endedAt,
  endedWhy: _endedWhy,
  proposedFingerprint: _proposedPrint,
  isEdited: _isEdited,
  ...columns
} = getTableColumns(holds);

/** The columns a HoldRow consists of. */
export const holdColumns = columns;

/** Letters of a question that are searched; the rest is read by few. */
const maxSearchText = 20_000;

/** As texts are searched: stored and asked in the same form. */
export const searchable = (text: string): string => storable(text).normalize('NFC').toLowerCase();

/** All that a line of the list shows, and the message. */
function searchTextOf({ agent, owner, question }: HoldRow): string {
  // Names of the configuration remain to be searched for where words are encrypted.
  if (isSealing()) return searchable([agent, owner].join('\n'));
  const { title, message, tool, defaults } = question;
  const values = JSON.stringify([tool?.name ?? '', tool?.args ?? {}, defaults]).slice(0, maxSearchText);
  return searchable([agent, owner, title, message.slice(0, maxSearchText), values].join('\n'));
}

export function columnsOf(row: HoldRow): typeof holds.$inferInsert {
  const { question, plan, status, claim, stepsDone, ended, decision, updatedAt } = row;
  return {
    ...row,
    kind: question.kind,
    policy: storable(plan.policy),
    searchText: searchTextOf(row),
    excludesOwner: plan.exclude.includes('requester'),
    requesters: (plan.requesters ?? []).map(storable),
    claimedBy: claim?.by ?? null,
    isEscalated: stepsDone.some((step) => step.do === 'escalate'),
    proposedFingerprint: taskFingerprintText(question.defaults['editedArgs']),
    ...(status === 'open'
      ? {}
      : { endedAt: ended?.at ?? updatedAt, endedWhy: ended?.why ?? whyOf({ status, decision }) }),
  };
}

/** What closing sets in addition to the fields of the hold. */
export function endColumns({ status, decision, ended }: Omit<ClosedHold, 'holdId'>): {
  endedAt: string | SQL;
  endedWhy: HoldEnd['why'];
  isEdited: SQL;
} {
  const edited = taskFingerprintText(decision?.values['editedArgs']);
  return {
    endedAt: ended?.at ?? sql`now()`,
    endedWhy: ended?.why ?? whyOf({ status, decision }),
    // Front ends send the arguments along also when nobody touched them.
    isEdited: sql`${edited}::text is not null and ${edited}::text is distinct from ${holds.proposedFingerprint}`,
  };
}

/** For an end that names no reason: the one its status has most often. */
function whyOf({ status, decision }: Pick<ClosedHold, 'status' | 'decision'>): HoldEnd['why'] {
  return status === 'cancelled' && decision !== null ? 'declined' : status;
}

function taskFingerprintText(value: Json | undefined): string | null {
  return value === undefined ? null : createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 32);
}

/** What every change of a row changes. */
export const touch = { updatedAt: sql`now()`, version: sql`${holds.version} + 1` };
