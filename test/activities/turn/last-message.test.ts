// An agent's last words of a turn, as they come in pieces.
import { expect, test } from '@jest/globals';
import { lastMessageAfter, type LastMessage } from '../../../src/activities/turn/last-message.ts';
import type { NeutralPart, TurnEvent } from '../../../src/contract/tasks/turn.ts';
import { messageText } from '../../../src/wire/a2a/dialects/base/dialect.ts';

const text = (words: string): NeutralPart[] => [{ kind: 'text', text: words, metadata: {} }];
const message = (messageId: string, words: string, metadata = {}): TurnEvent => ({
  type: 'message',
  contextId: 'c-1',
  message: { messageId, role: 'agent', parts: text(words), metadata, extensions: [] },
});
const artifact = (artifactId: string, words: string, append: boolean): TurnEvent => ({
  type: 'artifact',
  a2aTaskId: 'a-1',
  contextId: 'c-1',
  artifact: { artifactId, name: '', description: '', parts: text(words), metadata: {} },
  append,
  lastChunk: false,
});
const piece = { agno_content_category: 'content' };

// Promise D15
test.each<[string, TurnEvent[], string]>([
  ['a message', [message('m-1', 'One'), message('m-2', 'May I?')], 'May I?'],
  ['pieces of one message', [message('m-1', 'May ', piece), message('m-1', 'I?', piece)], 'May I?'],
  ['a piece of another message', [message('m-1', 'One ', piece), message('m-2', 'May I?', piece)], 'May I?'],
  ['an artifact that grows', [artifact('r', 'May ', false), artifact('r', 'I?', true)], 'May I?'],
  ['an artifact that begins again', [artifact('r', 'One ', false), artifact('r', 'May I?', false)], 'May I?'],
  ['another artifact', [artifact('r', 'One ', false), artifact('s', 'May I?', true)], 'May I?'],
])('the last words of a turn are those of %s', (_what, events, expected) => {
  const words = events.reduce<LastMessage | null>(lastMessageAfter, null);
  expect(messageText(words?.message ?? null)).toBe(expected);
});
