// A server behind a gate that asks a form while a held call of it is made: people are asked, and the server gets their answer.
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { startGateRig, type GateRig } from '../../rigs/gates/gate-rig.ts';
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
beforeAll(async () => {
  const asking = { command: [process.execPath, program], policy: 'pay', wait: '20s' };
  rig = await startGateRig(supervisor, {
    gates: { asking, short: { ...asking, timeout: '20s' } },
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
