// The same product without trust around it, as a builder would write it in some days: rows for runs, questions and events, an A2A
// client that streams, and AG-UI over HTTP. What waits is an engine's: Temporal's (worker.mjs, api.mjs), or DBOS
// (peers/fair-dbos.mjs).
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import pg from 'pg';
import { Message, SendMessageRequest } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';

const channel = 'fair_events';

const texts = {
  begin: `insert into runs (thread, run, input) values ($1, $2, $3) returning id`,
  append: `with written as (
      insert into events (run, seq, event) select $1::bigint, coalesce(max(seq), 0) + 1, $2::text from events where run = $1::bigint returning run
    ) select pg_notify('${channel}', run::text) from written`,
  question: `insert into questions (thread, run, question, status) values ($1, $2, $3, 'open') returning id`,
  decide: `update questions set status = 'decided', answer = $2 where thread = $1 and status = 'open' returning id`,
  end: `update runs set status = $2, ended_at = now() where id = $1`,
  page: `select seq, event from events where run = $1 and seq > $2 order by seq`,
};

/** @param {string} databaseUrl */
export async function openRows(databaseUrl, { isFirst = false } = {}) {
  const pool = new pg.Pool({ connectionString: databaseUrl });
  if (isFirst)
    await pool.query(`
      create table runs (id bigserial primary key, thread text, run text, input text, status text default 'open',
        begun_at timestamptz default now(), ended_at timestamptz, unique (thread, run));
      create table questions (id bigserial primary key, thread text, run bigint, question text, status text, answer text);
      create index on questions (thread);
      create table events (run bigint, seq integer, event text, primary key (run, seq))`);
  /** @param {string} name @param {unknown[]} values @param {{ query: pg.Pool['query'] }} by */
  const ask = async (name, values, by = pool) => (await by.query({ name, text: texts[name], values })).rows;
  return {
    ask,
    async tx(work) {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const result = await work((name, values) => ask(name, values, client));
        await client.query('commit');
        return result;
      } finally {
        client.release();
      }
    },
    close: () => pool.end(),
  };
}

/** What the two activities do: a message to the agent, each event of its answer in a row, then the question or the end. */
export async function createTurns(rows, agentUrl) {
  const client = await new ClientFactory().createFromUrl(agentUrl);
  return async function turn({ thread, run, text, ids = {} }) {
    const append = (event) => rows.ask('append', [run, JSON.stringify(event)]);
    await append({ type: 'RUN_STARTED', threadId: thread, runId: String(run) });
    const given = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...ids };
    const message = Message.toJSON(Message.fromJSON(given));
    /** @type {{ taskId?: string, contextId?: string }} */
    let seen = ids;
    let asked = null;
    for await (const { payload } of client.sendMessageStream(SendMessageRequest.fromJSON({ message }))) {
      const { taskId, id, contextId, status } = /** @type {any} */ (payload?.value ?? {});
      seen = { taskId: taskId ?? id ?? seen.taskId, contextId: contextId ?? seen.contextId };
      // The last state counts: an answer's stream begins with the task as it was while it asked.
      if (status !== undefined)
        asked = status.message?.parts.find(({ content }) => content?.$case === 'data')?.content.value ?? null;
      await append({ type: 'CUSTOM', name: payload?.$case, value: payload?.value });
    }
    await rows.tx(async (within) => {
      const [question] = asked === null ? [] : await within('question', [thread, run, JSON.stringify(asked)]);
      const outcome =
        question === undefined
          ? { type: 'success' }
          : {
              type: 'interrupt',
              interrupts: [{ id: String(question.id), message: 'The agent asks', metadata: asked }],
            };
      await within('end', [run, outcome.type]);
      await within('append', [
        run,
        JSON.stringify({ type: 'RUN_FINISHED', threadId: thread, runId: String(run), outcome }),
      ]);
    });
    return seen;
  };
}

/** Wakes the followers of runs by LISTEN. */
async function listen(databaseUrl) {
  const waiting = new Map();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  client.on('notification', ({ payload }) => waiting.get(payload)?.());
  await client.query(`listen ${channel}`);
  return {
    /** Resolves at the next notice of the run after this call, or after a second. */
    next(run) {
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, 1_000);
        waiting.set(String(run), () => {
          clearTimeout(timer);
          resolve(undefined);
        });
      });
    },
    leave: (run) => waiting.delete(String(run)),
    close: () => client.end(),
  };
}

/** AG-UI over HTTP; `engine` begins a thread's workflow, or gives it an answer. */
export async function serveRuns(databaseUrl, rows, engine) {
  const notices = await listen(databaseUrl);
  const app = fastify();
  app.post('/agents/:agent/run', async (request, reply) => {
    const { threadId: thread, runId, messages, resume } = /** @type {any} */ (request.body);
    const [{ id: run }] = await rows.ask('begin', [thread, runId, JSON.stringify(request.body)]);
    let woken = notices.next(run);
    if (resume === undefined) await engine.start(thread, { thread, run, text: messages.at(-1).content });
    else {
      await rows.ask('decide', [thread, JSON.stringify(resume[0].payload)]);
      await engine.answer(thread, { thread, run, text: resume[0].payload.colour });
    }
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let seq = 0, isOver = false; !isOver;) {
      await woken;
      woken = notices.next(run);
      for (const row of await rows.ask('page', [run, seq])) {
        ({ seq } = row);
        isOver ||= row.event.startsWith('{"type":"RUN_FINISHED"');
        reply.raw.write(`data: ${row.event}\n\n`);
      }
    }
    notices.leave(run);
    reply.raw.end();
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    async stop() {
      app.server.closeAllConnections();
      await Promise.race([app.close(), once(app.server, 'close')]);
      await notices.close();
    },
  };
}
