// A worker that is lost, or a server that is away, while a held call is made; and what a yes is bound to.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { startGateRig, type GateRig } from '../../rigs/gates/gate-rig.ts';
import { toyTools } from '../../rigs/gates/toy-server.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { messageIdOf } from '../../../src/core/base/ids.ts';
import { heldCallOf } from '../../../src/core/questions/held-call.ts';
import { sha1Hex } from '../../../src/host/secrets/hash.ts';
import type { HoldRow } from '../../../src/store/store.ts';

const supervisor = createSupervisor();
let rig: GateRig;
/** The step at which the next attempt breaks, as if its process had died there. */
let breaksAt: string | null = null;
/** What a writer of the database does as it breaks. */
let write: (() => Promise<void>) | null = null;

beforeAll(async () => {
  rig = await startGateRig(supervisor, {
    atSeam: async (seam) => {
      if (seam !== breaksAt) return;
      breaksAt = null;
      await write?.();
      throw new Error(`the worker is lost at ${seam}`);
    },
  });
});
afterEach(() => {
  breaksAt = null;
  write = null;
  Object.assign(rig.toy, { tools: toyTools(), onCall: null });
  rig.toy.calls.splice(0);
});
afterAll(() => (rig === undefined ? supervisor.end() : rig.stop()));

/** Whatever an attempt has written of this call. */
async function deleteRowsOf({ taskId, question }: HoldRow): Promise<void> {
  const { intents, gateCalls } = rig.core.engine.store;
  for (const turn of [1, 2, 3]) await intents.forget(messageIdOf(sha1Hex, taskId, turn), 1);
  const row = await gateCalls.get(heldCallOf(question)?.callId ?? '');
  if (row?.outcome == null) throw new Error('no outcome was kept');
  await gateCalls.finish(row.callId, { outcome: null as never, mac: '' }, row.outcomeMac);
}

/** The question to operators; `before`: the one that came before it. */
const askedOfOperators = (before?: HoldRow): Promise<HoldRow> =>
  waitFor(
    async () => {
      const open = await rig.asked();
      return open.question.kind === 'operator' && open.holdId !== before?.holdId ? open : undefined;
    },
    20_000,
    before === undefined ? 'the question to operators' : 'the second question to operators',
  );

describe('a held call whose worker is lost', () => {
  // Promise GA5
  test.each([
    ['call.intended', 'set_note', 1],
    ['call.answered', 'set_note', 2],
    ['call.kept', 'set_note', 1],
    ['call.kept', 'pay', 1],
  ])('a held call whose worker is lost at %s, of %s, ends with %d calls and its result', async (seam, tool, count) => {
    const client = await rig.connect();
    const waiting = client.call(tool, { amount: 100, to: seam });
    const hold = await rig.asked();
    breaksAt = seam;
    await rig.decide(hold, { approved: true });
    expect(await waiting).toMatchObject({ text: `${tool} is done`, isError: false });
    expect(rig.toy.calls).toHaveLength(count);
  });

  // Promise GA5
  test.each([
    ['call.intended', 0],
    ['call.answered', 1],
  ])(
    'a held call whose worker is lost at %s is not made again: operators are asked, and give up',
    async (seam, count) => {
      const client = await rig.connect();
      const waiting = client.call('pay', { amount: 200, to: seam });
      const hold = await rig.asked();
      breaksAt = seam;
      await rig.decide(hold, { approved: true });
      const unknown = await askedOfOperators();
      expect(unknown.question.message).toContain('toy/pay');
      expect(rig.toy.calls).toHaveLength(count);
      await rig.decide(unknown, { choice: 'give_up' }, 'op');
      expect(await waiting).toMatchObject({ isError: true });
      expect(rig.toy.calls).toHaveLength(count);
    },
  );

  // Promise GA5a
  test('a held call whose worker fails before it makes the call is made by the next attempt, and no operator is asked', async () => {
    const client = await rig.connect();
    const waiting = client.call('pay', { amount: 210 });
    const hold = await rig.asked();
    breaksAt = 'call.checked';
    await rig.decide(hold, { approved: true });
    expect(await waiting).toMatchObject({ text: 'pay is done', isError: false });
    expect(rig.toy.calls).toHaveLength(1);
  });

  // Promise GA5a
  test('a held call whose worker is lost is not made again where a writer of the database deletes all that shows it', async () => {
    const client = await rig.connect();
    const waiting = client.call('pay', { amount: 220 });
    const hold = await rig.asked();
    write = () => deleteRowsOf(hold);
    breaksAt = 'call.kept';
    await rig.decide(hold, { approved: true });
    const unknown = await askedOfOperators();
    expect(rig.toy.calls).toHaveLength(1);
    await rig.decide(unknown, { choice: 'give_up' }, 'op');
    expect(await waiting).toMatchObject({ isError: true });
    expect(rig.toy.calls).toHaveLength(1);
  });

  // Promise GA5
  test('a held call whose worker is lost is made once more where an operator says so, and no more than once', async () => {
    const client = await rig.connect();
    const waiting = client.call('pay', { amount: 300 });
    const hold = await rig.asked();
    breaksAt = 'call.intended';
    await rig.decide(hold, { approved: true });
    const unknown = await askedOfOperators();
    breaksAt = 'call.answered';
    await rig.decide(unknown, { choice: 'send_again' }, 'op');
    const again = await askedOfOperators(unknown);
    expect(rig.toy.calls).toHaveLength(1);
    await rig.decide(again, { choice: 'give_up' }, 'op');
    expect(await waiting).toMatchObject({ isError: true });
    expect(rig.toy.calls).toHaveLength(1);
  });
});

describe('a yes to a held call', () => {
  // Promise GA7
  test('a yes to a held call is not for a tool that its server describes otherwise since', async () => {
    const client = await rig.connect();
    const waiting = client.call('pay', { amount: 400 });
    const hold = await rig.asked();
    rig.toy.tools = toyTools().map((tool) => (tool['name'] === 'pay' ? { ...tool, description: 'Pays eve.' } : tool));
    await rig.decide(hold, { approved: true });
    expect(await waiting).toMatchObject({
      text: 'The call was not made: its server describes the tool otherwise than people were asked about.',
    });
    expect(rig.toy.calls).toEqual([]);
  });

  // Promise GA7
  test('a yes to a held call is not for another server, to which its gate leads since', async () => {
    const client = await rig.connect();
    const waiting = client.call('pay', { amount: 500 });
    const hold = await rig.asked();
    const { gates } = rig.core.engine.config;
    const { toy } = gates;
    if (toy === undefined) throw new Error('there is no gate');
    gates['toy'] = { ...toy, url: 'http://127.0.0.1:9/mcp' };
    await rig.decide(hold, { approved: true });
    expect(await waiting).toMatchObject({
      text: 'The call was not made: its gate leads to another server than people were asked about.',
    });
    gates['toy'] = toy;
    expect(rig.toy.calls).toEqual([]);
  });
});
