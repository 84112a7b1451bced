// An agent whose pause is in its memory alone still waits after a restart, and has no words for it.
import { describe, expect, test } from '@jest/globals';
import { askingBefore, outcomeOf } from '../../../src/activities/turn/turn-end.ts';
import type { TurnOutcome } from '../../../src/contract/tasks/turn.ts';
import type { SeenEnd } from '../../../src/core/turn/follow-state.ts';
import { newTurnView } from '../../../src/core/turn/view.ts';
import { readPause } from '../../../src/wire/a2a/dialects/registry.ts';

type Message = SeenEnd['event']['message'];
const worded = (text: string): Message => ({
  messageId: 'm',
  role: 'agent',
  parts: [{ kind: 'text', text, metadata: {} }],
  metadata: {},
  extensions: [],
});
const paused = (message: Message, before: readonly Message[]): TurnOutcome => {
  const previous = before
    .flatMap((one) => readPause({ state: 'input-required', message: one, a2aTaskId: 't' }).questions)
    .map((question) => ({ question, values: null }));
  const event = { type: 'status' as const, a2aTaskId: 't', contextId: 'c', state: 'input-required' as const, message };
  const end: SeenEnd = { kind: 'seen', event, isUnanswered: false, refusal: null, reason: '' };
  return outcomeOf(
    end,
    newTurnView({ a2aTaskId: 't', contextId: 'c', pauseMessageId: null, isReplying: false }),
    askingBefore(previous),
  );
};

// Promise B9h
describe('a pause without words', () => {
  test('a pause without words of an agent that asked in words before fails its task, and people are not asked', () => {
    for (const message of [null, worded('')])
      expect(paused(message, [worded('Pay 100 EUR?')])).toMatchObject({
        kind: 'failed',
        code: 'agent_failed',
        message: expect.stringContaining('the agent has forgotten it'),
      });
  });

  test('a pause without words of an agent that never used any, or with new ones, is a question', () => {
    expect(paused(null, [])).toMatchObject({ kind: 'paused' });
    expect(paused(null, [null])).toMatchObject({ kind: 'paused' });
    expect(paused(worded('Really?'), [worded('Pay 100 EUR?')])).toMatchObject({ kind: 'paused' });
  });
});
