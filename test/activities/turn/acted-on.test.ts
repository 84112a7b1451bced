// Where an answer is acted upon, its proof is asked for: whatever source it names, also where Temporal's own answers are taken.
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rowOf as restoredRow } from '../../../src/activities/tasks/restore-task.ts';
import { messageToSend } from '../../../src/activities/turn/turn-message.ts';
import type { Decision } from '../../../src/contract/holds/decision.ts';
import type { TurnInput, TurnOutcome } from '../../../src/contract/tasks/turn.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { isAsAsked } from '../../../src/core/consent/acted-on.ts';
import { temporalOperatorId } from '../../../src/core/policy/audience.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { optionsOfBody } from '../../../src/wire/agui/input/run-options.ts';
import { aPrincipal } from '../../rigs/factories.ts';
import { aProvedDecision, digestOf, prover } from '../../rigs/proofs.ts';
import { createScriptedAgent } from '../../rigs/agents/scripted-agent.ts';
import { openMemoryDatabase } from '../../rigs/store/memory-store.ts';
import { aHold, decidedBy } from '../../store/stores.ts';
import { aHeldCall, aTurn, type TurnCase } from '../turns.ts';

let pglite: PGlite;
let store: Store;
beforeAll(async () => {
  pglite = await openMemoryDatabase();
  store = await openStore({ pglite });
});
afterAll(() => store.close());

const at = '2026-11-28T09:00:00.000Z';
const fin = aPrincipal('fin', 'finance');
const signal = { source: 'signal' as const, by: temporalOperatorId };

interface Forged {
  decision: Partial<Decision>;
  /** `temporal.answers` of the configuration. */
  answers?: boolean;
  isProved?: boolean;
  plan?: Partial<HoldRow['plan']>;
  /** What the row says once it is answered. */
  altered?: (row: HoldRow) => Partial<HoldRow>;
  putBack?: (row: HoldRow) => Promise<void>;
  /** The chain of evidence was written again with it. */
  isRecorded?: boolean;
}

/** An answer of no one whom a process knew, unless it is proved. */
function anAnswerTo(hold: HoldRow, values: Decision['values'], { decision, isProved = false }: Forged): Decision {
  const { proof, ...unproved } = aProvedDecision(hold, {
    by: fin,
    at,
    entry: { values },
  });
  return {
    ...unproved,
    ...(isProved && proof !== undefined ? { proof } : {}),
    ...decision,
  };
}

async function alter(holdId: string, { question, ...rest }: Partial<HoldRow>): Promise<void> {
  const set = 'artifacts' in rest ? 'question = $1, artifacts = null' : 'question = $1';
  await pglite.query(`update holds set ${set} where hold_id = $2`, [JSON.stringify(question), holdId]);
  if (rest.digest !== undefined)
    await pglite.query('update holds set digest = $1 where hold_id = $2', [rest.digest, holdId]);
}

async function aTaken(taken: TurnCase, row: HoldRow, values: Decision['values'], forged: Forged): Promise<TurnInput> {
  const hold = { ...row, plan: { ...row.plan, ...forged.plan } };
  await store.holds.putOnce([hold]);
  if (forged.altered !== undefined) await alter(hold.holdId, forged.altered(hold));
  await forged.putBack?.(hold);
  const closed = {
    ...decidedBy('fin', at),
    holdId: hold.holdId,
    decision: anAnswerTo(hold, values, forged),
  };
  taken.deps.config = {
    ...taken.deps.config,
    temporal: { ...taken.deps.config.temporal, answers: forged.answers },
  };
  return {
    ...taken.input,
    send: {
      kind: 'answers',
      answers: [{ interruptId: hold.interruptId, closed }],
    },
  };
}

async function sent(forged: Forged, over: Partial<HoldRow> = {}): Promise<unknown> {
  const taken = await aTurn(store, createScriptedAgent('task-1'));
  const row = aHold({ taskId: taken.input.task.taskId, agent: 'fake', audience: ['role:finance'], ...over });
  const { evidence } = store;
  const check = async (): Promise<'intact'> => 'intact';
  if (forged.isRecorded === true) taken.deps.store = { ...store, evidence: { ...evidence, check } };
  const input = await aTaken(taken, row, { centre: '42' }, forged);
  const known = {
    messageId: 'm1',
    a2aTaskId: 'task-1',
    adopted: null,
    options: optionsOfBody(null),
  };
  return (await messageToSend(taken.deps, input, known)).parts;
}

async function called(forged: Forged): Promise<TurnOutcome> {
  const { taken, row } = await aHeldCall(store, { gate: 'toy', server: 's', digest: 'd', definition: {} });
  return taken.attempt(1, await aTaken(taken, row, { approved: true }, forged)).outcome;
}

const forgeries: [string, Forged][] = [
  ['the page', { decision: {} }],
  ['an agent that supervises', { decision: { source: 'agent' } }],
  ['the clock', { decision: { source: 'clock' } }],
  ['a grant', { decision: { source: 'grant' } }],
  ['a signal, in a person’s name', { decision: { source: 'signal' } }],
  ['Temporal’s tools, where the configuration does not take them', { decision: signal, answers: false }],
  ['Temporal’s tools, where its plan does not take them', { decision: signal, plan: { byTemporal: false } }],
  ['Temporal’s tools, where its requester is left out', { decision: signal, plan: { exclude: ['requester'] } }],
  ['Temporal’s tools, where a passkey signs', { decision: signal, plan: { sign: 'passkey' } }],
  ['the page, proved for another author', { decision: { by: 'ceo' }, isProved: true }],
  [
    'the page, proved for another answer',
    {
      decision: { values: { centre: '666', approved: true, n: 1 } },
      isProved: true,
    },
  ],
];

// Promise Y79
describe.each(forgeries)('an answer without what proves it, by %s,', (by, forged) => {
  const given = { answers: true, ...forged };

  test(`an answer without what proves it, by ${by}, is not sent to its agent`, async () => {
    await expect(sent(given)).rejects.toThrow('is not sent');
  });

  test(`an answer without what proves it, by ${by}, has no held call made`, async () => {
    const outcome = await called(given);
    expect(outcome).toMatchObject({ kind: 'ended', state: 'rejected' });
    expect(JSON.stringify(outcome)).toMatch(/its yes is not proved/);
  });
});

const otherQuestion = ({ question }: HoldRow): Partial<HoldRow> => ({
  question: { ...question, title: 'Another question', reply: { ...question.reply, questions: 1 } },
});

// Promise Y79
describe.each<[string, NonNullable<Forged['altered']>]>([
  ['is altered', otherQuestion],
  ['is altered, as if it were restored without its artifacts', (row) => ({ ...otherQuestion(row), artifacts: null })],
])('a proved answer to a question that %s', (how, altered) => {
  test(`a proved answer to a question that ${how} is not sent to its agent`, async () => {
    await expect(sent({ decision: {}, isProved: true, altered })).rejects.toThrow('is not sent');
  });
});

/** An artifact that people saw, which the digest of their question covers. */
const artifacts = [{ id: 'a', name: 'plan', digest: 'sha256:of the plan' }];

describe('a question that a worker restored from its workflow', () => {
  const proved = { decision: {}, isProved: true, isRecorded: true };
  /** As its workflow gives it back: without the artifacts that its digest covers. */
  const restored = (row: HoldRow): HoldRow => {
    const { taskId, agent, threadId, owner } = row;
    const task = { taskId, agent, threadId, owner, workflowId: 'w', firstExecutionRunId: 'x' };
    return restoredRow(
      { now: () => new Date(at), prover },
      task,
      { a2aTaskId: null, contextId: null, runId: 'r' },
      row,
    );
  };
  const withMac = async (row: HoldRow, question: HoldRow['question']): Promise<void> => {
    const set = 'artifacts = null, restored_mac = $1, question = $2';
    const values = [restored(row).restoredMac, JSON.stringify(question), row.holdId];
    await pglite.query(`update holds set ${set} where hold_id = $3`, values);
  };

  // Promise Y79e
  test('a question that a worker restored from its workflow is answered to its agent, by what its worker proved alone', async () => {
    expect(await sent({ ...proved, putBack: (row) => withMac(row, row.question) }, { artifacts })).not.toEqual([]);
    const row = aHold({ agent: 'fake', artifacts });
    expect(isAsAsked(prover, restored(row))).toBe(true);
    expect(isAsAsked(prover, { ...restored(row), restoredMac: null })).toBe(false);
    expect(isAsAsked(prover, { ...restored(row), digest: 'sha256:another' })).toBe(false);
    expect(isAsAsked(prover, { ...restored(row), holdId: 'another' })).toBe(false);
  });

  // Promise Y79e
  test('a question that a worker restored from its workflow is not answered where its row has another since, though the chain of evidence has it, too', async () => {
    const another = (row: HoldRow): Promise<void> => withMac(row, { ...row.question, title: 'Another question' });
    await expect(sent({ ...proved, putBack: another }, { artifacts })).rejects.toThrow('is not sent');
  });

  // Promise Y79e
  test('a question that a worker restored from its workflow is none where only the chain of evidence says so', async () => {
    const altered = (row: HoldRow) => ({ ...otherQuestion(row), artifacts: null });
    await expect(sent({ ...proved, altered }, { artifacts })).rejects.toThrow('is not sent');
  });
});

const answersAtEnd = { policy: 'finance', then: 'default' as const, defaults: { centre: '42' } };
const exchanged = (row: HoldRow): Partial<HoldRow> => {
  const { question = row.question } = otherQuestion(row);
  return { question, digest: digestOf({ ...row, question }) };
};

// Promise Y79b
describe.each<[string, Forged]>([
  ['a person', { decision: {}, isProved: true }],
  ['Temporal’s own tools', { decision: signal, answers: true }],
  ['the clock', { decision: { source: 'clock', by: 'policy:finance' }, plan: answersAtEnd }],
])('an answer by %s to a question that was exchanged with its digest', (by, forged) => {
  test(`an answer by ${by} to a question that was exchanged with its digest is not sent to its agent`, async () => {
    expect(await sent(forged)).not.toEqual([]);
    await expect(sent({ ...forged, altered: exchanged })).rejects.toThrow('is not sent');
  });
});

// Promise Y79
describe.each<[string, Forged]>([
  ['a person whose answer is proved', { decision: {}, isProved: true }],
  ['Temporal’s own tools where they are taken', { decision: signal, answers: true }],
])('an answer by %s', (by, forged) => {
  test(`an answer by ${by} is sent to its agent`, async () => {
    expect(await sent(forged)).not.toEqual([]);
  });

  test(`an answer by ${by} has its held call made, as far as its gate is there`, async () => {
    expect(JSON.stringify(await called(forged))).toContain('the gate toy is not in the configuration any more');
  });
});
