import { describe, expect, test } from '@jest/globals';
import { dataRows } from '../../../web/src/hold/context/data-rows.ts';
import { fileView, sizeText } from '../../../web/src/hold/context/file-view.ts';
import { messageWithoutData } from '../../../web/src/hold/context/message-without-data.ts';
import { readPause } from '../../../src/wire/a2a/dialects/registry.ts';
import { aPause } from '../../wire/a2a/factories.ts';

describe('data attached to a question', () => {
  // Promise C6
  test('data attached to a question is a table with a row for each value, by its path', () => {
    const data = { invoice: { number: 7, lines: [{ sku: 'a', n: 2 }] }, tags: ['x', 'y'], note: '' };
    expect(dataRows(data)).toEqual([
      { name: 'invoice.number', text: '7' },
      { name: 'invoice.lines.1.sku', text: 'a' },
      { name: 'invoice.lines.1.n', text: '2' },
      { name: 'tags', text: 'x, y' },
      { name: 'note', text: '' },
    ]);
  });

  // Promise C8
  test('data attached to a question of any depth and length is a table that leaves nothing of it out', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 1000; level += 1) deep = { a: deep };
    expect(dataRows(deep)).toMatchObject([
      { name: 'a.a.a.a', text: expect.stringMatching(/^(\{"a":){996}"end"\}{996}$/) },
    ]);
    const long = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`f${n}`, n]));
    expect(dataRows(long)).toHaveLength(900);
  });
});

describe('a file attached to a question', () => {
  const file = { url: '/api/holds/h/files/f', uri: null, mediaType: 'image/png', size: 5 };

  // Promise C6
  test.each([
    ['image', file],
    ['image', { ...file, mediaType: 'image/svg+xml' }],
    ['text', { ...file, mediaType: 'text/plain; charset=utf-8' }],
    ['download', { ...file, mediaType: 'text/plain', size: 70_000 }],
    ['download', { ...file, mediaType: 'text/html' }],
    ['download', { ...file, mediaType: 'application/pdf' }],
    ['link', { ...file, url: null, uri: 'https://elsewhere.example/a.png' }],
    ['none', { ...file, url: null }],
  ])('a file attached to a question is shown as %s', (view, one) => {
    expect(fileView(one)).toBe(view);
  });

  test('a file attached to a question says how large it is', () => {
    expect([sizeText(5), sizeText(2048), sizeText(20 * 1024 * 1024)]).toEqual(['5 B', '2 KB', '20.0 MB']);
  });
});

describe('the words above data that is in a table', () => {
  const textsOf = (parts: object[], isDataShown = true): string => {
    const message = { messageId: 'm', role: 'ROLE_AGENT', parts };
    const [question] = readPause(aPause({ wire: message, state: 'input-required' })).questions;
    if (question === undefined) throw new Error('nothing is asked');
    return messageWithoutData(question, isDataShown);
  };
  const text = 'Which?\n\n```json\n{"of":"the agent"}\n```';

  // Promise C9
  test('the words above data that is in a table are the agent’s own, without the copy of the data for those who read the message alone', () => {
    expect(textsOf([{ text: 'Which flight?' }, { data: { no: 'XY' } }])).toBe('Which flight?');
    expect(textsOf([{ data: { no: 'XY' } }])).toBe('');
    expect(textsOf([{ text }, { data: { note: '```json\n````' } }])).toBe(text);
    expect(textsOf([{ text }, { data: { long: 'x'.repeat(9000) } }])).toBe(text);
  });

  test('the words above data that is in a table stay as they are where no table shows the data, or the agent wrote a block itself', () => {
    expect(textsOf([{ text: 'Which flight?' }, { data: { no: 'XY' } }], false)).toContain('"no": "XY"');
    expect(textsOf([{ text }])).toBe(text);
  });
});
