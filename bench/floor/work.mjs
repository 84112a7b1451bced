// What an activity of the second floor does in addition to answering: what it takes to ask an A2A agent and keep what it
// streams. One streaming call by the SDK, and five plain inserts into the same kind of database as Standfast's.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { Message, SendMessageRequest } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { embeddedOptions } from '#dist/store/database/embedded.js';

const insertsEach = 5;

/** @param {{ agentUrl: string, dataDir: string, databaseUrl?: string }} given without an address the database is embedded */
export async function startWork({ agentUrl, dataDir, databaseUrl }) {
  const client = await new ClientFactory().createFromUrl(agentUrl);
  /** @type {any} */
  const database =
    databaseUrl === undefined
      ? await PGlite.create({ dataDir: join(dataDir, 'floor-pglite'), ...embeddedOptions })
      : new pg.Pool({ connectionString: databaseUrl });
  await database.query('create table entries (id bigserial primary key, task text, entry text)');

  /** Sends a text, reads the stream to its end, and keeps each event of it; gives the ids of the agent's task. */
  async function converse(text, ids = {}) {
    const given = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...ids };
    const message = Message.toJSON(Message.fromJSON(given));
    let seen = ids;
    const entries = [];
    for await (const { payload } of client.sendMessageStream(SendMessageRequest.fromJSON({ message }))) {
      entries.push(JSON.stringify(payload));
      const { taskId, id, contextId } = /** @type {any} */ (payload?.value ?? {});
      seen = { taskId: taskId ?? id ?? seen.taskId, contextId: contextId ?? seen.contextId };
    }
    for (let n = 0; n < insertsEach; n += 1) {
      await database.query('insert into entries (task, entry) values ($1, $2)', [seen.taskId, entries[n] ?? text]);
    }
    return seen;
  }
  return { converse, stop: () => ('end' in database ? database.end() : database.close()) };
}
