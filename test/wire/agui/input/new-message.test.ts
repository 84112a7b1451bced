import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/contract/base/json.ts';
import { partsOfRun } from '../../../../src/wire/agui/input/run-messages.ts';
import { outgoingMessages, type Included } from '../../../../src/wire/agui/input/new-message.ts';
import { mergeMessages } from '../../../../src/wire/agui/project/messages.ts';

const user = (id: string, content = id): JsonObject => ({ id, role: 'user', content });
const assistant = (id: string): JsonObject => ({ id, role: 'assistant', content: id });
const system: JsonObject = { id: 's-1', role: 'system', content: 'Be brief' };
const developer: JsonObject = { id: 'd-1', role: 'developer', content: 'Use tools' };
const tool = (id: string, content = '{"ok":true}'): JsonObject => ({ id, role: 'tool', toolCallId: 'c-1', content });

const included = (change: Partial<Included> = {}): Included => ({
  includeToolMessages: true,
  includeSystemMessages: false,
  includeDeveloperMessages: false,
  ...change,
});
const all = included({ includeSystemMessages: true, includeDeveloperMessages: true });

interface Selection {
  name: string;
  messages: JsonObject[];
  log?: JsonObject[];
  sent?: string[];
  options?: Included;
  are: string[];
}

const answered = [user('u-1'), assistant('a-1'), user('u-2'), assistant('a-2')];
const renamed = (messages: JsonObject[]): JsonObject[] =>
  messages.map((message, at) => ({ ...message, id: `x-${at}` }));
const called: JsonObject = { id: 'a-c', role: 'assistant', toolCalls: [{ id: 'c-1', type: 'function' }] };

describe('what goes to the agent', () => {
  // Promise G22
  test.each<Selection>([
    { name: 'is each new message', messages: [user('u-1'), user('u-2')], are: ['u-1', 'u-2'] },
    { name: 'is not what was sent', messages: [user('u-1'), user('u-2')], sent: ['u-1'], are: ['u-2'] },
    { name: 'has tool messages with it', messages: [system, developer, tool('t-1'), user('u-1')], are: ['t-1', 'u-1'] },
    {
      name: 'has all of them by option',
      messages: [system, developer, tool('t-1'), user('u-1')],
      options: all,
      are: ['s-1', 'd-1', 't-1', 'u-1'],
    },
    { name: 'has no words before the agent’s last', messages: [...answered, user('u-3')], are: ['u-3'] },
    { name: 'is nothing where the agent spoke last', messages: answered, are: [] },
    {
      name: 'has instructions that changed, at the front as they are',
      messages: [{ ...system, id: 's-2', content: 'Be long' }, ...answered, user('u-3')],
      log: [system, ...answered],
      options: all,
      are: ['s-2', 'u-3'],
    },
    {
      name: 'has no instructions that the thread has under another id',
      messages: [{ ...system, id: 's-2' }, ...answered, user('u-3')],
      log: [system, ...answered],
      options: all,
      are: ['u-3'],
    },
    { name: 'may be the result of a tool alone', messages: [user('u-1'), called, tool('t-1')], are: ['t-1'] },
    { name: 'is nothing with instructions alone', messages: [...answered, system], options: all, are: [] },
    {
      name: 'never has a result that Standfast wrote',
      messages: [called, tool('result:c-1'), user('u-2')],
      are: ['u-2'],
    },
    {
      name: 'never has a result of a call that has one in the log, whatever its id',
      messages: [user('u-1'), called, tool('c-1:tool'), user('u-2')],
      log: [user('u-1'), called, tool('result:c-1')],
      are: ['u-2'],
    },
    {
      name: 'leaves tool messages out by option',
      messages: [tool('t-1'), user('u-1')],
      options: included({ includeToolMessages: false }),
      are: ['u-1'],
    },
    { name: 'has no empty message', messages: [user('u-1', ' \n'), user('u-2'), user('u-3', '')], are: ['u-2'] },
    { name: 'is nothing when only empty ones are new', messages: [...answered, user('u-3', '')], are: [] },
  ])('what goes to the agent $name', ({ messages, log = [], sent = [], options = included(), are }) => {
    const outgoing = outgoingMessages(messages, options, { log, sent: new Set(sent) });
    expect(outgoing.map(({ id }) => id)).toEqual(are);
  });
});

/** A conversation: the words in small letters are the person's. */
const conversation = (...words: string[]): JsonObject[] =>
  words.map((content, at) => ({ id: `s-${at}`, role: /^[a-z]/.test(content) ? 'user' : 'assistant', content }));

describe('a transcript under ids of its own', () => {
  const news = { id: 'new', role: 'user', content: 'u-1' };
  // Promise G28
  test.each<Selection>([
    { name: 'is history', messages: renamed(answered), log: answered, are: [] },
    {
      name: 'is history where it ends with the person',
      messages: renamed(answered.slice(0, 3)),
      log: answered,
      are: [],
    },
    {
      name: 'is history without the agent’s words',
      messages: renamed([user('u-1'), user('u-2')]),
      log: answered,
      are: [],
    },
    {
      name: 'is history in another order',
      messages: renamed([user('u-2'), assistant('a-2'), user('u-1'), assistant('a-1')]),
      log: answered,
      are: [],
    },
    { name: 'is history by its end alone', messages: renamed([assistant('a-1'), user('u-2')]), log: answered, are: [] },
    {
      name: 'has one new message, with words that were there before',
      messages: [...renamed(answered), news],
      log: answered,
      are: ['new'],
    },
    {
      name: 'has one new message behind its end',
      messages: [...renamed(answered.slice(2)), news],
      log: answered,
      are: ['new'],
    },
    {
      name: 'has one new message where the agent’s words were put together',
      messages: [...renamed([user('u-1'), assistant('a-1a-2')]), news],
      log: [user('u-1'), assistant('a-1'), assistant('a-2')],
      are: ['new'],
    },
    {
      name: 'need not be sent for a new message',
      messages: [{ ...news, content: 'u-3' }],
      log: answered,
      are: ['new'],
    },
    { name: 'need not be sent for words of long ago', messages: [news], log: answered, are: ['new'] },
    {
      name: 'has one new message where AG-UI’s client put what it was restated behind what it had',
      messages: [user('u-2'), assistant('a-2'), user('u-1'), assistant('a-1'), { ...news, content: 'u-2' }],
      log: answered,
      are: ['new'],
    },
    // Joined, none of its agent's words before the last ones is in the log as it is.
    {
      name: 'has one new message where the agent’s words were put together, with words that were there before',
      messages: [
        ...renamed(conversation('yes', 'stop', 'Done.'.repeat(3), 'pay', 'Done.')),
        { ...news, content: 'pay' },
      ],
      log: conversation('yes', 'stop', 'Done.', 'Done.', 'Done.', 'pay', 'Done.'),
      are: ['new'],
    },
    // Its agent says the same again and again, and two neighbours before its last words changed places.
    {
      name: 'has one new message where its store changed the order before words that were there before',
      messages: [...renamed(conversation('yes', 'Paid.', 'yes', 'Done.', 'yes', 'Paid.')), { ...news, content: 'yes' }],
      log: conversation('yes', 'Paid.', 'yes', 'yes', 'Done.', 'Paid.'),
      are: ['new'],
    },
  ])('a transcript under ids of its own $name', ({ messages, log = [], are }) => {
    const outgoing = outgoingMessages(messages, included(), { log, sent: new Set(['u-1', 'u-2']) });
    expect(outgoing.map(({ id }) => id)).toEqual(are);
  });

  test('a transcript under ids of its own comes into the log by its new messages alone', () => {
    expect(mergeMessages(answered, [...renamed(answered), news])).toEqual([...answered, news]);
    expect(mergeMessages(answered, renamed(answered))).toEqual(answered);
    expect(mergeMessages([], renamed(answered))).toEqual(renamed(answered));
  });

  // Promise G28
  test('a call of which CopilotKit made a message of its own does not come into the log a second time', () => {
    const call = { id: 'c-1', type: 'function', function: { name: 'pay', arguments: '{}' } };
    const log = [user('u-1'), { ...assistant('a-1'), toolCalls: [call] }, tool('t-1')];
    const split = [user('u-1'), assistant('a-1'), { id: 'c-1', role: 'assistant', toolCalls: [call] }, tool('t-1')];
    expect(mergeMessages(log, [...split, news])).toEqual([...log, news]);
  });

  test('a message that only the front end has stays where other ids are the thread’s', () => {
    const hello = assistant('hello');
    expect(mergeMessages(answered, [hello, ...answered, news])).toEqual([...answered, hello, news]);
  });
});

describe('the parts of a run', () => {
  const body = (messages: JsonObject[], a2a: JsonObject = {}): JsonObject => ({ messages, forwardedProps: { a2a } });

  test('the parts of a run tell whose words are not the user’s, and give the result of a tool as words and as data', () => {
    const messages = [system, developer, tool('t-1'), user('u-1', 'Go')];
    const options = { includeSystemMessages: true, includeDeveloperMessages: true };
    expect(partsOfRun(body(messages, options))).toEqual([
      { kind: 'text', text: 'Be brief', metadata: { originalRole: 'system' } },
      { kind: 'text', text: 'Use tools', metadata: { originalRole: 'developer' } },
      { kind: 'text', text: '{"ok":true}', metadata: {} },
      { kind: 'data', data: { type: 'tool-result', toolCallId: 'c-1', payload: { ok: true } }, metadata: {} },
      { kind: 'text', text: 'Go', metadata: {} },
    ]);
  });

  test('the parts of a run are those of the messages that were chosen when the run came in', () => {
    const messages = [user('u-1'), assistant('a-1')];
    expect(partsOfRun(body(messages), ['u-1'])).toEqual([{ kind: 'text', text: 'u-1', metadata: {} }]);
    expect(partsOfRun(body(messages), [])).toEqual([]);
  });

  test('the parts of a run of a tool that answered in words have them as payload', () => {
    const [, data] = partsOfRun(body([tool('t-1', 'done')]));
    expect(data).toMatchObject({ data: { payload: 'done' } });
  });
});
