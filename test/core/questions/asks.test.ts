// Words and metadata by which an agent asks without a pause.
import { describe, expect, test } from '@jest/globals';
import { AgentConfigSchema } from '../../../src/contract/configuration/agent-config.ts';
import { askedAtEnd, asksPeople, endedTaskOf } from '../../../src/core/questions/asks.ts';
import { aQuestion } from '../../rigs/factories.ts';

describe('asks.textPattern', () => {
  test.each([
    ['May I *?', 'May I pay 5 EUR?', true],
    ['may i *?', 'MAY I PAY?', true],
    ['May I *?', 'May I pay? I did.', false],
    ['*shall I go on*', 'I found three. Shall I go on, or stop?', true],
    ['Confirm: *', ' Confirm:\n\tpay 5 EUR ', true],
    ['*a*b*?', 'nothing of it', false],
    ['*?', '', false],
  ])('asks.textPattern %j finds a question in %j: %s', (textPattern, text, expected) => {
    expect(asksPeople({ textPattern }, { text, metadata: {} })).toBe(expected);
  });

  test('asks.textPattern is not slow on a text made to be slow, and never matches one that is too long', () => {
    const textPattern = `${'*a'.repeat(99)}*`;
    expect(asksPeople({ textPattern }, { text: 'a'.repeat(98) + 'b'.repeat(19_000), metadata: {} })).toBe(false);
    expect(asksPeople({ textPattern: 'a*' }, { text: 'a'.repeat(20_001), metadata: {} })).toBe(false);
  });
});

describe('asks.metadata', () => {
  test.each([
    [{ awaits: 'person' }, { awaits: 'person', more: 1 }, true],
    [{ awaits: 'person' }, { awaits: 'agent' }, false],
    [{ awaits: true, step: 2 }, { awaits: true }, false],
    [{ awaits: true, step: 2 }, { awaits: true, step: 2 }, true],
    [{ awaits: true }, {}, false],
  ])('asks.metadata %j finds a question in %j: %s', (wanted, metadata, expected) => {
    expect(asksPeople({ metadata: wanted }, { text: 'Done.', metadata })).toBe(expected);
  });
});

test.each([
  [{ textPattern: 'May I *?' }, true],
  [{ metadata: { awaits: true } }, true],
  [{ textPattern: '* *' }, false],
  [{ textPattern: `a${'*'.repeat(200)}` }, false],
  [{ metadata: {} }, false],
  [{}, false],
  [{ textPattern: 'May I *?', metadata: { awaits: true } }, false],
])('the configuration takes %j: %s', (asks, expected) => {
  expect(AgentConfigSchema.safeParse({ url: 'http://127.0.0.1:1/', asks }).success).toBe(expected);
});

test('a question that came with an end says which task ended, and others say nothing', () => {
  const question = aQuestion();
  expect([
    endedTaskOf([question]),
    endedTaskOf([askedAtEnd(question, 'a-1')]),
    endedTaskOf([askedAtEnd(question, null)]),
  ]).toEqual([undefined, 'a-1', null]);
});
