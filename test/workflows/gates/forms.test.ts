// A server behind a gate that asks a form while a call of it is made. Of a held call people are asked, and the server gets their answer;
// of a call that passes the client is, if it takes forms, and else people.
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { startAskingOverHttp, type AskingOverHttp } from '../../rigs/gates/asking-over-http.ts';
import { startGateRig, type Era, type GateClient, type GateRig } from '../../rigs/gates/gate-rig.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
const program = fileURLToPath(new URL('../../rigs/gates/asking-server.js', import.meta.url));
const form = {
  message: 'From which account?',
  requestedSchema: {
    type: 'object',
    properties: { account: { type: 'string', enum: ['main', 'spare'] } },
    required: ['account'],
  },
};
let rig: GateRig;
let askingOverHttp: AskingOverHttp;
beforeAll(async () => {
  const asking = { command: [process.execPath, program], policy: 'pay', wait: '20s' };
  const passes = { rules: [{ then: 'pass' }], policy: 'pay' };
  askingOverHttp = await startAskingOverHttp(supervisor);
  const { url: address } = askingOverHttp;
  rig = await startGateRig(supervisor, {
    gates: {
      asking,
      short: { ...asking, timeout: '20s' },
      started: { ...passes, command: asking.command },
      http: { ...passes, url: address },
      unasked: { rules: passes.rules, url: address },
    },
  });
});
afterEach(() => {
  rig.toy.form = null;
  rig.toy.calls.splice(0);
});
afterAll(() => (rig === undefined ? supervisor.end() : rig.stop()));

/** Approves the call, and waits for the form that its server asks then. */
async function formOf(held: Promise<HoldRow>): Promise<HoldRow> {
  const approving = await held;
  expect(await rig.decide(approving, { approved: true })).toBe(200);
  return waitFor(
    async () => {
      const hold = await rig.asked();
      return hold.holdId === approving.holdId ? undefined : hold;
    },
    20_000,
    'the form',
  );
}

// Promise GA13
test('people are asked the form that a server of the newest revision asks while it makes a held call, and it gets their answer', async () => {
  rig.toy.form = form;
  const client = await rig.connect('bot', 'newest');
  const waiting = client.call('pay', { amount: 60 });
  const asked = await formOf(rig.asked());
  expect(asked.question).toMatchObject({ kind: 'form', title: 'toy asks about pay' });
  expect(asked.question.message).toContain('> From which account?');
  expect(asked.audience).toEqual(['role:finance']);
  expect(await rig.decide(asked, { account: 'savings' })).toBeGreaterThanOrEqual(400);
  expect(rig.toy.calls).toEqual([]);
  expect(await rig.decide(asked, { account: 'spare' })).toBe(200);
  expect((await waiting).text).toContain('"content":{"account":"spare"}');
  expect(rig.toy.calls).toEqual([{ tool: 'pay', args: { amount: 60 } }]);
});

// Promise GA13
test('people are asked the form that a started server of an older revision asks while it makes a held call', async () => {
  const client = await rig.connect('bot', 'older', 'asking');
  const waiting = client.call('book', {});
  const asked = await formOf(rig.asked());
  expect(asked.question.title).toBe('asking asks about book');
  expect(await rig.decide(asked, { seats: 4, room: 'outside' })).toBe(200);
  const came: JsonObject = JSON.parse((await waiting).text);
  expect(came).toEqual({ action: 'accept', content: { seats: 4, room: 'outside' } });
});

// Promise GA13
test('a server behind a gate reads that a person refused its form', async () => {
  const client = await rig.connect('bot', 'older', 'asking');
  const waiting = client.call('book', { again: 1 });
  const { holdId } = await formOf(rig.asked());
  const refusal = { status: 'cancelled', reason: 'not now' };
  expect(await rig.api(`/api/holds/${holdId}/decision`, 'fin', refusal)).toMatchObject({ status: 200 });
  expect(JSON.parse((await waiting).text)).toEqual({ action: 'decline' });
});

// Promise GA13
test('a form that no one answers within the time of the call ends with it, and is answered by no one', async () => {
  const client = await rig.connect('bot', 'older', 'short');
  const waiting = client.call('book', {});
  const { holdId } = await formOf(rig.asked());
  expect(JSON.parse((await waiting).text)).toEqual({ action: 'cancel' });
  await waitFor(
    async () => (await rig.core.engine.store.holds.get(holdId))?.status !== 'open' || undefined,
    20_000,
    'the end of the form',
  );
  const row = await rig.core.engine.store.holds.get(holdId);
  expect(row?.decision).toBeNull();
});

// Promise GA13
test('a form that cannot be shown to people is not asked, and the client reads why', async () => {
  const fields = Array.from({ length: 501 }, (_, at) => [`field${at}`, { type: 'boolean' }]);
  rig.toy.form = { message: 'All of it?', requestedSchema: { type: 'object', properties: Object.fromEntries(fields) } };
  const client = await rig.connect();
  const waiting = client.call('pay', { amount: 61 });
  const refused = expect(waiting).rejects.toThrow(/cannot be shown to people: schema: it has more than/u);
  await rig.decide(await rig.asked(), { approved: true });
  await refused;
  expect(rig.toy.calls).toEqual([]);
});

/** A client whose server can ask it. */
async function connected(...of: Parameters<GateRig['connect']>): Promise<GateClient> {
  const before = askingOverHttp.streams();
  const client = await rig.connect(...of);
  if (of[2] === 'http') await waitFor(() => askingOverHttp.streams() > before || undefined, 20_000, 'its stream');
  return client;
}

/** What a call that passes is made by, and how its server asks. */
const ways: [string, { era: Era; gate: string; tool: string }][] = [
  ['of the newest revision by its result', { era: 'newest', gate: 'toy', tool: 'read_note' }],
  ['of an older revision by the stream of the call', { era: 'older', gate: 'http', tool: 'seat' }],
  ['of an older revision by its own stream', { era: 'older', gate: 'http', tool: 'book' }],
  ['that was started here', { era: 'older', gate: 'started', tool: 'book' }],
];
const asksOf = (gate: string): { words: string; content: Record<string, string | number> } =>
  gate === 'toy'
    ? { words: form.message, content: { account: 'spare' } }
    : { words: 'How many seats?', content: { seats: 3 } };

describe.each(ways)('a form that a server asks %s while a call passes', (way, { era, gate, tool }) => {
  const { words, content } = asksOf(gate);
  // Promise GA13a
  test(`a client that takes forms gets the form that a server asks ${way} while a call passes`, async () => {
    if (gate === 'toy') rig.toy.form = form;
    const seen: string[] = [];
    const client = await connected('bot', era, gate, (message) => {
      seen.push(message);
      return { action: 'accept', content };
    });
    const { text } = await client.call(tool, {});
    expect(text).toContain(JSON.stringify(content));
    expect(seen).toEqual([words]);
    expect(await openQuestions()).toEqual([]);
  });

  // Promise GA13a
  test(`people are asked the form that a server asks ${way} while a call passes of a client that takes none`, async () => {
    if (gate === 'toy') rig.toy.form = form;
    const client = await connected('bot', era, gate);
    const waiting = client.call(tool, {});
    const asked = await rig.asked();
    expect(asked.question).toMatchObject({ kind: 'form', message: expect.stringContaining(`> ${words}`) });
    expect(asked.audience).toEqual(['role:finance']);
    expect(await rig.decide(asked, content)).toBe(200);
    expect((await waiting).text).toContain(JSON.stringify(content));
    expect(await openQuestions()).toEqual([]);
  });

  // Promise GA13a
  test(`a form that a server asks ${way} ends with its client, who takes none`, async () => {
    if (gate === 'toy') rig.toy.form = form;
    const client = await connected('bot', era, gate);
    const waiting = client.call(tool, {}).catch(() => null);
    await rig.asked();
    await client.close();
    expect(await waiting).toBeNull();
    await waitFor(async () => (await openQuestions()).length === 0 || undefined, 20_000, 'the end of the form');
  });
});

const openQuestions = async (): Promise<string[]> =>
  (await rig.core.engine.store.holds.list({ statuses: ['open'] })).items.map(({ question }) => question.title);

// Promise GA13a
test('a form that its server needs no more while a call passes is withdrawn from people', async () => {
  const client = await connected('bot', 'older', 'http');
  const waiting = client.call('hurry', {});
  await rig.asked();
  expect((await waiting).text).toContain('timed out');
  await waitFor(async () => (await openQuestions()).length === 0 || undefined, 20_000, 'the end of the form');
});

// Promise GA13a
test('no one is asked the form of a gate without a policy, and its server reads that its client takes none', async () => {
  const client = await connected('bot', 'older', 'unasked');
  expect((await client.call('seat', {})).text).toContain('failed');
  expect(await openQuestions()).toEqual([]);
});
