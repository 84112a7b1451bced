import { editedArgsField } from '../../../contract/holds/answer-names.ts';
import { createHash } from 'node:crypto';
import { getTableColumns, sql } from 'drizzle-orm';
import type { ClosedHold, HoldEnd } from '../../../contract/holds/hold.ts';
import type { LadderPlan } from '../../../contract/configuration/policy.ts';
import type { Question } from '../../../contract/holds/question.ts';
import type { Json } from '../../../contract/base/json.ts';
import { canonicalJson } from '../../../core/base/json.ts';
import { alikeKeyOf } from '../../../core/questions/alike.ts';
import { dueAtOf } from '../../../core/policy/ladder.ts';
import { storable } from '../../columns.ts';
import { holds } from '../../schema.ts';
import { isSealing } from '../../sealed-columns.ts';
import { readColumns } from '../../sealed-rows.ts';
import type { HoldRow } from '../../store.ts';

const {
  kind: _kind,
  policy: _policy,
  searchText: _searchText,
  excludesOwner: _excludesOwner,
  requesters: _requesters,
  takesDeputies: _takesDeputies,
  claimedBy: _claimedBy,
  noDeciderAt: _noDeciderAt,
  isEscalated: _isEscalated,
  dueAt: _dueAt,
  endedAt: _endedAt,
  endedWhy: _endedWhy,
  endedBy: _endedBy,
  proposedFingerprint: _proposedPrint,
  isEdited: _isEdited,
  alike: _alike,
  ...columns
} = getTableColumns(holds);

/** The columns of a HoldRow: all but the copies that SQL filters, sorts and counts by. */
export const holdColumns = readColumns(columns);

/** Maximum length of message and values in the search text, in UTF-16 code units. */
const maxSearchText = 20_000;

/** Normalises text and search terms alike, so that they compare equal. */
export const searchable = (text: string): string => storable(text).normalize('NFC').toLowerCase();

function searchTextOf({ agent, owner, question }: HoldRow): string {
  // With encryption only ids are searchable.
  if (isSealing()) return searchable([agent, owner].join('\n'));
  const { title, message, tool, defaults } = question;
  const values = JSON.stringify([tool?.name ?? '', tool?.args ?? {}, defaults]).slice(0, maxSearchText);
  return searchable([agent, owner, title, message.slice(0, maxSearchText), values].join('\n'));
}

/** Columns that copy what the plan says. */
export const planColumns = (
  plan: LadderPlan,
): { policy: string; excludesOwner: boolean; requesters: string[]; takesDeputies: boolean } => ({
  policy: storable(plan.policy),
  excludesOwner: plan.exclude.includes('requester'),
  requesters: (plan.requesters ?? []).map(storable),
  takesDeputies: plan.deputies !== 'none',
});

/** Returns all columns of a hold's row, copies for SQL included. */
export function columnsOf(row: HoldRow): typeof holds.$inferInsert {
  const { question, plan, status, claim, stepsDone, ended, decision, updatedAt } = row;
  return {
    ...row,
    kind: question.kind,
    ...planColumns(plan),
    searchText: searchTextOf(row),
    claimedBy: claim?.by ?? null,
    dueAt: dueAtOf(row),
    isEscalated: stepsDone.some((step) => step.do === 'escalate'),
    proposedFingerprint: fingerprintOf(question.defaults[editedArgsField]),
    alike: alikeOf(question),
    ...(status === 'open'
      ? {}
      : {
          endedAt: ended?.at ?? updatedAt,
          endedWhy: ended?.why ?? whyOf({ status, decision }),
          endedBy: ended?.by ?? null,
        }),
  };
}

/** What the copies for SQL are made of when a hold closes. */
export function endValues({ status, decision, ended }: Omit<ClosedHold, 'holdId'>): {
  endedAt: string | null;
  endedWhy: HoldEnd['why'];
  endedBy: string | null;
  edited: string | null;
} {
  return {
    endedAt: ended?.at ?? null,
    endedWhy: ended?.why ?? whyOf({ status, decision }),
    endedBy: ended?.by ?? null,
    edited: fingerprintOf(decision?.values[editedArgsField]),
  };
}

/** Derives the reason of an end that has none from its status; an approval is none by that alone. */
function whyOf({ status, decision }: Pick<ClosedHold, 'status' | 'decision'>): HoldEnd['why'] {
  if (status === 'decided') return 'answered';
  return status === 'cancelled' && decision !== null ? 'declined' : status;
}

/** Equal for questions alike; null for one that is like no other. */
export const alikeOf = (question: Question): string | null => fingerprintOf(alikeKeyOf(question) ?? undefined);

function fingerprintOf(value: Json | undefined): string | null {
  return value === undefined ? null : createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 32);
}

/** Columns that every update of a hold sets. */
export const touch = { updatedAt: sql`now()`, version: sql`${holds.version} + 1` };
