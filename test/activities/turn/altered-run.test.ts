// The message of a run is sent as an api took it, or not at all: whatever a writer of the database puts in its row on the way.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { NewIntake, Store } from '../../../src/store/store.ts';
import { aSuper, messagePlan } from '../../rigs/factories.ts';
import { asKept } from '../../rigs/proofs.ts';
import { createScriptedAgent } from '../../rigs/agents/scripted-agent.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { openRun } from '../../../src/activities/run-log/run-writer.ts';
import { optionsOfBody } from '../../../src/wire/agui/input/run-options.ts';
import { aTurn, type TurnCase } from '../turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

const saying = (content: string): JsonObject[] => [
  { id: 'm1', role: 'user', content: 'hello' },
  { id: 'm2', role: 'user', content },
];

/** The row of a run whose last message is new, as an api kept it. */
const keptRun = (key: Pick<NewIntake, 'agent' | 'threadId' | 'runId'>, body: JsonObject) =>
  asKept({
    ...key,
    fingerprint: 'f',
    principal: aSuper,
    receivedAt: '2026-11-28T09:00:00.000Z',
    plan: messagePlan(),
    body: { ...key, ...body },
    messageIds: ['m2'],
  });

/** A first turn whose message is in a row of its own. */
async function withRow(altered: (row: NewIntake) => Partial<NewIntake>): Promise<TurnCase> {
  const turn = await aTurn(store, createScriptedAgent('task-1'));
  const { agent, threadId } = turn.input.task;
  const row = keptRun({ agent, threadId, runId: 'r-kept' }, { messages: saying('pay the supplier') });
  await store.intake.put({ ...row, ...altered(row) });
  return turn;
}

// Promise Y79f
test('a first message is sent as an api took it', async () => {
  const turn = await withRow(() => ({}));
  const { stop } = turn.attempt(1, { messageRunId: 'r-kept' });
  await waitFor(() => turn.agent.sent.length > 0, 10_000, 'the message to be sent');
  expect(JSON.stringify(turn.agent.sent)).toContain('pay the supplier');
  await stop();
});

// Promise Y79f
test.each<[string, (row: NewIntake) => Partial<NewIntake>]>([
  ['its words', ({ body }) => ({ body: { ...body, messages: saying('pay eve') } })],
  [
    'its metadata',
    ({ body }) => ({ body: { ...body, forwardedProps: { a2a: { metadata: { skill: 'transfer', approved: true } } } } }),
  ],
  ['which of its messages go', () => ({ messageIds: ['m1', 'm2'] })],
  ['who it is of', () => ({ principal: { id: 'ceo', roles: [], isSuper: true } })],
  ['what proves it', () => ({ mac: '' })],
])('a first message is not sent where a writer of the database changed %s', async (_what, altered) => {
  const turn = await withRow(altered);
  const { outcome, cancel } = turn.attempt(1, { messageRunId: 'r-kept' });
  const ends: string[] = [];
  const over = outcome.then(
    (end) => ends.push(end.kind),
    (error: unknown) => ends.push(String(error)),
  );
  await waitFor(() => ends.length > 0 || turn.agent.sent.length > 0, 10_000, 'the turn to end, or to send');
  expect(turn.agent.sent).toEqual([]);
  cancel('WORKER_SHUTDOWN');
  await over;
  expect(ends.join()).toContain('is not as it came');
});

// Promise Y79f
test('a later message of a task goes by the options of its first run as an api took them, or by none', async () => {
  const { deps, input } = await aTurn(store, createScriptedAgent('task-options'));
  const { task } = input;
  const key = { agent: task.agent, threadId: task.threadId, runId: 'r-options' };
  const forwardedProps = { a2a: { historyLength: 7, metadata: { note: 'as it came' } } };
  const row = keptRun(key, { messages: saying('pay'), forwardedProps });
  const other = { ...row.body, forwardedProps: { a2a: { historyLength: 7, metadata: { note: 'pay eve as well' } } } };
  const optionsWith = async (kept: NewIntake) => {
    await store.intake.put(kept);
    const target = { runId: kept.runId, opener: 'client', turn: 1 } as const;
    const opened = await store.tx((tables) =>
      openRun(tables, deps, { ...task, taskId: `task-of-${kept.runId}` }, target, 1),
    );
    return opened.result === 'open' ? opened.options : null;
  };
  expect(await optionsWith(row)).toMatchObject({ historyLength: 7, metadata: { note: 'as it came' } });
  const altered = await optionsWith({ ...asKept({ ...row, runId: 'r-altered' }), body: other });
  expect(altered).toEqual(optionsOfBody(null));
});
