import { describe, expect, test } from '@jest/globals';
import type { ChatMessage } from '../../../src/contract/views/inbox.ts';
import type { AgentHistoryMessage } from '../../../src/contract/tasks/turn.ts';
import { type SentHere, mergeHistory } from '../../../src/api/tasks/merge-history.ts';
import { fc } from '../../rigs/properties.ts';

const kept = (id: string, role: ChatMessage['role'] = 'agent', text = `kept ${id}`): ChatMessage => ({
  id,
  role,
  by: role === 'agent' ? null : 'anna',
  at: '2026-11-21T09:00:00.000Z',
  text,
  files: [],
  holdId: /^(hold|end):/.test(id) ? id.replace(/^\w+:/, '') : null,
});
const historyMessage = (
  messageId: string,
  role: AgentHistoryMessage['role'] = 'agent',
  more: Partial<AgentHistoryMessage> = {},
): AgentHistoryMessage => ({
  messageId,
  role,
  text: `told ${messageId}`,
  files: [],
  hasData: false,
  ...more,
});
const sent = (change: Partial<SentHere> = {}): SentHere => ({
  own: new Set(['own-1', 'own-2', 'own-3']),
  lineOf: new Map([['own-1', 'u1']]),
  openingId: 'own-1',
  earlier: new Set(),
  hidden: new Set(),
  keepsIds: true,
  ...change,
});
const textsOf = (lines: readonly ChatMessage[]): string[] => lines.map(({ text }) => text.replace('kept ', ''));

const user = kept('u1', 'user');
const asked = [kept('q1'), kept('hold:1')];
const ended = kept('end:1', 'person');

describe('a line that only the agent knows', () => {
  // Promise Q44
  test('a line that only the agent knows is before the next one that both know, and the last ones are at the end', () => {
    const stored = [user, kept('a1'), ...asked, ended, kept('a2')];
    const history = [
      historyMessage('own-1', 'user'),
      historyMessage('n1'),
      historyMessage('a1'),
      historyMessage('q1'),
      historyMessage('n2', 'user'),
      historyMessage('n3'),
      historyMessage('a2'),
      historyMessage('n4', 'user'),
    ];
    expect(textsOf(mergeHistory(stored, history, sent()))).toEqual([
      'u1',
      'told n1',
      'a1',
      'q1',
      'hold:1',
      'end:1',
      'told n2',
      'told n3',
      'a2',
      'told n4',
    ]);
  });

  test('a line that only the agent knows is before our answer when the agent received it before', () => {
    const stored = [user, ...asked, ended, kept('a2')];
    const history = [
      historyMessage('own-1', 'user'),
      historyMessage('q1'),
      historyMessage('n1', 'user'),
      historyMessage('own-2', 'user'),
      historyMessage('n2'),
      historyMessage('a2'),
    ];
    expect(textsOf(mergeHistory(stored, history, sent()))).toEqual([
      'u1',
      'q1',
      'hold:1',
      'told n1',
      'end:1',
      'told n2',
      'a2',
    ]);
  });

  test('a line that only the agent knows of the time before an adoption comes before everything else', () => {
    // The adopting run wrote down the agent's message, after its own.
    const stored = [user, kept('h2'), kept('a1')];
    const history = [
      historyMessage('h1', 'user'),
      historyMessage('h2'),
      historyMessage('own-1', 'user'),
      historyMessage('a1'),
    ];
    const lines = mergeHistory(stored, history, sent());
    expect(textsOf(lines)).toEqual(['told h1', 'h2', 'u1', 'a1']);
    expect(lines[0]).toEqual({
      id: 'h1',
      role: 'person',
      by: null,
      at: null,
      text: 'told h1',
      files: [],
      holdId: null,
    });
  });

  test('a line that only the agent knows never goes back before an earlier message, in whatever order the agent returns it', () => {
    const stored = [kept('a1'), kept('a2')];
    const history = [historyMessage('a2'), historyMessage('n1'), historyMessage('a1'), historyMessage('n2')];
    expect(textsOf(mergeHistory(stored, history, sent()))).toEqual(['a1', 'a2', 'told n1', 'told n2']);
  });

  test('a line that only the agent knows is in its place also where the agent names a question after its answer', () => {
    const stored = [user, ...asked, ended, kept('a2')];
    const history = [
      historyMessage('own-1', 'user'),
      historyMessage('own-2', 'user'),
      historyMessage('q1'),
      historyMessage('a2'),
      historyMessage('n1'),
    ];
    expect(textsOf(mergeHistory(stored, history, sent()))).toEqual(['u1', 'q1', 'hold:1', 'end:1', 'a2', 'told n1']);
  });
});

describe('a line that both know', () => {
  test('a line that both know stays as it is kept here, and is shown once', () => {
    const stored = [user, kept('a1')];
    const history = [
      historyMessage('own-1', 'user', { text: 'altered' }),
      historyMessage('a1', 'agent', { text: 'altered' }),
      historyMessage('a1'),
    ];
    expect(mergeHistory(stored, history, sent())).toEqual(stored);
  });

  test('a line that both know is known by its words where the agent has no id for it, or another one each time', () => {
    const stored = [user, kept('a1', 'agent', 'Hello'), kept('a2', 'agent', 'Hello')];
    const named = [historyMessage('x1', 'agent', { text: 'Hello' }), historyMessage('x2', 'agent', { text: 'Hello' })];
    expect(mergeHistory(stored, named, sent())).toEqual(stored);
    const nameless = [...named, historyMessage('', 'agent', { text: 'Hello' })].map((one) => ({
      ...one,
      messageId: '',
    }));
    expect(textsOf(mergeHistory(stored, nameless, sent()))).toEqual(['u1', 'Hello', 'Hello', 'Hello']);
  });

  test('a line that both know is the explanation of a pause also under the id that was free for it', () => {
    const stored = [user, kept('q1:explanation')];
    expect(mergeHistory(stored, [historyMessage('q1')], sent())).toEqual(stored);
  });
});

describe('what is never taken from an agent', () => {
  test.each<[string, AgentHistoryMessage, Partial<SentHere>]>([
    ['our own message in its words', historyMessage('own-2', 'user', { text: 'canary' }), {}],
    ['a message of its own under an id of ours', historyMessage('own-2', 'agent', { text: 'canary' }), {}],
    ['one under the id of a person’s line', historyMessage('u1', 'agent', { text: 'canary' }), {}],
    ['one under the id of a question', historyMessage('hold:1', 'agent', { text: 'canary' }), {}],
    ['one under the id of an answer', historyMessage('end:1', 'user', { text: 'canary' }), {}],
    ['what a person answered in data', historyMessage('n1', 'user', { text: 'canary', hasData: true }), {}],
    [
      'what a person said, when it gives our messages ids of its own',
      historyMessage('n1', 'user', { text: 'canary' }),
      { keepsIds: false },
    ],
    ['what another of our tasks said', historyMessage('n1', 'user', { text: 'canary' }), { hidden: new Set(['n1']) }],
    ['a message without a word', historyMessage('n1', 'agent', { text: '' }), {}],
  ])('what is never taken from an agent is %s', (_what, message, change) => {
    const stored = [user, ...asked, ended];
    expect(mergeHistory(stored, [message], sent(change))).toEqual(stored);
  });

  test('what is never taken from an agent is the same twice; other words under the same id are another line', () => {
    const history = [
      historyMessage('n1'),
      historyMessage('n1'),
      historyMessage('n1', 'agent', { text: 'other' }),
      historyMessage('n1', 'agent', { text: 'other' }),
    ];
    const lines = mergeHistory([], history, sent());
    expect(lines.map(({ id, text }) => [id, text])).toEqual([
      ['n1', 'told n1'],
      ['n1~2', 'other'],
    ]);
  });

  test('what is never taken from an agent is an id that resembles one of Standfast', () => {
    expect(mergeHistory([], [historyMessage('artifact:a:b')], sent())[0]?.id).toBe('message:artifact:a:b');
  });
});

// Promise Q44
test('whatever an agent returns, every line of Standfast is shown once and every id is another', () => {
  const ids = fc.constantFrom(
    '',
    'own-1',
    'own-2',
    'own-3',
    'u1',
    'a1',
    'q1',
    'q1~2',
    'hold:1',
    'end:1',
    'a2',
    'n1',
    'n2',
  );
  const message = fc.record({
    messageId: ids,
    role: fc.constantFrom<AgentHistoryMessage['role']>('agent', 'user'),
    text: fc.constantFrom('', 'kept a1', 'x', 'y'),
    files: fc.constant<AgentHistoryMessage['files']>([]),
    hasData: fc.boolean(),
  });
  const stored = [user, kept('a1'), ...asked, ended, kept('a2')];
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), fc.boolean(), (history, keepsIds) => {
      const lines = mergeHistory(stored, history, sent({ keepsIds }));
      expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
      const merged = lines.filter((line) => stored.includes(line));
      expect(merged.toSorted((a, b) => stored.indexOf(a) - stored.indexOf(b))).toEqual(stored);
    }),
  );
});
