import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../src/contract/base/json.ts';
import type { AguiEvent } from '../../../src/contract/tasks/run.ts';
import { problems } from '../../../src/contract/base/problem.ts';
import {
  afterEvent,
  emptyTalk,
  historyOf,
  itemsAbove,
  type OpenQuestion,
  type Talk,
  withOwnMessage,
} from '../../../web/src/chat/conversation-state.ts';
import { failureOf } from '../../../web/src/chat/failure.ts';
import { withExample } from '../../../web/src/chat/with-example.ts';
import { describeProblem } from '../../../web/src/hold/words/problem-words.ts';
import { resumeOf } from '../../../web/src/chat/resume.ts';
import { fc } from '../../rigs/properties.ts';

const reduce = (events: AguiEvent[], from: Talk = emptyTalk): Talk => events.reduce(afterEvent, from);
const started: AguiEvent = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const interrupted: AguiEvent = {
  type: 'RUN_FINISHED',
  outcome: {
    type: 'interrupt',
    interrupts: [
      {
        id: 'hitl-1',
        reason: 'input_required',
        metadata: { standfast: { holdId: 'h-1', mayDecide: false, audience: ['role:x', 1] } },
      },
      { id: 'hitl-2' },
    ],
  },
};

describe('a thread on the chat page', () => {
  test('a thread on the chat page puts streamed words together, message by message', () => {
    const talk = reduce([
      started,
      { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'Hel' },
      { type: 'TEXT_MESSAGE_START', messageId: 'm2' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'lo' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm2', delta: 'you' },
    ]);
    expect(talk.run).toBe('running');
    expect(talk.items).toEqual([
      { kind: 'text', id: 'm1', role: 'assistant', text: 'Hello' },
      { kind: 'text', id: 'm2', role: 'assistant', text: 'you' },
    ]);
  });

  test('ends with its open questions, and parks of them when a run ends otherwise', () => {
    const talk = reduce([started, interrupted]);
    expect(talk.open).toEqual([
      { interruptId: 'hitl-1', holdId: 'h-1', mayDecide: false, message: '', audience: ['role:x'], foreign: null },
      {
        interruptId: 'hitl-2',
        holdId: 'hitl-2',
        mayDecide: true,
        message: '',
        audience: [],
        foreign: { id: 'hitl-2' },
      },
    ]);
    expect(reduce([started, { type: 'RUN_FINISHED' }], talk).open).toEqual([]);
  });

  test('a thread on the chat page keeps its open questions when a run is refused', () => {
    const talk = reduce([started, interrupted, { type: 'RUN_ERROR', code: 'interrupts_pending', message: 'x' }]);
    expect(talk.open).toHaveLength(2);
    expect(talk).toMatchObject({ run: 'failed', error: { code: 'interrupts_pending' } });
  });

  test('a thread on the chat page shows tool calls with arguments and result, and reasoning apart from answers', () => {
    const talk = reduce([
      { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'pay' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{"a"' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: ':1}' },
      { type: 'TOOL_CALL_RESULT', messageId: 'm', toolCallId: 'c', content: 'done' },
      { type: 'REASONING_MESSAGE_START', messageId: 'r', role: 'reasoning' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r', delta: 'hm' },
    ]);
    expect(talk.items).toEqual([
      { kind: 'tool', id: 'c', name: 'pay', args: '{"a":1}', result: 'done' },
      { kind: 'reasoning', id: 'r', text: 'hm' },
    ]);
  });

  test('a thread on the chat page shows words and calls that come in chunks, and keeps a result that a list has, too', () => {
    const events: AguiEvent[] = [
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'He' },
      { type: 'TEXT_MESSAGE_CHUNK', delta: 'llo' },
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'pay', delta: '{}' },
      { type: 'TOOL_CALL_RESULT', messageId: 'r', toolCallId: 'c', content: 'paid' },
    ];
    const words = { kind: 'text', id: 'm', role: 'assistant', text: 'Hello' };
    const call = { kind: 'tool', id: 'c', name: 'pay', args: '{}', result: 'paid' };
    const talk = reduce(events);
    expect(talk.items).toEqual([words, call]);
    const snapshot: AguiEvent = { type: 'MESSAGES_SNAPSHOT', messages: structuredClone(talk.messages) };
    const again = reduce([snapshot], talk);
    expect(again.items).toEqual([words, call]);
    // What says the same is not drawn again.
    expect(again.items.map((item, at) => item === talk.items[at])).toEqual([true, true]);
    expect(reduce([snapshot]).items).toEqual([words, call]);
  });

  test('a thread on the chat page shows words whose message has the id of a call', () => {
    const talk = reduce([
      { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'pay' },
      { type: 'TEXT_MESSAGE_START', messageId: 'c' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'c', delta: 'Paying.' },
    ]);
    expect(talk.items).toEqual([
      { kind: 'text', id: 'c', role: 'assistant', text: 'Paying.' },
      { kind: 'tool', id: 'c', name: 'pay', args: '', result: null },
    ]);
  });

  test('a thread on the chat page takes the server’s list for what it lists, in the order that was seen', () => {
    const talk = reduce([
      { type: 'TEXT_MESSAGE_START', messageId: 'a' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'a', delta: 'half' },
      {
        type: 'ACTIVITY_SNAPSHOT',
        messageId: 'hitl-1',
        activityType: 'HITL_FORM',
        content: { stage: 'awaiting_input' },
      },
      {
        type: 'MESSAGES_SNAPSHOT',
        messages: [
          { id: 'u', role: 'user', content: 'hello' },
          { id: 'a', role: 'assistant', content: 'half and whole' },
        ],
      },
    ]);
    expect(talk.items.map(({ id }) => id)).toEqual(['a', 'hitl-1', 'u']);
    expect(talk.items[0]).toMatchObject({ text: 'half and whole' });
  });

  test('a thread on the chat page of a fresh page is the list in its own order', () => {
    const messages = [
      { id: 'u', role: 'user', content: [{ type: 'text', text: 'hello' }] },
      { id: 'a', role: 'assistant', content: '', toolCalls: [{ id: 'c', function: { name: 'pay', arguments: '{}' } }] },
      { id: 'k', role: 'activity', activityType: 'HITL_FORM', content: {} },
    ];
    expect(reduce([{ type: 'MESSAGES_SNAPSHOT', messages }]).items.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'text u',
      'tool c',
      'card k',
    ]);
  });

  test('a thread on the chat page sends its history as words alone', () => {
    const talk = withOwnMessage(reduce([{ type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'x' }]), 'u', 'hi');
    expect(historyOf(talk)).toEqual([{ id: 'u', role: 'user', content: 'hi' }]);
  });

  // Promise S74
  test('a thread on the chat page sends its calls, too, to a server that is not Standfast’s and asks: it may keep nothing', () => {
    const call = (toolCallId: string, delta: string): AguiEvent[] => [
      { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'pay' },
      { type: 'TOOL_CALL_ARGS', toolCallId, delta },
    ];
    const result = { type: 'TOOL_CALL_RESULT', toolCallId: 'b', content: 'paid' };
    const outcome = { type: 'interrupt', interrupts: [{ id: 'int-a', reason: 'tool_call', toolCallId: 'a' }] };
    const events = [...call('a', '{"n":1}'), ...call('b', '{}'), result, { type: 'RUN_FINISHED', outcome }];
    const made = (id: string, text: string): object => ({
      id,
      type: 'function',
      function: { name: 'pay', arguments: text },
    });
    expect(historyOf(reduce(events))).toEqual([
      { id: 'a', role: 'assistant', toolCalls: [made('a', '{"n":1}')] },
      { id: 'b', role: 'assistant', toolCalls: [made('b', '{}')] },
      { id: 'result-b', role: 'tool', toolCallId: 'b', content: 'paid' },
    ]);
    // A server that repeats what it was sent shows nothing twice.
    const talk = reduce(events.with(4, { ...result, messageId: 'r' }));
    const sent: Json = JSON.parse(JSON.stringify(historyOf(talk)));
    const again = reduce([{ ...started, input: { messages: sent } }], talk);
    expect(again.items).toEqual(talk.items);
  });

  test('a thread on the chat page passes over what it does not know, whatever comes', () => {
    const json = fc.jsonValue().map((value): Json => JSON.parse(JSON.stringify(value)));
    const anything = fc.record({
      type: fc.constantFrom('MESSAGES_SNAPSHOT', 'ACTIVITY_DELTA', 'RUN_FINISHED', 'CUSTOM', 'NEW'),
      messages: json,
      patch: json,
      outcome: json,
      messageId: json,
    });
    fc.assert(fc.property(fc.array(anything), (events) => void reduce(events)));
  });
});

test('an answer goes on with the run: values as payload, digest and reason next to it', () => {
  expect(resumeOf('i', { status: 'resolved', values: { a: 1 }, digest: 'd' })).toEqual({
    interruptId: 'i',
    status: 'resolved',
    payload: { a: 1 },
    metadata: { digest: 'd' },
  });
  expect(resumeOf('i', { status: 'cancelled', reason: 'no', digest: 'd' })).toEqual({
    interruptId: 'i',
    status: 'cancelled',
    metadata: { digest: 'd', reason: 'no' },
  });
});

test('how a run failed does not repeat what the agent wrote last, and offers nothing that cannot help', () => {
  const failed = (code: string, message: string, words: string) =>
    failureOf({ items: [{ kind: 'text', id: 'm', role: 'assistant', text: words }], error: { code, message } }, 'Bot');
  expect(failed('agent_failed', 'out of paper', 'Out of luck')).toEqual({
    words: 'Bot failed: “out of paper”.',
    isFinal: true,
  });
  expect(failed('agent_failed', 'out of paper', ' out of paper')).toEqual({ words: 'Bot failed.', isFinal: true });
  for (const code of ['store_unavailable', 'delivery_unknown', 'busy'])
    expect(failed(code, '', '')?.isFinal).toBe(false);
  expect(failureOf({ items: [], error: null }, 'Bot')).toBeNull();
});

test('what an open question says itself is not shown above it as well, and neither is its card', () => {
  const words = (id: string, text: string, role: 'assistant' | 'user' = 'assistant') =>
    ({ kind: 'text', id, role, text }) as const;
  const card = { kind: 'card', id: 'q', type: 'HITL_FORM', content: {} } as const;
  const asks = (message: string, mayDecide = true): OpenQuestion[] => [
    { interruptId: 'q', holdId: 'h', mayDecide, message, audience: [], foreign: null },
  ];
  const items = [words('a', 'What is your limit?'), words('b', 'What is your limit? '), card];
  const ids = (asked: OpenQuestion[]): string[] => itemsAbove(items, asked).map(({ id }) => id);
  expect(ids(asks('What is your limit?'))).toEqual(['a']);
  expect(ids(asks('Another?'))).toEqual(['a', 'b']);
  // Who may not decide sees no question below.
  expect(ids(asks('What is your limit?', false))).toEqual(['a', 'b']);
  expect(ids([])).toEqual(['a', 'b', 'q']);
  expect(itemsAbove([words('c', 'Why?', 'user')], asks('Why?'))).toHaveLength(1);
});

test('how a run failed is shown by its code, with the agent’s text alone, in quotes', () => {
  expect(describeProblem({ code: 'interrupts_pending', message: '' }, 'x')).toBe(
    'Please answer the open question first.',
  );
  expect(describeProblem({ code: 'agent_failed', message: 'out of paper' }, 'expenses')).toBe(
    'expenses failed: “out of paper”.',
  );
  // The agent's own full stop is not a second one.
  expect(describeProblem({ code: 'agent_failed', message: 'Out of paper. ' }, 'x')).toBe('x failed: “Out of paper”.');
  // Members for programs next to a code are not for people.
  const raw = 'thread t-1 belongs to somebody else';
  const isRaw = (code: string): boolean => describeProblem({ code, message: raw }, 'x').includes(raw);
  // Of runs that the chat starts.
  const notOfRuns = ['bulk_not_allowed', 'execution_lost', 'not_restartable', 'sign_in_unavailable'];
  expect(
    Object.keys(problems).filter((code) => isRaw(code) && !notOfRuns.includes(code) && !code.startsWith('engram_')),
  ).toEqual(['agent_failed']);
});

test.each([
  ['', 'A train to Lyon'],
  ['  ', 'A train to Lyon'],
  ['A hotel in Graz', 'A train to Lyon'],
  ['For Rita:', 'For Rita:\nA train to Lyon'],
  ['A hotel in Graz, and', 'A hotel in Graz, and\nA train to Lyon'],
])('an example of the chat keeps what was typed, and takes the place of another example: %j', (typed, after) => {
  expect(withExample(typed, 'A train to Lyon', ['A train to Lyon', 'A hotel in Graz'])).toBe(after);
});
