// A hold as it is read: with placeholders where its row cannot be read or is not as it was asked.
import type { HoldId } from '../../../contract/base/id-types.ts';
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../core/base/json.ts';
import { holdDigest } from '../../../core/consent/question-digest.ts';
import { plainFields } from '../../../core/questions/plain-fields.ts';
import type { Question } from '../../../contract/holds/question.ts';
import type { LadderPlan } from '../../../contract/configuration/policy.ts';
import type { HoldRow } from '../../store.ts';
import { reportUnreadable, Unreadable, type UnreadableRow } from '../../unreadable.ts';

const fingerprintOf = (value: unknown): string =>
  `sha256:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`;

const faultTitles = {
  unreadable: 'This question cannot be read',
  altered: 'This question was altered in the database',
};

const noQuestion = (fault: NonNullable<HoldRow['fault']>, holdId: HoldId): Question => ({
  ...plainFields(),
  dialect: 'operator',
  kind: 'text',
  title: faultTitles[fault],
  hasOwnTitle: true,
  message: `It cannot be decided. An operator can cancel its task. Question ${holdId}.`,
  schema: { type: 'object' },
});

/** In place of a plan. Parsed, since the linter takes an object with `then` for a promise. */
const noPlan = JSON.parse(
  '{"policy":"","steps":[],"expiresAt":null,"then":"fail","exclude":[],"defaults":null,"quorum":1,"among":[],"clock":"wall","danger":true,"notify":[],"reassign":"none","requireDigest":true,"supervisors":[]}',
) as LadderPlan;

/** Values in place of unreadable ones. */
const placeholders: Partial<HoldRow> = {
  plan: noPlan,
  decision: null,
  card: {},
  votes: [],
  outgoing: null,
  moves: [],
  artifacts: [],
  attachments: [],
  reassignAsks: [],
  nudges: [],
};

/**
 * Whether the question is the one that was asked. A row that was restored from its workflow has no artifacts, which the
 * digest covers; the evidence alone tells of such a row.
 */
function isAsAsked(row: HoldRow): boolean {
  const { artifacts } = row;
  return artifacts === null || holdDigest(fingerprintOf, { ...row, artifacts, requester: row.owner }) === row.digest;
}

/** Names the row if it cannot be read, or is not the question that was asked; null for any other. */
export function faultOf(row: HoldRow): UnreadableRow | null {
  const named = { table: 'holds', id: row.holdId };
  const broken = Object.entries(row).filter(([, value]: [string, unknown]) => value instanceof Unreadable);
  const [first] = broken;
  // Safe: filtered by its class.
  const why = (first?.[1] as Unreadable | undefined)?.why;
  if (why !== undefined) return { ...named, columns: broken.map(([name]) => name), why };
  if (isAsAsked(row)) return null;
  return { ...named, columns: ['question'], why: 'the question is not the one that its digest covers' };
}

/** Returns the row, or one with placeholders and its `fault`; reports the latter once. */
export function readableHold<T extends HoldRow>(row: T): T {
  const found = faultOf(row);
  if (found === null) return row;
  reportUnreadable(found);
  const isReadable = Object.values(row).every((value: unknown) => !(value instanceof Unreadable));
  const fault = isReadable ? 'altered' : 'unreadable';
  const values = Object.fromEntries(found.columns.map((name) => [name, placeholders[name as keyof HoldRow] ?? null]));
  const shown = { card: {}, artifacts: [], attachments: [], question: noQuestion(fault, row.holdId) };
  return { ...row, ...values, ...shown, fault };
}
