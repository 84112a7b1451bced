// A password on its way from a person to an agent: it arrives, and is to be found nowhere else, whichever source it came from and
// whatever was killed meanwhile.
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TaskState } from '@a2a-js/sdk';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { PGlite } from '@electric-sql/pglite';
import { Client, Connection } from '@temporalio/client';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { createA2aCaller } from '../../rigs/agents/a2a-caller.ts';
import { startFakeAgent, type FakeAgent, type LedgerEntry } from '../../rigs/agents/agent.ts';
import { type Up } from '../../rigs/product/standfast.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { ended, longMs, openHold, readHold, readTask, runTemporal, waitForTask } from '../setting.ts';
import { startProduct } from '../start-product.ts';
import { aSuper } from '../../rigs/factories.ts';

/** In every secret of these tests, and in nothing else. */
const canary = 'canary-5ecre7';
const secretOf = (name: string): string => `${canary}-${name}`;
/** In open fields: proof that the search would find what is there. */
const control = 'c0ntrol-va1ue';
const fields = [
  { name: 'account', label: 'Account', type: 'text', required: true },
  { name: 'password', label: 'Password', type: 'password', required: true, maxLength: 60 },
];
const script = (...then: object[]): string =>
  JSON.stringify({ turns: [[{ do: 'form', fields }], [...then, { do: 'complete', text: 'thanks' }]] });

let fake: FakeAgent;
const outputs: string[] = [];

async function killAll(): Promise<void> {
  outputs.push(up.process.output());
  await supervisor.killAll9();
}

const { supervisor, up, startAgain } = startProduct(async () => {
  fake = await startFakeAgent(supervisor);
  const configText = [
    `agents: { fake: { url: '${fake.url}' }, asking: { url: '${fake.url}', policy: caller } }`,
    'policies: { caller: { ask: caller } }',
  ].join('\n');
  return { configText, isEmbedded: true, env: { STANDFAST_LOG_LEVEL: 'debug' } };
});

async function ask(threadId: string, ...then: object[]): Promise<HoldView> {
  ended(await up.run('fake', { threadId, text: script(...then) }, longMs), 'interrupt');
  return openHold(up, 'fake', threadId);
}
const valuesOf = (name: string): { account: string; password: string } => ({
  account: `${control}-${name}`,
  password: secretOf(name),
});
const decide = (hold: HoldView, values: object) =>
  up.post(`/api/holds/${hold.id}/decision`, { status: 'resolved', values });

/** The messages by which the agent got this secret. */
async function arrivalsOf(name: string): Promise<LedgerEntry[]> {
  return (await fake.messages()).filter(({ parts }) => JSON.stringify(parts).includes(secretOf(name)));
}

/** A run that answers, in any spelling. */
async function answer(threadId: string, spelling: object, runId?: string): ReturnType<Up['run']> {
  const request = { threadId, ...(runId === undefined ? {} : { runId }), ...spelling };
  // Spellings before AG-UI 1.0 are no lists.
  return up.run('fake', request, longMs);
}

// Promise V8c
test('a secret that a caller gives over A2A reaches the agent, once, and is not in what the caller reads later', async () => {
  const client = await createA2aCaller(`${up.url}/a2a/asking/`);
  const { taskId, data } = await client.send(script());
  const values = valuesOf('caller');
  const filled = [{ data: { type: 'a2a.hitl.formResponse', formId: data[0]?.['formId'], values } }];
  const messageId = randomUUID();
  const first = await client.send(filled, { taskId, messageId });
  expect([first.error, first.state]).toEqual([null, TaskState.TASK_STATE_COMPLETED]);
  await client.send(filled, { taskId, messageId });
  expect(await arrivalsOf('caller')).toHaveLength(1);
  const seen = JSON.stringify([first.events, await client.getTask(taskId)]);
  expect(around(seen, canary)).toBe('');
});

describe('a secret given by REST', () => {
  let hold: HoldView;
  beforeAll(async () => {
    hold = await ask('rest');
  });

  test('a secret given by REST that does not fit is refused at its field, and the words of the refusal do not repeat it', async () => {
    for (const password of [{ [canary]: 1 }, `${secretOf('long')}${'x'.repeat(60)}`]) {
      const { status, body } = await decide(hold, { ...valuesOf('rest'), password });
      expect(status).toBe(422);
      expect(body).toMatchObject({ code: 'payload_invalid', errors: [{ path: '/password' }] });
      expect(JSON.stringify(body)).not.toContain(canary);
    }
    const missing = await decide(hold, { account: 'a' });
    expect(missing.body).toMatchObject({ code: 'payload_invalid', errors: [{ path: '/password' }] });
  });

  test('a secret given by REST is not kept in a draft', async () => {
    const response = await fetch(`${up.url}/api/holds/${hold.id}/draft`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ values: valuesOf('draft') }),
    });
    expect(await response.json()).toMatchObject({ values: { account: `${control}-draft` } });
    expect(JSON.stringify(await readHold(up, hold.id))).not.toContain(canary);
  });

  test('a secret given by REST reaches the agent, once, and is not shown again', async () => {
    const first = await decide(hold, valuesOf('rest'));
    expect(first.status).toBe(200);
    await waitForTask(up, hold.taskId, 'DONE');
    expect(await arrivalsOf('rest')).toHaveLength(1);
    const shown = await readHold(up, hold.id);
    expect(shown.secretPaths).toEqual(['/password']);
    expect(shown.decision?.values).toEqual({ account: `${control}-rest` });
  });

  test('a secret given by REST is known again when the same answer comes again, and another one is too late', async () => {
    expect((await decide(hold, valuesOf('rest'))).status).toBe(200);
    const other = await decide(hold, { ...valuesOf('rest'), password: secretOf('other') });
    expect(other.body).toMatchObject({ code: 'hold_closed' });
    expect(await arrivalsOf('rest')).toHaveLength(1);
  });
});

describe('a secret given by a run', () => {
  const spellings: [string, (interruptId: string, payload: object) => object][] = [
    ['resume', (interruptId, payload) => ({ resume: [{ interruptId, status: 'resolved', payload }] })],
    ['draft', (interruptId, payload) => ({ resume: { interruptId, payload } })],
    ['bridge', (interruptId, payload) => ({ forwardedProps: { a2a: { resume: { interruptId, payload } } } })],
    ['command', (_id, payload) => ({ forwardedProps: { command: { resume: payload } } })],
  ];

  // Promise Q35
  test.each(spellings)(
    'a secret given by a run reaches the agent in the spelling %s, and the same answer again is the same',
    async (name, spell) => {
      const hold = await ask(name);
      const wrong = await answer(name, spell(hold.interruptId, { ...valuesOf(name), password: 5 }));
      ended(wrong, 'error:payload_invalid');
      const run = spell(hold.interruptId, valuesOf(name));
      const events = ended(await answer(name, run, `${name}-answer`), 'success');
      expect(await arrivalsOf(name)).toHaveLength(1);
      expect(ended(await answer(name, run, `${name}-answer`), 'success')).toEqual(events);
      ended(await answer(name, run, `${name}-again`), 'success');
      expect(await arrivalsOf(name)).toHaveLength(1);
      expect(JSON.stringify(events)).toContain(`${control}-${name}`);
    },
  );
});

describe('a credential given where an agent asks for an authorisation in words', () => {
  const asksForKey = JSON.stringify({ turns: [[{ do: 'auth', text: 'The API key, please.' }], [{ do: 'complete' }]] });

  // Promise D10
  test('a credential given where an agent asks for an authorisation in words reaches the agent in the data of one message, by REST and by a run', async () => {
    for (const name of ['auth-rest', 'auth-run']) {
      ended(await up.run('fake', { threadId: name, text: asksForKey }, longMs), 'interrupt');
      const hold = await openHold(up, 'fake', name);
      expect(hold).toMatchObject({ kind: 'authorization', secretPaths: ['/credential'] });
      const values = { outcome: 'credential', credential: secretOf(name) };
      if (name === 'auth-rest') expect((await decide(hold, values)).status).toBe(200);
      else {
        const resume = [{ interruptId: hold.interruptId, status: 'resolved', payload: values }];
        ended(await answer(name, { resume }), 'success');
      }
      await waitForTask(up, hold.taskId, 'DONE');
      const [arrival, ...more] = await arrivalsOf(name);
      expect(more).toEqual([]);
      expect(arrival?.parts).toMatchObject([
        { text: 'The credential is in the data of this message.' },
        { data: { values: { credential: secretOf(name) } } },
      ]);
      expect((await readHold(up, hold.id)).decision?.values).toEqual({ outcome: 'credential' });
    }
  });
});

describe('a secret that Temporal’s own tools bring', () => {
  // Promise Q35
  test('a secret that Temporal’s own tools bring is refused by the signal, which says why, and the question stays open', async () => {
    const hold = await ask('signal');
    const { interruptId } = hold;
    const id = ['--workflow-id', 'a2a/fake/signal'];
    // A signal is in history before anybody can inspect it: this value is none of those that are searched for.
    const values = { account: 'a', password: 'given away' };
    const input = JSON.stringify({ interruptId, values });
    await runTemporal(up.temporalAddress, ['workflow', 'signal', ...id, '--name', 'formResponse', '--input', input]);
    await waitFor(
      async () =>
        (await runTemporal(up.temporalAddress, ['workflow', 'metadata', ...id])).includes(
          'a secret is not taken this way',
        ),
      longMs,
      'the note that says why',
    );
    expect((await readHold(up, hold.id)).status).toBe('open');
    const source = {
      entry: {
        hold: hold.id,
        status: 'resolved',
        values: valuesOf('update'),
        reason: null,
        digest: null,
        fingerprint: '',
      },
      principal: aSuper,
      receivedAt: new Date().toISOString(),
    };
    const update = ['workflow', 'update', 'execute', ...id, '--name', 'decide', '--input', JSON.stringify(source)];
    await expect(runTemporal(up.temporalAddress, update)).rejects.toThrow('Standfast did not sign this');
    expect((await decide(hold, valuesOf('signal'))).status).toBe(200);
    await waitForTask(up, hold.taskId, 'DONE');
  });
});

describe('a secret whose carrier is killed', () => {
  // Promise Q35
  test('a secret whose carrier is killed between the decision and its sending still reaches the agent, once', async () => {
    const hold = await ask('killed-before');
    await fake.arm({ do: 'status', status: 503, times: 1000 });
    expect((await decide(hold, valuesOf('killed-before'))).status).toBe(200);
    await waitFor(
      async () => (await fake.ledger()).some(({ fault }) => fault === 'status'),
      longMs,
      'an attempt to send it',
    );
    await killAll();
    // Its faults are gone with it.
    await fake.restart();
    await startAgain();
    await waitForTask(up, hold.taskId, 'DONE');
    expect(await arrivalsOf('killed-before')).toHaveLength(1);
  });

  test('a secret whose carrier is killed after its delivery is not sent again, and the task goes on', async () => {
    const hold = await ask('killed-after', { do: 'gate', name: 'after' });
    expect((await decide(hold, valuesOf('killed-after'))).status).toBe(200);
    await fake.atGate('after', longMs);
    await waitFor(
      async () => (await readTask(up, hold.taskId)).status === 'IN_PROGRESS',
      longMs,
      'the task to be at the agent again',
    );
    await killAll();
    await fake.restart();
    await startAgain();
    await fake.atGate('after', longMs);
    await fake.openGate('after');
    await waitForTask(up, hold.taskId, 'DONE');
    expect(await arrivalsOf('killed-after')).toHaveLength(1);
  });
});

describe('a secret that is never sent', () => {
  test('a secret that is never sent is destroyed with its task', async () => {
    const hold = await ask('unsent');
    expect((await decide(hold, { account: 7, password: secretOf('unsent') })).status).toBe(422);
    expect((await up.post(`/api/tasks/${hold.taskId}/cancel`)).status).toBe(200);
    await waitForTask(up, hold.taskId, 'CANCELED');
  });
});

/** JSON with what Temporal keeps as base64 decoded next to it. */
function decoded(value: unknown): string {
  const text = JSON.stringify(value);
  const payloads = [...text.matchAll(/"data":"([A-Za-z0-9+/=]+)"/g)];
  return [text, ...payloads.map(([, data = '']) => Buffer.from(data, 'base64').toString('utf8'))].join('\n');
}

async function histories(address: string): Promise<string> {
  const connection = await Connection.connect({ address });
  try {
    const { workflow } = new Client({ connection });
    const texts: string[] = [];
    for await (const { workflowId, runId } of workflow.list())
      texts.push(decoded(await workflow.getHandle(workflowId, runId).fetchHistory()));
    return texts.join('\n');
  } finally {
    await connection.close();
  }
}

/** All rows of all tables, by table. */
async function tables(dir: string): Promise<Map<string, unknown[]>> {
  const database = await PGlite.create(dir);
  try {
    const { rows: names } = await database.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const all = new Map<string, unknown[]>();
    for (const { name } of names) all.set(name, (await database.query(`select * from ${name}`)).rows);
    return all;
  } finally {
    await database.close();
  }
}

/** The text around a word where it is found. */
function around(text: string, word: string): string {
  const at = text.indexOf(word);
  return at < 0 ? '' : text.slice(Math.max(0, at - 200), at + 50);
}

async function filesWith(dir: string, words: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    if ((await readFile(path)).includes(words)) found.push(path);
  }
  return found;
}

describe('afterwards', () => {
  // Promise D10, Q35, V8c
  test('no secret is in any history, stream, page, log, table or file of Standfast or Temporal', async () => {
    const threads = [
      'rest',
      'resume',
      'draft',
      'bridge',
      'command',
      'signal',
      'killed-before',
      'killed-after',
      'unsent',
      'auth-rest',
      'auth-run',
    ];
    const seen: string[] = [await histories(up.temporalAddress)];
    expect(seen[0]?.includes(`${control}-command`)).toBe(true);
    for (const threadId of threads) {
      const stream = await up.follow('fake', threadId, { query: '?follow=false' });
      seen.push(JSON.stringify(await stream.over(longMs)));
      const reading = { threadId, messages: [], forwardedProps: { a2a: { subscribeOnly: true } } };
      seen.push(JSON.stringify((await up.run('fake', reading)).events));
    }
    for (const path of ['/api/holds?limit=200', '/api/tasks?limit=200', '/api/overview']) {
      seen.push(JSON.stringify((await up.get(path)).body));
    }
    for (const { id } of (JSON.parse(seen.at(-2) ?? '') as { items: { id: string }[] }).items) {
      for (const rest of ['', '/chat', '/timeline'])
        seen.push(JSON.stringify((await up.get(`/api/tasks/${id}${rest}`)).body));
    }
    // The agent has every secret in its history, and was asked for it.
    expect(seen.filter((text) => text.includes('"source":"agent"')).length).toBeGreaterThan(0);
    await up.stop();
    outputs.push(up.process.output());
    seen.push(...outputs);
    const rows = await tables(join(up.dataDir, 'pglite'));
    expect(JSON.stringify([...rows]).includes(`${control}-command`)).toBe(true);
    expect(rows.get('public.seals')).toEqual([]);
    seen.push(JSON.stringify([...rows]));
    expect(seen.map((text) => around(text, canary))).toEqual(seen.map(() => ''));
    expect((await filesWith(up.dataDir, control)).length).toBeGreaterThan(0);
    expect(await filesWith(up.dataDir, canary)).toEqual([]);
  });
});
