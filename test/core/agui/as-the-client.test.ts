// The reducer of messages does what the real @ag-ui/client does with the same events, chunks among them.
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { AguiEvent } from '../../../src/contract/tasks/run.ts';
import { expandChunk, type OpenChunk } from '../../../src/core/agui/chunks.ts';
import { reduceMessages } from '../../../src/core/agui/messages.ts';
import { fc } from '../../rigs/properties.ts';
import { show } from '../../wire/agui/real-client.ts';

function reduced(events: readonly AguiEvent[]): JsonObject[] {
  let messages: JsonObject[] = [];
  let open: OpenChunk | null = null;
  for (const event of events) {
    const [whole, next]: [AguiEvent[], OpenChunk | null] = expandChunk(open, event);
    open = next;
    for (const one of whole) messages = reduceMessages(messages, one);
  }
  return messages;
}

const words = fc.string({ minLength: 1, maxLength: 6 });
const deltas = fc.array(words, { maxLength: 3 });
const textId = fc.constantFrom('m1', 'm2', 'm3');
const callId = fc.constantFrom('c1', 'c2', 'c3');
const role = fc.constantFrom('assistant', 'user');
/** As a stream may bring it: begun, gone on with, ended. */
type Block = AguiEvent[];

const text = fc
  .record({ id: textId, role, deltas, metadata: fc.boolean() })
  .map(({ id, role: by, deltas: all, metadata }): Block => [
    { type: 'TEXT_MESSAGE_START', messageId: id, role: by, ...(metadata && { metadata: { from: by } }) },
    ...all.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta })),
    { type: 'TEXT_MESSAGE_END', messageId: id, ...(metadata && { metadata: { ended: true } }) },
  ]);
const textChunks = fc
  .tuple(textId, words, deltas)
  .map(([messageId, first, rest]): Block => [
    { type: 'TEXT_MESSAGE_CHUNK', messageId, role: 'assistant', delta: first },
    ...rest.map((delta) => ({ type: 'TEXT_MESSAGE_CHUNK', delta })),
  ]);
const reasoning = fc
  .tuple(fc.constantFrom('r1', 'r2'), deltas)
  .map(([messageId, all]): Block => [
    { type: 'REASONING_START', messageId: `${messageId}-span` },
    { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
    ...all.map((delta) => ({ type: 'REASONING_MESSAGE_CONTENT', messageId, delta })),
    { type: 'REASONING_MESSAGE_END', messageId },
    { type: 'REASONING_END', messageId: `${messageId}-span` },
  ]);
const reasoningChunks = fc
  .tuple(fc.constantFrom('r1', 'r2'), words)
  .map(([messageId, delta]): Block => [{ type: 'REASONING_MESSAGE_CHUNK', messageId, delta }]);
const call = fc
  .record({ id: callId, name: words, parent: fc.option(textId, { nil: undefined }), deltas, answer: fc.option(words) })
  .map(({ id, name, parent, deltas: all, answer }): Block => {
    const result = { type: 'TOOL_CALL_RESULT', messageId: `result-${id}`, toolCallId: id, content: answer ?? '' };
    return [
      {
        type: 'TOOL_CALL_START',
        toolCallId: id,
        toolCallName: name,
        ...(parent !== undefined && { parentMessageId: parent }),
      },
      ...all.map((delta) => ({ type: 'TOOL_CALL_ARGS', toolCallId: id, delta })),
      { type: 'TOOL_CALL_END', toolCallId: id },
      ...(answer === null ? [] : [result]),
    ];
  });
/** By the name of its id: a chunk that gives an open call another name is an error of the stream. */
const callChunks = fc
  .tuple(callId, words, deltas)
  .map(([toolCallId, first, rest]): Block => [
    { type: 'TOOL_CALL_CHUNK', toolCallId, toolCallName: `tool-${toolCallId}`, delta: first },
    ...rest.map((delta) => ({ type: 'TOOL_CALL_CHUNK', delta })),
  ]);
const cardId = fc.constantFrom('k1', 'k2');
const card = fc
  .record({ messageId: cardId, content: fc.dictionary(fc.constantFrom('a', 'b'), fc.nat()), replace: fc.boolean() })
  .map((made): Block => [{ type: 'ACTIVITY_SNAPSHOT', activityType: 'HITL_FORM', ...made }]);
const cardPatch = fc
  .record({ messageId: cardId, op: fc.constantFrom('add', 'replace'), at: fc.constantFrom('/a', '/b'), n: fc.nat() })
  .map(({ messageId, op, at, n }): Block => {
    const patch = [{ op, path: at, value: n }];
    return [{ type: 'ACTIVITY_DELTA', messageId, activityType: 'HITL_FORM', patch }];
  });
const listed = fc.oneof(
  fc.tuple(textId, role, words).map(([id, by, content]): JsonObject => ({ id, role: by, content })),
  fc.tuple(fc.constantFrom('r1', 'r3'), words).map(([id, content]): JsonObject => ({ id, role: 'reasoning', content })),
  cardId.map((id): JsonObject => ({ id, role: 'activity', activityType: 'HITL_FORM', content: { a: 1 } })),
);
const snapshot = fc
  .uniqueArray(listed, { maxLength: 4, selector: ({ id }) => id })
  .map((messages): Block => [{ type: 'MESSAGES_SNAPSHOT', messages }]);
const blocks = fc.array(
  fc.oneof(text, textChunks, reasoning, reasoningChunks, call, callChunks, card, cardPatch, snapshot),
  { maxLength: 10 },
);

const asRun = (made: readonly Block[]): AguiEvent[] => [
  { type: 'RUN_STARTED', threadId: 't-1', runId: 'r-1' },
  ...made.flat(),
  { type: 'RUN_FINISHED', threadId: 't-1', runId: 'r-1' },
];

describe('the reducer of messages', () => {
  test('the reducer of messages comes to what the real client holds, whatever a stream brings', async () => {
    await fc.assert(
      fc.asyncProperty(blocks, async (made) => {
        const events = asRun(made);
        expect(reduced(events)).toEqual((await show(events)).messages);
      }),
    );
  });

  test('the reducer of messages takes what a run brings with it, and a chunk without an id that follows none as nothing', () => {
    const input = { messages: [{ id: 'u', role: 'user', content: 'hello' }] };
    const events = [
      { type: 'RUN_STARTED', threadId: 't-1', runId: 'r-1', input },
      { type: 'TEXT_MESSAGE_CHUNK', delta: 'lost' },
    ];
    expect(reduced(events)).toEqual(input.messages);
  });

  test('the reducer of messages keeps what a list says again as the same object', () => {
    const messages: JsonObject[] = [{ id: 'u', role: 'user', content: 'hello' }];
    const again = reduceMessages(messages, { type: 'MESSAGES_SNAPSHOT', messages: structuredClone(messages) });
    expect(again[0]).toBe(messages[0]);
  });
});
