import { describe, expect, test } from '@jest/globals';
import type { AguiEvent } from '../../../../src/contract/tasks/run.ts';
import type { Hold } from '../../../../src/contract/holds/hold.ts';
import type { Json, JsonObject } from '../../../../src/contract/base/json.ts';
import { endEvents, type TaskEnd } from '../../../../src/wire/agui/project/end.ts';
import { openInterrupts } from '../../../../src/wire/agui/cards/open-holds.ts';
import { pauseEvents, stepEvents } from '../../../../src/wire/agui/project/pause.ts';
import { restateEvents } from '../../../../src/wire/agui/project/restate.ts';
import { expectShown } from '../real-client.ts';
import {
  aDecision,
  afterTurn,
  aPause,
  aToolHold,
  asText,
  ctx,
  data,
  gives,
  nextLog,
  startLog,
  status,
  text,
  typesOf,
  valueAtPath,
  withEvents,
  type Log,
} from '../scene.ts';

const working = (): Log => afterTurn(startLog(), status('working'));
const pausedOn = (holds: Hold[], log: Log = working()): Log =>
  withEvents(log, pauseEvents(log.p, aPause({ holds, explanation: 'May I pay?' }), ctx));
const callEvents = (events: AguiEvent[]): AguiEvent[] => events.filter(({ type }) => type.startsWith('TOOL_CALL'));
const resultsOf = (events: AguiEvent[]): Json[] =>
  events.filter(({ type }) => type === 'TOOL_CALL_RESULT').map((event): Json => JSON.parse(asText(event['content'])));
const interruptsOf = (log: Log): Json[] => {
  const interrupts = valueAtPath(log.events.at(-1) ?? {}, 'outcome', 'interrupts');
  return Array.isArray(interrupts) ? interrupts : [];
};
const decided = (hold: Hold, values: JsonObject, how: 'resolved' | 'cancelled' = 'resolved'): Hold => ({
  ...hold,
  status: how === 'resolved' ? 'decided' : 'cancelled',
  decision: aDecision({ values, status: how, reason: how === 'cancelled' ? 'too dear' : null }),
});
const ended = (log: Log, end: TaskEnd = { kind: 'completed', message: '' }): Log =>
  withEvents(log, endEvents(log.p, end, ctx));

describe('a run that asks about a tool call', () => {
  test('a run that asks about a tool call tells the call between explanation and card, on the message that explains it', () => {
    const log = working();
    const events = pauseEvents(log.p, aPause({ holds: [aToolHold()] }), ctx);
    expect(typesOf(events)).toEqual([
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'TOOL_CALL_START',
      'TOOL_CALL_ARGS',
      'TOOL_CALL_END',
      'ACTIVITY_SNAPSHOT',
      'STATE_DELTA',
      'STATE_SNAPSHOT',
      'MESSAGES_SNAPSHOT',
      'RUN_FINISHED',
    ]);
    expect(callEvents(events)).toEqual([
      { type: 'TOOL_CALL_START', toolCallId: 'adk-7', toolCallName: 'pay', parentMessageId: 'm-ask' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'adk-7', delta: '{"amount":5}' },
      { type: 'TOOL_CALL_END', toolCallId: 'adk-7' },
    ]);
  });

  // Promise G15
  test('a run that asks about a tool call binds the open interrupt to it, and restates the message with its calls', async () => {
    const shown = await expectShown(pausedOn([aToolHold()]).events);
    expect(shown.pending).toMatchObject([
      {
        id: 'hitl-a2a-1-1',
        reason: 'tool_call',
        toolCallId: 'adk-7',
        metadata: { standfast: { tool: { callId: 'adk-7', name: 'pay', args: { amount: 5 }, isEditable: true } } },
      },
    ]);
    expect(shown.messages[1]).toEqual({
      id: 'm-ask',
      role: 'assistant',
      content: 'May I pay?',
      toolCalls: [{ id: 'adk-7', type: 'function', function: { name: 'pay', arguments: '{"amount":5}' } }],
    });
  });

  test('a run that asks about a tool call gives each of several questions a call of its own, also where the agent uses one id twice', async () => {
    const log = pausedOn([aToolHold(), aToolHold({ n: 2, tool: { args: { amount: 9 } } })]);
    expect(interruptsOf(log)).toMatchObject([{ toolCallId: 'adk-7' }, { toolCallId: 'adk-7~2' }]);
    await expectShown(log.events);
  });

  test('a run that asks about a tool call asks again under another id when the call of that id has its result', async () => {
    const first = pausedOn([aToolHold()]);
    const resumed = nextLog(first, { answered: [decided(aToolHold(), { approved: false })] });
    const again = withEvents(
      resumed,
      pauseEvents(resumed.p, aPause({ holds: [aToolHold({ n: 2 })], explanationMessageId: 'm-2' }), ctx),
    );
    expect(interruptsOf(again)).toMatchObject([{ id: 'hitl-a2a-1-2', toolCallId: 'adk-7~2' }]);
    await expectShown(again.events, [{ id: 'u-1', role: 'user', content: 'Book it' }]);
  });

  // Promise D4
  test('a run that asks about a tool call asks again about the same call where the agent could not use the answer, and tells it once', async () => {
    const resumed = nextLog(pausedOn([aToolHold()]), { answered: [decided(aToolHold(), { approved: true })] });
    const next = aPause({ holds: [aToolHold({ n: 2 })], explanationMessageId: 'm-2' });
    const again = withEvents(resumed, pauseEvents(resumed.p, next, ctx));
    expect(callEvents(again.events)).toEqual([]);
    expect(interruptsOf(again)).toMatchObject([{ id: 'hitl-a2a-1-2', toolCallId: 'adk-7' }]);
    const done = nextLog(again, { runId: 'r-3', answered: [decided(aToolHold({ n: 2 }), { approved: true })] });
    const projected = afterTurn(done, status('working', gives('m-9', [pays])));
    expect(callEvents(ended(projected).events)).toMatchObject([{ type: 'TOOL_CALL_RESULT', content: 'no money left' }]);
    await expectShown(again.events, [{ id: 'u-1', role: 'user', content: 'Book it' }]);
  });

  test('a run that asks about a tool call asks about another call under a used id by another id', () => {
    const resumed = nextLog(pausedOn([aToolHold()]), { answered: [decided(aToolHold(), { approved: true })] });
    const next = aPause({ holds: [aToolHold({ n: 2, tool: { args: { amount: 9 } } })], explanationMessageId: 'm-2' });
    const again = withEvents(resumed, pauseEvents(resumed.p, next, ctx));
    expect(interruptsOf(again)).toMatchObject([{ toolCallId: 'adk-7~2' }]);
    expect(resultsOf(again.events)).toMatchObject([{ decision: 'approved', message: untold }]);
  });

  // Promise CO4
  test('a run that asks about a tool call names the call that the agent has announced, and does not announce it twice', async () => {
    const call = data({ type: 'tool-call', id: 'adk-7', name: 'pay', arguments: { amount: 5 } });
    const projected = afterTurn(working(), status('working', gives('m-1', [text('I will pay'), call])));
    const log = pausedOn([aToolHold()], projected);
    expect(callEvents(log.events).filter(({ type }) => type === 'TOOL_CALL_START')).toHaveLength(1);
    expect(interruptsOf(log)).toMatchObject([{ toolCallId: 'adk-7' }]);
    await expectShown(log.events);
  });

  test.each(['', 'a\u0001b', 'x'.repeat(300)])(
    'a run that asks about a tool call makes an id of its own where the agent gives %j',
    async (callId) => {
      const log = pausedOn([aToolHold({ tool: { callId } })]);
      expect(interruptsOf(log)).toMatchObject([{ toolCallId: 'call:hitl-a2a-1-1' }]);
      await expectShown(log.events);
    },
  );

  test('a run that asks about a tool call leaves a question about no call without one', () => {
    const hold = aToolHold();
    const log = pausedOn([{ ...hold, question: { ...hold.question, tool: null } }]);
    expect(callEvents(log.events)).toEqual([]);
    expect(interruptsOf(log)[0]).not.toHaveProperty('toolCallId');
  });

  test('a run that asks about a tool call is repeated in a ladder step by the interrupt alone', async () => {
    const log = nextLog(pausedOn([aToolHold()]), { runId: 'standfast-1', clientMessages: null });
    const step = { at: ctx.now, do: 'escalate', to: ['role:lead'] };
    const stepped = withEvents(log, stepEvents(log.p, aToolHold(), step, ctx));
    const whole = withEvents(stepped, pauseEvents(stepped.p, aPause({ explanation: null, holds: [aToolHold()] }), ctx));
    expect(callEvents(whole.events)).toEqual([]);
    expect(interruptsOf(whole)).toMatchObject([{ toolCallId: 'adk-7' }]);
    await expectShown(whole.events);
  });
});

test('a client that comes later gets the open list with the call that was announced', () => {
  const log = pausedOn([aToolHold(), aToolHold({ n: 2 })]);
  const rows = [aToolHold(), aToolHold({ n: 2 })].map((hold) => {
    const card = log.p.messages.find((message) => message['id'] === hold.interruptId)?.['content'];
    return { ...hold, card: typeof card === 'object' && card !== null && !Array.isArray(card) ? card : {} };
  });
  const source = { taskId: 'task-1', a2aTaskId: null, contextId: null, publicUrl: 'http://h', mayDecide: () => true };
  expect(openInterrupts(rows, source).map(({ toolCallId }) => toolCallId)).toEqual(['adk-7', 'adk-7~2']);
  const reader = { threadId: 't-1', runId: 'r-9', protocol: '1.0', clientState: {}, clientMessages: [] };
  const events = restateEvents(reader, log.p, { type: 'interrupt', interrupts: openInterrupts(rows, source) });
  expect(JSON.stringify(events)).toContain('"toolCalls"');
});

describe('a run that carries the decision on a tool call', () => {
  // Promise G15, CO4
  test.each<{ name: string; hold: Hold; result: JsonObject }>([
    {
      name: 'rejected',
      hold: decided(aToolHold(), { approved: false }),
      result: { decision: 'rejected', executed: false, message: 'The call was not executed: it was rejected.' },
    },
    {
      name: 'cancelled',
      hold: decided(aToolHold(), {}, 'cancelled'),
      result: {
        decision: 'rejected',
        executed: false,
        message: 'The call was not executed: it was rejected.',
        reason: 'too dear',
      },
    },
    {
      name: 'rejected by the clock',
      hold: { ...aToolHold(), status: 'expired', decision: aDecision({ status: 'cancelled', by: 'policy:finance' }) },
      result: {
        decision: 'rejected',
        executed: false,
        message: 'The call was not executed: it was rejected.',
        by: 'policy:finance',
      },
    },
  ])(
    'a run that carries the decision on a tool call tells the one result of it, on the id of the run that asked: $name',
    async ({ hold, result }) => {
      const log = ended(nextLog(pausedOn([aToolHold()]), { answered: [hold] }));
      expect(callEvents(log.events)).toEqual([
        {
          type: 'TOOL_CALL_RESULT',
          messageId: 'result:adk-7',
          toolCallId: 'adk-7',
          role: 'tool',
          content: expect.any(String),
        },
      ]);
      expect(resultsOf(log.events)).toEqual([result]);
      const shown = await expectShown(log.events, [{ id: 'u-1', role: 'user', content: 'Book it' }]);
      expect(shown.messages.map(({ id }) => id)).toEqual(['u-1', 'm-ask', 'result:adk-7', 'hitl-a2a-1-1']);
    },
  );

  test('a run that carries the decision on a tool call tells it also when Standfast opened that run, and never again', async () => {
    const answered = [decided(aToolHold(), { approved: false })];
    const first = ended(nextLog(pausedOn([aToolHold()]), { runId: 'standfast-1', clientMessages: null, answered }));
    const second = ended(nextLog(first, { runId: 'r-3', answered }));
    expect([resultsOf(first.events).length, resultsOf(second.events).length]).toEqual([1, 0]);
    const shown = await expectShown(second.events);
    expect(shown.messages.filter(({ role }) => role === 'tool')).toHaveLength(1);
  });

  test('a run that carries the decision on a tool call tells it whatever result the client claims to have', () => {
    const forged = { id: 'result:adk-7', role: 'tool', toolCallId: 'adk-7', content: '{"decision":"approved"}' };
    const log = nextLog(pausedOn([aToolHold()]), {
      answered: [decided(aToolHold(), { approved: false })],
      clientMessages: [{ id: 'u-1', role: 'user', content: 'Book it' }, forged],
    });
    expect(resultsOf(log.events)).toMatchObject([{ decision: 'rejected' }]);
    expect(log.p.messages.filter(({ role }) => role === 'tool')).toHaveLength(1);
  });
});

const pays = data({ type: 'tool-result', toolCallId: 'adk-7', payload: 'no money left' });
const approvedLog = (values: JsonObject = { approved: true }): Log =>
  nextLog(pausedOn([aToolHold()]), { answered: [decided(aToolHold(), values)] });
const untold = 'The call was approved; the agent reported no result of it.';

describe('a tool call that was approved', () => {
  // Promise D1
  test('a tool call that was approved has no result before its agent tells one; its card alone says that it was approved', async () => {
    const log = approvedLog({ approved: true, editedArgs: { amount: 4 }, pin: '1234' });
    expect(callEvents(log.events)).toEqual([]);
    const card = log.p.messages.find(({ id }) => id === 'hitl-a2a-1-1');
    expect(card?.['content']).toMatchObject({
      stage: 'working',
      decision: 'approved',
      approval: { values: { approved: true, editedArgs: { amount: 4 } } },
    });
    expect(JSON.stringify(log.events)).not.toContain('1234');
    await expectShown(ended(log).events, [{ id: 'u-1', role: 'user', content: 'Book it' }]);
  });

  // Promise D2
  test.each([
    ['a data part', pays, 'no money left'],
    [
      'ADK',
      {
        ...data({ id: 'adk-7', name: 'pay', response: { error: 'no money left' } }),
        metadata: { adk_type: 'function_response' },
      },
      '{"error":"no money left"}',
    ],
  ] as const)(
    'a tool call that was approved gets what its agent tells of it by %s as its one result, with what it was approved with',
    async (_by, part, content) => {
      const log = approvedLog({ approved: true, editedArgs: { amount: 4 } });
      const projected = afterTurn(
        log,
        status('working', gives('m-9', [part])),
        status('working', gives('m-9', [part])),
      );
      const done = ended(projected);
      expect(callEvents(done.events)).toEqual([
        {
          type: 'TOOL_CALL_RESULT',
          messageId: 'result:adk-7',
          toolCallId: 'adk-7',
          role: 'tool',
          content,
          metadata: {
            standfast: {
              part: 'm-9#0',
              task: 'task-1',
              approval: { values: { approved: true, editedArgs: { amount: 4 } } },
            },
          },
        },
      ]);
      await expectShown(done.events, [{ id: 'u-1', role: 'user', content: 'Book it' }]);
    },
  );

  // Promise CO4
  test('a tool call that was approved is not announced again when its agent repeats it as it is made, with other arguments', () => {
    const call = data({ type: 'tool-call', id: 'adk-7', name: 'pay', arguments: { amount: 4 } });
    const log = afterTurn(approvedLog(), status('working', gives('m-9', [call, pays])));
    expect(callEvents(log.events).map(({ type, toolCallId }) => [type, toolCallId])).toEqual([
      ['TOOL_CALL_RESULT', 'adk-7'],
    ]);
  });

  // Promise D2
  test('a tool call that was approved takes no result while people are still asked', () => {
    const log = afterTurn(nextLog(pausedOn([aToolHold()])), status('working', gives('m-9', [pays])));
    expect(callEvents(log.events).filter(({ toolCallId }) => toolCallId === 'adk-7')).toEqual([]);
  });

  // Promise D3
  test.each<{ name: string; values: JsonObject; shared: JsonObject }>([
    { name: 'as it was', values: { approved: true }, shared: { approved: true } },
    {
      name: 'with other arguments',
      values: { approved: true, editedArgs: { amount: 4 } },
      shared: { approved: true, editedArgs: { amount: 4 } },
    },
    { name: 'with a secret, which is left out', values: { approved: true, pin: '1' }, shared: { approved: true } },
  ])(
    'a tool call that was approved gets a substitute when the task ends without its result: $name',
    async ({ values, shared }) => {
      const log = ended(approvedLog(values));
      expect(resultsOf(log.events)).toEqual([{ decision: 'approved', values: shared, message: untold }]);
      const shown = await expectShown(log.events, [{ id: 'u-1', role: 'user', content: 'Book it' }]);
      expect(shown.messages.map(({ id }) => id)).toEqual(['u-1', 'm-ask', 'result:adk-7', 'hitl-a2a-1-1']);
    },
  );

  test('a tool call that was approved gets a substitute that names the policy when the clock approved it and the task fails', () => {
    const decision = aDecision({ values: { approved: true }, by: 'policy:finance' });
    const log = nextLog(pausedOn([aToolHold()]), { answered: [{ ...aToolHold(), status: 'expired', decision }] });
    const failed = ended(log, { kind: 'failed', code: 'agent_unreachable', message: 'gone' });
    expect(resultsOf(failed.events)).toMatchObject([{ decision: 'approved', by: 'policy:finance', message: untold }]);
  });

  // Promise D3
  test('a tool call that was approved gets a substitute when the agent asks the next question without a result of it', async () => {
    const log = approvedLog();
    const next = aPause({ holds: [aToolHold({ n: 2, tool: { callId: 'adk-8' } })] });
    const asked = withEvents(log, pauseEvents(log.p, next, ctx));
    expect(resultsOf(asked.events)).toMatchObject([{ decision: 'approved', message: untold }]);
    await expectShown(asked.events);
  });
});

describe('a tool call that was not decided', () => {
  // Promise G17
  test.each<{ end: TaskEnd; stage: string; why: string }>([
    {
      end: { kind: 'failed', code: 'hold_expired', message: 'Nobody answered' },
      stage: 'expired',
      why: 'no answer came in time',
    },
    { end: { kind: 'canceled', message: 'stopped' }, stage: 'cancelled', why: 'the task was cancelled' },
    { end: { kind: 'completed', message: '' }, stage: 'withdrawn', why: 'the question was withdrawn' },
  ])('a tool call that was not decided gets a result that it was not executed: $stage', async ({ end, stage, why }) => {
    const log = ended(nextLog(pausedOn([aToolHold()])), end);
    const message = `The call was not executed: ${why}.`;
    expect(resultsOf(log.events)).toEqual([{ decision: null, executed: false, status: stage, message }]);
    await expectShown(log.events);
  });

  test('a tool call that was not decided gets it when the agent asks something else instead', async () => {
    const log = nextLog(pausedOn([aToolHold()]));
    const asked = withEvents(
      log,
      pauseEvents(log.p, aPause({ holds: [aToolHold({ n: 2, tool: { callId: 'adk-8' } })] }), ctx),
    );
    expect(resultsOf(asked.events)).toMatchObject([{ status: 'withdrawn', executed: false }]);
    await expectShown(asked.events);
  });
});
