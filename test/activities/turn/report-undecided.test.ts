// A tool that has to be asked about (`agents.<name>.mustAsk`) and whose result comes without a decision.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AgentConfigSchema } from '../../../src/contract/configuration/agent-config.ts';
import type { Json } from '../../../src/contract/base/json.ts';
import type { A2aState, TurnEvent } from '../../../src/contract/tasks/turn.ts';
import type { Store } from '../../../src/store/store.ts';
import { createScriptedAgent } from '../../rigs/agents/scripted-agent.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { aTurn } from '../turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

// Promise D17
test.each([
  ['pay', [{ kind: 'undecided', agent: 'fake', tool: 'pay', call: 'call-1' }]],
  ['look_up', []],
])('a tool that ran undecided is in the evidence, the log and the metrics: %s', async (tool, expected) => {
  const a2aTaskId = `undecided-${tool}`;
  const turn = await aTurn(store, createScriptedAgent(a2aTaskId));
  const { transport } = turn.agent;
  turn.deps.config.agents['fake'] = AgentConfigSchema.parse({ url: 'http://127.0.0.1:1/', mustAsk: ['pay'] });
  const lines: unknown[] = [];
  turn.deps.log.error = (about: unknown) => lines.push(about);
  const status = (state: A2aState, id: string, data: Json): TurnEvent => ({
    type: 'status',
    a2aTaskId,
    contextId: 'context-1',
    state,
    message: {
      messageId: id,
      role: 'agent',
      parts: [{ kind: 'data', data, metadata: {} }],
      metadata: {},
      extensions: [],
    },
  });
  turn.deps.transportOf = () => ({
    ...transport,
    async *sendStream(_outgoing, { onResponse }): AsyncGenerator<TurnEvent, void, undefined> {
      onResponse?.();
      await Promise.resolve();
      yield status('working', 'm-1', { type: 'tool-call', id: 'call-1', name: tool, arguments: { amount: 5 } });
      yield status('working', 'm-2', { type: 'tool-result', toolCallId: 'call-1', payload: 'paid' });
      yield { type: 'status', a2aTaskId, contextId: 'context-1', state: 'completed', message: null };
    },
  });
  const { recordUndecided } = store.tasks;
  let isKilled = false;
  const dyingAfter: typeof recordUndecided = async (...found) => {
    await recordUndecided(...found);
    if (isKilled) return;
    isKilled = true;
    throw new Error('killed');
  };
  turn.deps.store = { ...store, tasks: { ...store.tasks, recordUndecided: dyingAfter } };
  // Between the report and the end of the turn: the next attempt reports the same results.
  turn.agent.state('completed');
  if (expected.length > 0) await expect(turn.attempt(1).outcome).rejects.toThrow('killed');
  expect(await turn.attempt(2).outcome).toMatchObject({ kind: 'ended', state: 'completed' });
  const { taskId } = turn.input.task;
  const records: unknown[] = [];
  await store.evidence.export({}, (line) => {
    if (line.type === 'record') records.push(JSON.parse(line.record));
  });
  const own = records.filter((record) => (record as { task?: string }).task === taskId);
  expect(own).toMatchObject(expected);
  expect(lines).toMatchObject(expected.map(() => ({ agent: 'fake', taskId, tool, callId: 'call-1' })));
  const [counted] = (await turn.deps.metrics.undecidedResults.get()).values;
  expect(counted?.value ?? 0).toBe(expected.length);
  expect((await store.tasks.get(taskId))?.undecided).toEqual(expected.map(() => ({ tool, callId: 'call-1' })));
  expect((await store.evidence.verify({})).faults).toEqual([]);
});
