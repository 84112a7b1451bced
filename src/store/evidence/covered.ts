// What of a hold's row the chain answers for. Every column here is written by `recorded-writes.ts` together with a record.
import { sql, type SQL } from 'drizzle-orm';
import { holds } from '../schema.ts';

const text = (column: SQL): SQL => sql`(${column})::text`;
// Without the session's time zone, which another program need not share.
const instantText = (column: SQL): SQL => sql`(extract(epoch from ${column}) * 1000)::bigint::text`;

/** Each by its name and as text, in the order in which they are hashed. */
const covered: [name: string, value: SQL][] = [
  ...(
    [
      holds.holdId,
      holds.taskId,
      holds.agent,
      holds.threadId,
      holds.owner,
      holds.interruptId,
      holds.n,
      holds.kind,
      holds.question,
      holds.digest,
      holds.status,
      holds.policy,
      holds.plan,
      holds.excludesOwner,
      holds.canRefuse,
      holds.stepsTaken,
      holds.stepsDone,
      holds.decision,
      holds.answerFingerprint,
      holds.votes,
      holds.moves,
      holds.ended,
      holds.endedWhy,
      holds.supersedes,
      holds.artifacts,
      holds.attachments,
    ] as const
  ).map((column): [string, SQL] => [column.name, text(sql`${column}`)]),
  [holds.audience.name, sql`array_to_json(${holds.audience})::text`],
  ...([holds.openedAt, holds.expiresAt, holds.endedAt] as const).map((column): [string, SQL] => [
    column.name,
    instantText(sql`${column}`),
  ]),
];

export const coveredNames = covered.map(([name]) => name);

/** The covered values of a row of `holds`, as a JSON list of texts and nulls. */
export const coveredValues: SQL = sql`json_build_array(${sql.join(
  covered.map(([, value]) => value),
  sql`, `,
)})`;

// Each with its length before it, so that nothing can move from one column into the next.
const framed = covered.map(([, value]) => sql`coalesce(octet_length(${value})::text || ':' || ${value}, '-')`);

/** Hash over the covered values of a row of `holds`. */
export const rowHash: SQL = sql`encode(sha256(convert_to(${sql.join(framed, sql` || `)}, 'UTF8')), 'hex')`;
