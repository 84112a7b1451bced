// A framework's result that is a list of calls which wait for approval (pydantic-ai behind fasta2a 2.1, as it sends it).
import { expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../../src/contract/base/json.ts';
import { endEvents } from '../../../../src/wire/agui/project/end.ts';
import { pendingApprovalsText } from '../../../../src/wire/agui/project/pending-approvals.ts';
import { expectShown } from '../real-client.ts';
import { afterTurn, ctx, startLog, status } from '../scene.ts';

const call = (invoice: number, args: Json = JSON.stringify({ invoice, to: 'Miller Ltd' })): JsonObject => ({
  tool_name: 'pay',
  args,
  tool_call_id: `call-${invoice}`,
  tool_kind: null,
  part_kind: 'tool-call',
});
const resultOf = (...approvals: JsonObject[]): JsonObject => ({ result: { calls: [], approvals, metadata: {} } });

// Promise D16
test('a run that ends with pending approvals says which calls were not executed', async () => {
  const data = resultOf(call(1), call(2));
  const log = afterTurn(
    startLog(),
    {
      type: 'artifact',
      a2aTaskId: 'a2a-1',
      contextId: 'c-1',
      artifact: {
        artifactId: 'b52c',
        name: 'result',
        description: '',
        parts: [{ kind: 'data', data, metadata: {} }],
        metadata: {},
      },
      append: false,
      lastChunk: true,
    },
    status('completed', null),
  );
  const shown = await expectShown([...log.events, ...endEvents(log.p, { kind: 'completed', message: '' }, ctx)]);
  expect(shown.messages.at(-1)).toMatchObject({
    role: 'assistant',
    content: [
      'The agent ended with calls that wait for approval. Its framework takes no approval over A2A, so they were not executed:',
      '',
      '- pay {"invoice":1,"to":"Miller Ltd"}',
      '- pay {"invoice":2,"to":"Miller Ltd"}',
    ].join('\n'),
  });
});

test.each<[string, JsonObject, string | null]>([
  ['arguments as an object', { a: resultOf(call(1, { invoice: 1 })) }, '- pay {"invoice":1}'],
  ['no arguments', { a: resultOf(call(1, null)) }, '- pay'],
  ['one of several parts', { a: ['text', resultOf(call(1, null))] }, '- pay'],
  ['long arguments', { a: resultOf(call(1, 'x'.repeat(600))) }, `- pay ${'x'.repeat(500)}…`],
  ['many calls', { a: resultOf(...Array.from({ length: 60 }, () => call(1, null))) }, '- and 10 more'],
  ['none pending', { a: resultOf() }, null],
  ['a result of its own', { a: { result: { approvals: [call(1)] } } }, null],
  ['calls of another shape', { a: { result: { calls: [], approvals: ['pay', { tool_name: 'pay' }] } } }, null],
  ['no artifacts', {}, null],
])('calls that wait for approval at the end are shown in words: %s', (_what, artifacts, expected) => {
  const text = pendingApprovalsText(artifacts);
  expect(text === null ? null : text.split('\n').at(-1)).toBe(expected);
});
