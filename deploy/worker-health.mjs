// Health of the worker's container. A worker has no port; it writes a beat into the database every 2 s. With several
// workers on one database this says that one of them lives; a worker whose polling ends leaves by itself (exit code 1).
import { Client } from 'pg';

const maxAgeMs = 15_000;
const client = new Client({
  connectionString: process.env.DATABASE_URL,
  connectionTimeoutMillis: 3000,
  query_timeout: 3000,
});
try {
  await client.connect();
  const { rows } = await client.query(
    'select extract(epoch from clock_timestamp() - max(beat_at)) * 1000 as age_ms from workers',
  );
  const age = rows[0]?.age_ms;
  if (age === null || age === undefined) throw new Error('no worker has written a beat');
  if (Number(age) > maxAgeMs) throw new Error(`the last beat is ${Math.round(Number(age) / 1000)} s old`);
} catch (error) {
  console.error(String(error.message ?? error));
  process.exitCode = 1;
} finally {
  await client.end().catch(() => undefined);
}
