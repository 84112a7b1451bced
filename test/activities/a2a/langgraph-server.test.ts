import { expect, test } from '@jest/globals';
import { completed } from '../../../src/activities/a2a/langgraph-server.ts';
import { KeptCardSchema } from '../../../src/contract/tasks/agent-card.ts';
import type { TurnEvent } from '../../../src/contract/tasks/turn.ts';

const skills = [{ id: 'payer-main', name: 'payer', tags: ['langgraph'] }];
const interrupt = { id: '29a4849685cfc7db3b43816df55e3c1d', value: 'Pay?' };
const ended: TurnEvent = { type: 'status', a2aTaskId: 't', contextId: 'c', state: 'completed', message: null };
const read = (event: TurnEvent, interrupts: object[]): Promise<TurnEvent[]> =>
  completed(event, {
    card: KeptCardSchema.parse({ name: 'payer', skills }),
    url: 'http://127.0.0.1:9/a2a/payer',
    fetchImpl: () => Promise.resolve(Response.json({ interrupts })),
    signal: AbortSignal.timeout(60_000),
  });

test('an end of a LangGraph run whose thread still waits for people is a pause with their questions', async () => {
  expect(await read(ended, [])).toEqual([ended]);
  expect(await read(ended, [interrupt])).toMatchObject([
    { type: 'artifact', artifact: { parts: [{ data: interrupt }], isQuestion: true } },
    { type: 'status', state: 'input-required', message: null },
  ]);
  const task: TurnEvent = { ...ended, type: 'task', artifacts: [], history: [] };
  expect(await read(task, [interrupt])).toMatchObject([{ state: 'input-required', artifacts: [{ parts: [{}] }] }]);
});
