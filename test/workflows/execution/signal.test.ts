import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ClosedHold } from '../../../src/contract/holds/hold.ts';
import { unprovedIn } from '../../../src/core/consent/proof.ts';
import { receiptClaims } from '../../../src/core/consent/receipt.ts';
import { verdictOf } from '../../../src/core/consent/verdict.ts';
import { askerOf } from '../../../src/core/base/asker.ts';
import { fingerprintOf } from '../../../src/host/secrets/hash.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { arrivalsOf, formAnswersOf } from '../../rigs/agents/agent-facts.ts';
import { answer, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { prover } from '../../rigs/proofs.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();

const asReceipt = (row: HoldRow): Omit<Parameters<typeof receiptClaims>[0], 'from'> => {
  const closed = { ...row, status: row.status as ClosedHold['status'] };
  return { issuer: 'https://h.example', agent: askerOf(row), a2aTaskId: 'a', hold: row, closed };
};
let core: Core;

beforeAll(async () => {
  core = await startCore(supervisor, {
    agents: { expiring: { policy: 'expiring' }, receipted: { policy: 'receipted' } },
    // A worker may take three seconds and more to stop, and the signal has to be there before the deadline.
    policies: { expiring: { expire: { after: '15s', then: 'fail' } }, receipted: { receipt: true } },
  });
});
afterAll(() => core?.stop());

describe('the signal formResponse, as an operator sends it', () => {
  test.concurrent('the signal formResponse, as an operator sends it, answers a question', async () => {
    const task = await core.engine.open('form => complete');
    const { interruptId, holdId } = await task.asked();
    await task.signal({ interruptId, values: { colour: 'green' } });
    await task.status('DONE');
    expect((await task.settled(holdId)).decision).toMatchObject({ by: 'operator:temporal', status: 'resolved' });
    const [sent] = await arrivalsOf(core.agent, task.messageId(2));
    expect(formAnswersOf(sent)).toMatchObject([{ values: { colour: 'green' } }]);
  });

  test.concurrent('the signal formResponse, as an operator sends it, declines a question', async () => {
    const task = await core.engine.open('form => complete');
    const { interruptId, holdId } = await task.asked();
    await task.signal({ interruptId, status: 'cancelled', reason: 'no budget' });
    expect(await task.closed()).toBe('CANCELLED');
    expect((await task.settled(holdId)).decision).toMatchObject({ status: 'cancelled', reason: 'no budget' });
  });

  // Promise Y52
  // Promise Y54
  // Promise Y76
  test.concurrent.each<[string, object, 'yes' | 'no' | 'answered', string]>([
    ['a yes', { values: { approved: true } }, 'yes', 'approved'],
    ['a no', { values: { approved: false } }, 'no', 'declined'],
    [
      'a yes that another field contradicts',
      { values: { approved: true, decision: 'reject' } },
      'answered',
      'answered',
    ],
  ])(
    'the signal formResponse, as an operator sends it, is %s in the record and for the agent alike, and has no receipt',
    async (_what, answered, verdict, why) => {
      const fields = [
        { name: 'approved', label: 'Approved', type: 'boolean', required: true },
        { name: 'decision', label: 'Decision', type: 'select', options: ['approve', 'reject'] },
      ];
      const turns = [[{ do: 'form', title: 'Pay 4210 EUR?', fields }], [{ do: 'complete' }]];
      const task = await core.engine.open(JSON.stringify({ turns }), { agent: 'receipted' });
      const { interruptId, holdId } = await task.asked();
      await task.signal({ interruptId, ...answered });
      const row = await task.settled(holdId);
      expect(row.ended?.why).toBe(why);
      expect(row.decision === null ? null : verdictOf(row.question, row.decision)).toBe(verdict);
      await task.status('DONE');
      const [sent] = await arrivalsOf(core.agent, task.messageId(2));
      expect(formAnswersOf(sent)[0]?.values).toEqual('values' in answered ? answered.values : {});
      expect(JSON.stringify(sent)).not.toMatch(/receipt/iu);
      expect(receiptClaims({ ...asReceipt(row), from: 'row' }, fingerprintOf, prover)).toBeNull();
      // What a worker recorded is proved by it, and no other answer by this tool.
      expect(unprovedIn(prover, row)).toEqual([]);
      const other = row.decision && { ...row.decision, values: { approved: verdict !== 'yes' } };
      expect(unprovedIn(prover, { ...row, decision: other })).toEqual([expect.stringContaining('was not sent')]);
    },
  );

  const values = { colour: 'green' };
  test.concurrent.each<[string, (id: string) => unknown, RegExp]>([
    ['that is not an object', () => 'green', /expected \{"interruptId"/],
    ['without anything', () => undefined, /expected \{"interruptId"/],
    ['without an interruptId', () => ({ values }), /expected \{"interruptId"/],
    ['without values', (interruptId) => ({ interruptId }), /expected \{"interruptId"/],
    ['with values that are a list', (interruptId) => ({ interruptId, values: [1] }), /expected \{"interruptId"/],
    [
      'with an unknown status',
      (interruptId) => ({ interruptId, values, status: 'approved' }),
      /expected \{"interruptId"/,
    ],
    ['for a question that is not there', () => ({ interruptId: 'hitl-x-1', values }), /there is no question hitl-x-1/],
    [
      'with values that do not fit',
      (interruptId) => ({ interruptId, values: { colour: 'blue' } }),
      /does not fit the question/,
    ],
  ])(
    'the signal formResponse %s is not taken; the note says why, and the question stays open',
    async (_what, messageOf, why) => {
      const task = await core.engine.open('form => complete');
      const hold = await task.asked();
      await task.signal(messageOf(hold.interruptId));
      const details = await waitFor(
        async () => {
          const text = await task.details();
          return text.includes('last signal not taken') && text;
        },
        10_000,
        'a note',
      );
      expect(details).toMatch(why);
      expect((await task.asked()).holdId).toBe(hold.holdId);
      expect(await task.decide(answer(hold, { colour: 'green' }))).toMatchObject({ kind: 'answer' });
      await task.status('DONE');
    },
  );

  test.concurrent('the signal formResponse, as an operator sends it, takes the note away when a later one is taken', async () => {
    const task = await core.engine.open('forms 2 => complete');
    const [one, two] = [await task.asked(1), await task.asked(2)];
    await task.signal('nonsense');
    await task.signal({ interruptId: one.interruptId, values });
    await task.settled(one.holdId);
    expect(await task.details()).not.toContain('last signal not taken');
    await task.signal({ interruptId: two.interruptId, values });
    await task.status('DONE');
  });
});

describe('a signal sent while no worker is up', () => {
  // These stop the worker, so they come after all that runs at the same time.
  test('a signal sent while no worker is up counts when one is back, also past the deadline', async () => {
    const engine = core.engine;
    const [patient, expiring] = await Promise.all([
      engine.open('form => complete'),
      engine.open('form => complete', { agent: 'expiring' }),
    ]);
    const holds = await Promise.all([patient.asked(), expiring.asked()]);
    await engine.stopWorker();
    await patient.signal({ interruptId: holds[0].interruptId, values: { colour: 'green' } });
    await expiring.signal({ interruptId: holds[1].interruptId, values: { colour: 'green' } });
    const deadlineMs = Date.parse(holds[1].expiresAt ?? '');
    if (Date.now() > deadlineMs) throw new Error('the worker took longer to stop than there was time to answer');
    await waitFor(() => Date.now() > deadlineMs + 200, 30_000, 'the deadline');
    await engine.startWorker();
    await patient.status('DONE', 'FAILED');
    expect(await expiring.status('DONE', 'FAILED')).toMatchObject({ status: 'DONE', error: null });
  });
});
