// Columns of a hold that the chain covers; only `recorded-writes.ts` writes them, each write with a record.
import { sql, type SQL } from 'drizzle-orm';
import { holds } from '../schema.ts';

const text = (column: SQL): SQL => sql`(${column})::text`;
// Independent of the session's time zone, so that another program gets the same text.
const instantText = (column: SQL): SQL => sql`(extract(epoch from ${column}) * 1000)::bigint::text`;

/** Column names and their values as text, in the order of hashing. */
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
      holds.outgoing,
      holds.moves,
      holds.ended,
      holds.endedWhy,
      holds.endedBy,
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

/** SQL for the covered values of a hold, as a JSON array of strings and nulls. */
export const coveredValues: SQL = sql`json_build_array(${sql.join(
  covered.map(([, value]) => value),
  sql`, `,
)})`;

// Named and length-prefixed, so that text cannot move into another column without changing the hash.
const framed = covered.map(
  ([name, value]) => sql`${sql.raw(`'${name}='`)} || coalesce(octet_length(${value})::text || ':' || ${value}, '-')`,
);

/** SQL for the SHA-256 of the covered values of a hold. */
export const rowHash: SQL = sql`encode(sha256(convert_to(${sql.join(framed, sql` || `)}, 'UTF8')), 'hex')`;
