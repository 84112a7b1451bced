import { describe, expect, test } from '@jest/globals';
import { downgradeFor } from '../../../../src/wire/agui/project/downgrade.ts';

const finished = (outcome: {
  type: string;
  pendingToolCallIds?: string[];
  interrupts?: { id: string; reason: string }[];
}): { type: string; threadId: string; runId: string; outcome: typeof outcome } => ({
  type: 'RUN_FINISHED',
  threadId: 't-1',
  runId: 'r-1',
  outcome,
});

describe('a peer older than 1.0', () => {
  // Promise G10
  test('a peer older than 1.0 reads a cancelled run as success with its result', () => {
    const event = { ...finished({ type: 'cancelled' }), result: { status: 'CANCELED' } };
    expect(downgradeFor(event, undefined)).toEqual([{ ...event, outcome: { type: 'success' } }]);
  });

  // Promise G10
  test('a peer older than 1.0 gets no pendingToolCallIds', () => {
    const event = finished({ type: 'success', pendingToolCallIds: ['c-1'] });
    expect(downgradeFor(event, undefined)).toEqual([finished({ type: 'success' })]);
  });

  test('a peer older than 1.0 gets tool results as one text, also inside snapshots and the echoed input', () => {
    const parts = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ];
    const image = [{ type: 'image', source: { type: 'url', value: 'http://x/y.png' } }];
    const tool = { id: 'x', role: 'tool', toolCallId: 'c-1', content: image };
    const result = { type: 'TOOL_CALL_RESULT', messageId: 'x', toolCallId: 'c-1', content: parts };
    expect(downgradeFor(result, undefined)).toMatchObject([{ content: 'a\nb' }]);
    expect(downgradeFor({ type: 'MESSAGES_SNAPSHOT', messages: [tool] }, undefined)).toEqual([
      { type: 'MESSAGES_SNAPSHOT', messages: [{ ...tool, content: JSON.stringify(image) }] },
    ]);
    const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r', input: { messages: [tool] } };
    expect(downgradeFor(started, undefined)).toMatchObject([
      { input: { messages: [{ ...tool, content: JSON.stringify(image) }] } },
    ]);
  });

  test('a peer older than 1.0 gets the echoed input with the lists that it asks for', () => {
    const input = { threadId: 't', runId: 'r', messages: [] };
    const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r', input };
    expect(downgradeFor(started, undefined)).toEqual([{ ...started, input: { ...input, tools: [], context: [] } }]);
  });

  // Promise G10
  test('a peer older than 1.0 gets each question as a CUSTOM event on_interrupt before the outcome, for clients that know no outcomes', () => {
    const interrupts = [
      { id: 'hitl-1', reason: 'input_required' },
      { id: 'hitl-2', reason: 'tool_call' },
    ];
    const event = finished({ type: 'interrupt', interrupts });
    expect(downgradeFor(event, undefined)).toEqual([
      ...interrupts.map((value) => ({ type: 'CUSTOM', name: 'on_interrupt', value })),
      event,
    ]);
    expect(downgradeFor(event, '1.0')).toEqual([event]);
  });
});

test('a peer that names its version gets every event as it is', () => {
  const event = finished({ type: 'cancelled' });
  expect(downgradeFor(event, '1.0')).toEqual([event]);
});
