import { chatEndWords } from '../../../web/src/hold/record/chat-end.ts';
import { describe, expect, test } from '@jest/globals';
import { problems } from '../../../src/contract/base/problem.ts';
import { maxAnswerBytes } from '../../../src/core/task/answer-size.ts';
import { answerKib, failureWords, describeWaiting } from '../../../web/src/hold/answer/failure-words.ts';
import { controlsOf, pruned, withLabels, withoutClosed } from '../../../web/src/hold/form/draw-schema.ts';
import { blocksOf } from '../../../web/src/hold/form/blocks.ts';
import { brokenLine, lineOf } from '../../../web/src/hold/form/json-lines.ts';
import { serverPath } from '../../../web/src/hold/form/form-handle.ts';
import { missingIn } from '../../../web/src/hold/answer/flat-check.ts';
import {
  actorWords,
  formatAudience,
  audienceWords,
  deciderWords,
  objectWords,
  othersWords,
} from '../../../web/src/hold/words/people.ts';
import { noMeans, yesMeans } from '../../../web/src/hold/decide/means.ts';
import { formatStep } from '../../../web/src/hold/words/step-words.ts';
import { oneLine } from '../../../web/src/base/text/visible.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import type { EndName } from '../../../src/contract/holds/hold.ts';
import type { TimelineEntry } from '../../../src/contract/views/inbox.ts';
import { effectOf, entryWords, stationsOf, timelineLines } from '../../../web/src/task/task-words.ts';

const hold: Parameters<typeof failureWords>[1] = {
  audience: ['role:finance'],
  exclude: [],
  requester: 'bob',
  expires: { at: null, then: 'fail', clock: 'wall' },
  ended: null,
  kind: 'confirmation',
  decides: null,
  schema: {},
};
const refusal = (code: string, data: Record<string, unknown> = {}): Parameters<typeof failureWords>[0] => ({
  code,
  errors: [],
  data,
  requestId: 'r-1',
});
const clock = (iso: string): string => iso.slice(11, 16);

describe('a refused answer', () => {
  test('a refused answer is explained with who, what and when', () => {
    const ended = { by: 'cem', at: '2026-01-01T14:03:00Z', why: 'approved' };
    expect(failureWords(refusal('hold_closed', { ended }), hold, clock)).toBe(
      'cem already approved this at 14:03. Your answer was not sent.',
    );
    expect(failureWords(refusal('hold_closed', { ended: { ...ended, why: 'superseded' } }), hold, clock)).toBe(
      'The agent asked again. Your answer was not sent.',
    );
    expect(failureWords(refusal('interrupt_expired', { ended }), hold, clock)).toBe(
      'Too late: this ended at 14:03, and the task failed.',
    );
    expect(failureWords(refusal('not_allowed_to_decide'), hold, clock)).toBe('You can read this; finance decides.');
  });

  test('a refused answer has words for every code a decision can meet, and none shows the code', () => {
    for (const code of Object.keys(problems)) {
      const text = failureWords(refusal(code), hold, clock);
      expect(text.length).toBeGreaterThan(10);
      expect(text).not.toContain('_');
    }
    expect(failureWords(refusal('brand_new'), hold, clock)).toContain('r-1');
  });

  // Promise S42
  test('a refused answer that is too long is shown its size, what is taken, and which field to shorten', () => {
    expect(answerKib * 1024).toBe(maxAnswerBytes);
    const textFor = (values: Record<string, unknown>): string =>
      failureWords(refusal('too_large'), { ...hold, schema: { properties: { cost_note: {} } } }, clock, values);
    expect(textFor({ short: 'a', cost_note: 'é'.repeat(200_000) })).toBe(
      'Too long: 391 KiB of 256 KiB. Shorten Cost note.',
    );
    expect(textFor({ short: 'a' })).toBe('Too long. Please shorten your answer.');
  });

  test('a refused answer that may have arrived says that nothing happens twice', () => {
    expect(describeWaiting('decision_not_confirmed', 3_000)).toContain('in 3 s. Nothing happens twice.');
    expect(describeWaiting(null, 3_000)).toContain('Nothing happens twice.');
    expect(describeWaiting('worker_unavailable', 5_000)).toContain('Your draft is safe');
  });
});

describe('people are named as people:', () => {
  test('audiences without their kinds', () => {
    expect(audienceWords(['role:finance', 'owner', 'agent:supervisor'], 'bob')).toBe(
      'finance, bob (who started it), supervisor (agent)',
    );
  });

  test('who may decide, without a requester whom the policy leaves out', () => {
    const asked = {
      audience: ['role:finance', 'owner', 'user:bob'],
      exclude: ['requester' as const],
      requester: 'bob',
    };
    expect(formatAudience(asked)).toBe('finance, but not bob (who started it)');
    expect(deciderWords(asked)).toBe('finance');
    expect(formatAudience({ ...asked, exclude: [] })).toBe('finance, bob (who started it), bob');
    expect(failureWords(refusal('not_allowed_to_decide'), { ...hold, ...asked }, clock)).toBe(
      'You can read this; finance decides.',
    );
  });

  test('whom a chat waits for is named as people are: of its owner among others nothing, since that may be the reader, who may not', () => {
    expect(othersWords(['role:finance', 'owner'])).toBe('finance');
    expect(othersWords(['owner'])).toBe('the person who started it');
  });

  test('what a yes and a no mean where several must agree, whatever is asked', () => {
    const careful = aHold(1, { votes: { have: 0, need: 2, by: [] } });
    expect(yesMeans(careful, 'plain')).toBe('Counts as one of 2 needed. You can withdraw it until then.');
    expect(noMeans(careful, 'refuse', false)).toBe('Refusing cancels the task. One rejection is enough.');
    expect(yesMeans(aHold(1), 'Yes.')).toBe('Yes. This is final.');
    expect(yesMeans(aHold(1, { graceMs: 10_000 }), 'Yes.')).toBe('Yes. You can take it back for 10 s.');
    expect(yesMeans(aHold(1, { graceMs: 600_000 }), 'Yes.')).toBe('Yes. You can take it back for 10 min.');
  });

  test('what comes next: others too, or in their place', () => {
    const step = { at: '', do: 'escalate' as const, to: ['role:lead'] };
    expect(formatStep(step, 'bob')).toBe('ask lead too');
    expect(formatStep({ ...step, replace: true }, 'bob')).toBe('ask lead instead');
  });

  test('who did it', () => {
    expect(actorWords('ana', 'ana')).toBe('You');
    expect(actorWords('policy:finance', 'ana')).toBe('policy finance');
    expect(actorWords('operator:signal', null)).toBe('an operator');
  });

  test('what an answer is to is named in quotes: the tool, else the agent’s own words, at most forty characters', () => {
    const own = { title: 'Approve payment?', hasOwnTitle: true, lead: null, tool: null };
    expect(objectWords(own, oneLine)).toBe(' “Approve payment”');
    expect(objectWords({ ...own, title: 'Confirmar o pagamento?' }, oneLine)).toBe(' “Confirmar o pagamento”');
    expect(objectWords({ ...own, title: 'x'.repeat(100) }, oneLine)).toHaveLength(43);
    const tool = { callId: 'c', name: 'refund', isEditable: true };
    expect(objectWords({ ...own, title: 'Ok?', tool }, oneLine)).toBe(' “refund”');
  });

  test('a title that Standfast wrote is not quoted as the agent’s: the first line of its message is, if any', () => {
    const held = { title: 'The agent asks', hasOwnTitle: false, lead: null, tool: null };
    expect(objectWords(held, oneLine)).toBe('');
    expect(objectWords({ ...held, lead: 'May I pay?' }, oneLine)).toBe(' “May I pay”');
  });
});

describe('a form as it is drawn', () => {
  const schema = {
    type: 'object',
    properties: {
      cost_centre: { type: 'string', enum: ['a', 'b'] },
      many: { type: 'string', enum: ['a', 'b', 'c', 'd', 'e', 'f'] },
      note: { type: 'string', title: 'note' },
      pin: { type: 'string', writeOnly: true },
      file: { type: 'string', format: 'data-url' },
      sure: { type: 'boolean' },
      usual: { type: 'boolean', default: true },
      tags: { type: 'array', items: { enum: ['x'] }, uniqueItems: true },
      to: { $ref: '#/$defs/To' },
    },
    $defs: { To: { type: 'object', properties: { zip_code: { type: 'string' } } } },
  };

  test('a form as it is drawn has a label for every field, and no field for files', () => {
    const drawn = withLabels(schema);
    expect(drawn['properties']).toMatchObject({
      cost_centre: { title: 'Cost centre', enum: ['a', 'b'] },
      note: { title: 'Note' },
      file: { title: 'File', type: 'string' },
    });
    expect(JSON.stringify(drawn)).not.toContain('data-url');
    expect(drawn['$defs']).toMatchObject({ To: { properties: { zip_code: { title: 'Zip code' } } } });
  });

  // Promise S42
  test('a form as it is drawn calls a field that refers to another place by its own name, unless the agent named that place', () => {
    const drawn = withLabels({
      type: 'object',
      properties: {
        home: { $ref: '#/$defs/address' },
        away: { $ref: '#/$defs/named' },
        own: { $ref: '#/$defs/named', title: 'Mine' },
      },
      $defs: { address: { type: 'object', properties: {} }, named: { title: 'Other place', type: 'string' } },
    });
    expect(drawn['properties']).toMatchObject({
      home: { title: 'Home' },
      away: { title: 'Other place' },
      own: { title: 'Mine' },
    });
  });

  test('a form as it is drawn draws few choices as radio buttons, many as a list, secrets hidden', () => {
    expect(controlsOf(withLabels(schema), [], ['/note'])).toMatchObject({
      cost_centre: { 'ui:widget': 'radio' },
      many: { 'ui:widget': 'select' },
      note: { 'ui:widget': 'password' },
      pin: { 'ui:widget': 'password' },
      sure: { 'ui:widget': 'radio' },
      usual: { 'ui:widget': 'checkbox' },
      tags: { 'ui:widget': 'checkboxes' },
    });
  });

  test('a form as it is drawn sends nothing that was not filled in, and all that is required', () => {
    const wanted = {
      type: 'object',
      properties: { a: { type: 'string' }, g: { type: 'object', properties: {} } },
      required: ['a'],
    };
    expect(pruned(wanted, { a: '', b: '', c: undefined, g: {}, list: [], n: 0, no: false })).toEqual({
      a: '',
      n: 0,
      no: false,
    });
  });

  test('a form as it is drawn of very many fields is parted into sections, groups each for themselves', () => {
    const names = Array.from({ length: 90 }, (_, index) => (index === 10 ? 'group' : `f${index}`));
    const fields = Object.fromEntries(names.map((name) => [name, { type: name === 'group' ? 'object' : 'string' }]));
    const sections = blocksOf({ properties: fields }, {}, true);
    expect(sections.map((section) => section.names.length)).toEqual([10, 1, 20, 20, 20, 19]);
    expect(sections.flatMap((section) => section.names)).toEqual(names);
    expect(sections.slice(0, 2)).toMatchObject([
      { key: 'f0', title: 'f0 – f9 (10 fields)', isCollapsible: true },
      { key: 'group', title: 'group (1 field)', isCollapsible: true },
    ]);
  });

  // Promise S59
  test('a form as it is drawn is under the headings that its agent names, in the order in which they are first named', () => {
    const field = (group?: string): object => ({
      type: 'string',
      ...(group === undefined ? {} : { 'x-group': group }),
    });
    const fields = { a: field(), b: field('Bank'), c: field('Company'), d: field('Bank'), e: field(), f: field(' ') };
    expect(blocksOf({ properties: fields }, {}, false)).toMatchObject([
      { title: null, names: ['a'], isCollapsible: false },
      { title: 'Bank', names: ['b', 'd'], isCollapsible: false },
      { title: 'Company', names: ['c'], isCollapsible: false },
      { title: null, names: ['e', 'f'], isCollapsible: false },
    ]);
    const ungrouped = { a: field(), b: { type: 'string', 'x-group': 7 } };
    expect(blocksOf({ properties: ungrouped }, {}, false).map(({ title }) => title)).toEqual([null, null]);
    expect(blocksOf({ properties: fields }, {}, true).map(({ title }) => title)).toEqual([
      'a (1 field)',
      'Bank (2 fields)',
      'Company (1 field)',
      'e – f (2 fields)',
    ]);
  });

  test('a form as it is drawn of more than twelve fields collapses neighbours that need not be filled in, never one alone or all', () => {
    const names = Array.from({ length: 13 }, (_, index) => `f${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    const required = names.filter((_, index) => index !== 2 && index < 10);
    const blocks = blocksOf({ properties, required }, { f12: 'x' }, false);
    expect(blocks.filter(({ isCollapsible }) => isCollapsible)).toEqual([
      {
        key: 'f10',
        title: '2 optional fields not filled in',
        names: ['f10', 'f11'],
        isCollapsible: true,
        hasValues: false,
      },
    ]);
    expect(blocks.flatMap((block) => block.names)).toEqual(names);
    expect(blocksOf({ properties }, {}, false).every(({ isCollapsible }) => !isCollapsible)).toBe(true);
  });

  // Promise S31
  test('a form as it is drawn of very many fields is drawn without the plain ones of closed sections, and with all that fills itself in', () => {
    const properties = {
      open: { type: 'string' },
      closed: { type: 'string' },
      filled: { type: 'string', default: 'x' },
      group: { type: 'object', properties: { a: { type: 'string' } } },
      list: { type: 'array', items: { type: 'string' } },
    };
    const whole = {
      type: 'object',
      properties,
      required: ['open', 'closed'],
      additionalProperties: { type: 'string' },
    };
    const { closed: _closed, ...drawn } = properties;
    expect(withoutClosed(whole, (name) => name === 'open')).toEqual({
      type: 'object',
      properties: drawn,
      required: ['open'],
    });
    const tied = { ...whole, if: { required: ['closed'] } };
    expect(withoutClosed(tied, () => false)).toBe(tied);
  });

  test('a form as it is drawn finds the fields that the server means', () => {
    expect(serverPath('/to/zip~1code')).toEqual(['to', 'zip/code']);
    expect(serverPath('days')).toEqual(['days']);
    expect(serverPath('/values/days')).toEqual(['days']);
    expect(serverPath('')).toEqual([]);
  });
});

describe('an answer as JSON', () => {
  const text = '{\n  "a": 1,\n  "list": [\n    1,\n    { "deep": "x" }\n  ],\n  "b\\"c": 2\n}';

  test('an answer as JSON names the line of each mistake', () => {
    expect(lineOf(text, ['a'])).toBe(2);
    expect(lineOf(text, ['list', '1', 'deep'])).toBe(5);
    expect(lineOf(text, ['b"c'])).toBe(7);
    expect(lineOf(text, ['missing'])).toBe(1);
  });

  test('an answer as JSON names the line where it stops being JSON', () => {
    expect(brokenLine('{\n "a": 1\n "b"', 'Unexpected string in JSON at position 11')).toBe(3);
    expect(brokenLine('{\n', 'Unexpected end of JSON input')).toBe(2);
  });
});

test('an authorisation wants its note only where the note is the answer', () => {
  const schema = {
    type: 'object',
    required: ['outcome'],
    if: { properties: { outcome: { const: 'granted' } } },
    else: { required: ['note'] },
  };
  expect([...missingIn(schema, {}).keys()]).toEqual(['outcome']);
  expect([...missingIn(schema, { outcome: 'note' }).keys()]).toEqual(['note']);
  expect(missingIn(schema, { outcome: 'granted' }).size).toBe(0);
});

const aForm = { kind: 'form', dialect: 'a2a.hitl.form' } as const;

describe('a task', () => {
  // Promise Y79h
  test.each([
    ['DONE', [], 'follows'],
    ['NEEDS_REVIEW', [{ kind: 'text', dialect: 'plain' }], 'decides'],
    ['NEEDS_REVIEW', [aForm], 'asks'],
    ['NEEDS_REVIEW', [aForm, aForm], 'several'],
    ['NEEDS_REVIEW', [{ kind: 'text', dialect: 'plain' }, aForm], 'refused'],
    ['NEEDS_REVIEW', [{ kind: 'tool_call', dialect: 'mastra' }], 'refused'],
    ['IN_PROGRESS', [], 'injects'],
    ['USER_INPUT_RECEIVED', [], 'waits'],
  ] as const)('a task that is %s with %j says beforehand that a message %s', (status, open, effect) => {
    expect(effectOf(status, open)).toBe(effect);
  });

  // Promise S46
  test('a task shows the steps it took and none that did not happen, with the end it came to', () => {
    const took = (...words: string[]) => words.map((word) => ({ what: 'status' as const, word }));
    const line = (status: Parameters<typeof stationsOf>[0], ...words: string[]): string[] =>
      stationsOf(status, took(...words)).map(({ status: one, isNow }) => (isNow ? `[${one}]` : one));
    expect(line('FAILED', 'NEW', 'IN_PROGRESS', 'FAILED')).toEqual(['NEW', 'IN_PROGRESS', '[FAILED]']);
    expect(line('IN_PROGRESS', 'NEW', 'IN_PROGRESS', 'NEEDS_REVIEW', 'USER_INPUT_RECEIVED', 'IN_PROGRESS')).toEqual([
      'NEW',
      'NEEDS_REVIEW',
      'USER_INPUT_RECEIVED',
      '[IN_PROGRESS]',
    ]);
    // The workflow may know more than the timeline that was read a moment before.
    expect(line('DONE', 'NEW')).toEqual(['NEW', '[DONE]']);
  });

  // Promise S46
  test('a task has each step of its life on one line, and no status that the line of a question tells', () => {
    const entry = (what: TimelineEntry['what'], word: string) => ({ what, word });
    const lines = (...entries: ReturnType<typeof entry>[]): string[] => timelineLines(entries).map(({ word }) => word);
    expect(
      lines(
        entry('status', 'NEW'),
        entry('status', 'IN_PROGRESS'),
        entry('hold.opened', 'form'),
        entry('status', 'NEEDS_REVIEW'),
        entry('hold.ended', 'decided'),
        entry('status', 'USER_INPUT_RECEIVED'),
        entry('status', 'IN_PROGRESS'),
        entry('hold.opened', 'text'),
        entry('status', 'NEEDS_REVIEW'),
        entry('hold.ended', 'expired'),
        entry('status', 'FAILED'),
      ),
    ).toEqual(['NEW', 'IN_PROGRESS', 'form', 'decided', 'text', 'expired', 'FAILED']);
    // A wait that no question tells of is a step of its own.
    expect(lines(entry('status', 'NEW'), entry('status', 'NEEDS_REVIEW'))).toEqual(['NEW', 'NEEDS_REVIEW']);
  });

  // Promise S46
  test('a task says of each question in its conversation how that ended, and of no silence that somebody answered', () => {
    const end = (name: EndName, by: string) => chatEndWords({ name, by }, 'Expenses');
    expect(end('answered', 'ben')).toBe('Answered the question.');
    expect(end('expired', 'policy:ops')).toBe('Expired: no answer came in time (policy ops).');
    expect(end('withdrawn', 'agent:expenses')).toBe('Expenses took the question back.');
    expect(end('endedWith', 'policy:ops')).toBe('Ended with the other question (policy ops).');
    expect(end('superseded', 'agent:expenses')).toBe('Expenses asked again.');
  });

  test('a task tells its life in words', () => {
    const entry = { title: 'Pay?' } as const;
    expect(entryWords({ ...entry, what: 'hold.opened', word: 'form' })).toBe('Asked: Pay?');
    expect(entryWords({ ...entry, what: 'hold.ended', word: 'expired' })).toBe('Expired: Pay?');
    expect(entryWords({ ...entry, what: 'status', word: 'USER_INPUT_RECEIVED' })).toBe('Answer on its way');
    expect(entryWords({ ...entry, what: 'hold.step', word: 'escalate' })).toBe('More people asked: Pay?');
    expect(entryWords({ ...entry, what: 'hold.moved', word: 'reassigned' })).toBe('Reassigned: Pay?');
  });
});
