import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/contract/base/json.ts';
import { partsOfRun } from '../../../../src/wire/agui/input/message-parts.ts';
import { newUserMessage, outgoingMessages, type Included } from '../../../../src/wire/agui/input/new-message.ts';

const user = (id: string, content = id): JsonObject => ({ id, role: 'user', content });
const assistant = (id: string): JsonObject => ({ id, role: 'assistant', content: id });
const system: JsonObject = { id: 's-1', role: 'system', content: 'Be brief' };
const developer: JsonObject = { id: 'd-1', role: 'developer', content: 'Use tools' };
const tool = (id: string, content = '{"ok":true}'): JsonObject => ({ id, role: 'tool', toolCallId: 'c-1', content });

describe('a message is new', () => {
  test.each<{ name: string; messages: JsonObject[]; sent: string[]; kind: string | null }>([
    { name: 'when its id was not sent yet', messages: [user('u-1')], sent: [], kind: 'u-1' },
    {
      name: 'behind others that were',
      messages: [user('u-1'), assistant('a-1'), user('u-2')],
      sent: ['u-1'],
      kind: 'u-2',
    },
    { name: 'whatever came after it', messages: [user('u-1'), assistant('a-1')], sent: [], kind: 'u-1' },
    { name: 'never when it was sent', messages: [user('u-1'), assistant('a-1')], sent: ['u-1'], kind: null },
    { name: 'never when a later one was sent', messages: [user('u-1'), user('u-2')], sent: ['u-2'], kind: null },
    { name: 'never when there is none', messages: [assistant('a-1')], sent: [], kind: null },
  ])('a message is new $name', ({ messages, sent, kind: is }) => {
    expect(newUserMessage(messages, new Set(sent))?.['id'] ?? null).toBe(is);
  });
});

const included = (change: Partial<Included> = {}): Included => ({
  includeToolMessages: true,
  includeSystemMessages: false,
  includeDeveloperMessages: false,
  ...change,
});
const all = included({ includeSystemMessages: true, includeDeveloperMessages: true });

describe('what goes to the agent', () => {
  // Promise G22
  test.each<{ name: string; messages: JsonObject[]; options: Included; sent: string[] | null; are: string[] }>([
    {
      name: 'is the last user message alone',
      messages: [user('u-1'), user('u-2')],
      options: all,
      sent: null,
      are: ['u-2'],
    },
    {
      name: 'has tool messages with it, and others by option',
      messages: [system, developer, tool('t-1'), user('u-1')],
      options: included(),
      sent: null,
      are: ['t-1', 'u-1'],
    },
    {
      name: 'has all of them by option',
      messages: [system, developer, tool('t-1'), user('u-1')],
      options: all,
      sent: null,
      are: ['s-1', 'd-1', 't-1', 'u-1'],
    },
    {
      name: 'has none of what came before the assistant spoke',
      messages: [system, user('u-1'), assistant('a-1'), user('u-2')],
      options: all,
      sent: null,
      are: ['u-2'],
    },
    {
      name: 'has what was not sent, wherever it is, when that is known',
      messages: [system, user('u-1'), assistant('a-1'), user('u-2')],
      options: all,
      sent: ['u-1'],
      are: ['s-1', 'u-2'],
    },
    {
      name: 'may be the result of a tool alone',
      messages: [user('u-1'), assistant('a-1'), tool('t-1')],
      options: all,
      sent: null,
      are: ['t-1'],
    },
    {
      name: 'is nothing when there are only words of a system',
      messages: [user('u-1'), assistant('a-1'), system],
      options: all,
      sent: null,
      are: [],
    },
    {
      name: 'never has a result that Holdpoint told',
      messages: [assistant('a-1'), tool('result:c-1'), user('u-2')],
      options: all,
      sent: null,
      are: ['u-2'],
    },
    {
      name: 'leaves tool messages out by option',
      messages: [tool('t-1'), user('u-1')],
      options: included({ includeToolMessages: false }),
      sent: null,
      are: ['u-1'],
    },
  ])('what goes to the agent $name', ({ messages, options, sent, are }) => {
    const outgoing = outgoingMessages(messages, options, sent === null ? null : new Set(sent));
    expect(outgoing.map(({ id }) => id)).toEqual(are);
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
