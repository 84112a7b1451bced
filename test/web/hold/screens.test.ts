// Screens that agents draw with A2UI; the catalogue's own examples are in test/journeys/callers.
import { describe, expect, test } from '@jest/globals';
import type { ScreenNode } from '../../../web/src/hold/context/screen.ts';
import { screensOf } from '../../../web/src/hold/context/surfaces.ts';

const basic = 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json';
let count = 0;
const shown = (data: unknown) => ({ id: `d${(count += 1)}`, name: 'screen s', digest: 'x', data });

/** A screen of 0.9 with these components, and the values under it. */
const drawn = (components: object[], value: unknown = {}, catalogId = basic): ScreenNode | null => {
  const operations = [
    { version: 'v0.9.1', createSurface: { surfaceId: 's', catalogId } },
    { version: 'v0.9.1', updateComponents: { surfaceId: 's', components } },
    { version: 'v0.9.1', updateDataModel: { surfaceId: 's', value } },
  ];
  const { screens, rest } = screensOf(operations.map(shown));
  expect(rest).toHaveLength(screens.length === 0 ? 3 : 0);
  return screens[0]?.root ?? null;
};
const text = (words: string, tone = 'body'): object => ({ kind: 'text', text: words, tone });

describe('a screen of A2UI 0.9', () => {
  // Promise B37
  test('a screen of A2UI 0.9 is drawn with each component of the basic catalogue, and its values for reading', () => {
    const at = (path: string): object => ({ path });
    const leaves = [
      { id: 'title', component: 'Text', text: 'Order', variant: 'h2' },
      { id: 'note', component: 'Text', text: at('/note'), variant: 'caption' },
      { id: 'icon', component: 'Icon', name: 'check' },
      { id: 'line', component: 'Divider' },
      { id: 'image', component: 'Image', url: 'https://x.example/a.png', description: 'A cup' },
      { id: 'name', component: 'TextField', label: 'Name', value: at('/name') },
      { id: 'pin', component: 'TextField', label: 'PIN', value: '1234', variant: 'obscured' },
      { id: 'agree', component: 'CheckBox', label: 'Agree', value: at('/agree') },
      { id: 'size', component: 'Slider', label: 'Size', value: at('/size'), max: 9 },
      { id: 'day', component: 'DateTimeInput', label: 'Day', value: at('/day') },
      {
        id: 'extras',
        component: 'ChoicePicker',
        label: 'Extras',
        options: [
          { label: 'Milk', value: 'm' },
          { label: 'Sugar', value: 's' },
        ],
        value: at('/extras'),
      },
      { id: 'buy', component: 'Button', child: 'title', action: { event: { name: 'buy' } } },
      { id: 'tabs', component: 'Tabs', tabs: [{ title: 'One', child: 'line' }] },
      { id: 'modal', component: 'Modal', trigger: 'title', content: 'line' },
      { id: 'card', component: 'Card', child: 'line' },
      { id: 'row', component: 'Row', children: ['title', 'icon'] },
      { id: 'list', component: 'List', children: { componentId: 'item', path: '/items' } },
    ];
    const components = [
      { id: 'root', component: 'Column', children: leaves.map(({ id }) => id) },
      ...leaves,
      { id: 'item', component: 'Text', text: { call: 'formatString', args: { value: '${n} of ${/name}' } } },
    ];
    const value = {
      note: 'to go',
      name: 'Ana',
      agree: true,
      size: 3,
      day: '2026-12-01',
      extras: ['s'],
      items: [{ n: 1 }],
    };
    const title = text('Order', 'title');
    expect(drawn(components, value)).toEqual({
      kind: 'column',
      children: [
        title,
        text('to go', 'meta'),
        text('check', 'meta'),
        { kind: 'rule' },
        { kind: 'address', text: 'A cup', url: 'https://x.example/a.png' },
        { kind: 'field', label: 'Name', value: 'Ana' },
        { kind: 'field', label: 'PIN', value: '••••' },
        { kind: 'field', label: 'Agree', value: true },
        { kind: 'field', label: 'Size', value: '3' },
        { kind: 'field', label: 'Day', value: '2026-12-01' },
        { kind: 'field', label: 'Extras', value: 'Sugar' },
        { kind: 'button', children: [title] },
        { kind: 'column', children: [{ kind: 'section', title: 'One', children: [{ kind: 'rule' }] }] },
        { kind: 'section', title: '', children: [title, { kind: 'rule' }] },
        { kind: 'card', children: [{ kind: 'rule' }] },
        { kind: 'row', children: [title, text('check', 'meta')] },
        { kind: 'column', children: [text('1 of Ana')] },
      ],
    });
  });

  test('a screen of A2UI 0.9 is drawn as its operations leave it, also where they come as a list', () => {
    const operations = [
      { createSurface: { surfaceId: 's', catalogId: basic } },
      {
        updateComponents: {
          surfaceId: 's',
          components: [{ id: 'root', component: 'Text', text: { path: '/list/1/n' } }],
        },
      },
      { updateDataModel: { surfaceId: 's', value: { list: [{ n: 'a' }] } } },
      { updateDataModel: { surfaceId: 's', path: '/list/1', value: { n: 'b' } } },
      { updateDataModel: { surfaceId: 's', path: '/list/1/n', value: 'c' } },
    ];
    expect(screensOf([shown(operations)])).toMatchObject({ screens: [{ id: 's', root: { text: 'c' } }], rest: [] });
    const gone = screensOf([shown([...operations, { deleteSurface: { surfaceId: 's' } }])]);
    expect(gone).toMatchObject({ screens: [], rest: [{}] });
  });

  // Promise B37
  test.each<[string, unknown[], string?]>([
    ['of another catalogue', [{ id: 'root', component: 'Text', text: 'x' }], 'https://evil.example/catalog.json'],
    ['with a component that is not known', [{ id: 'root', component: 'Chart' }]],
    [
      'with one inside',
      [
        { id: 'root', component: 'Card', child: 'c' },
        { id: 'c', component: 'toString' },
      ],
    ],
    ['with a function that is not known', [{ id: 'root', component: 'Text', text: { call: 'openUrl', args: {} } }]],
    [
      'with a function in its text',
      [{ id: 'root', component: 'Text', text: { call: 'formatString', args: { value: '${now()}' } } }],
    ],
    ['without a root', [{ id: 'other', component: 'Divider' }]],
    ['with a child that is missing', [{ id: 'root', component: 'Card', child: 'none' }]],
    ['whose card is in itself', [{ id: 'root', component: 'Card', child: 'root' }]],
    [
      'whose row is in itself, often',
      [{ id: 'root', component: 'Row', children: Array.from({ length: 400 }, () => 'root') }],
    ],
    ['of components that are none', [null, 7, 'x', [], { id: 7 }, { id: 'root', component: { constructor: 1 } }]],
  ])('a screen of A2UI 0.9 stays data: %s', (...[, components, catalogId]) => {
    expect(drawn(components as object[], {}, catalogId)).toBeNull();
  });

  // Promise C8
  test('a screen of A2UI 0.9 of any depth and length is drawn whole or not at all', () => {
    const chain = (length: number): object[] => [
      ...Array.from({ length }, (_, n) => ({ id: n === 0 ? 'root' : `c${n}`, component: 'Card', child: `c${n + 1}` })),
      { id: `c${length}`, component: 'Divider' },
    ];
    expect(drawn(chain(10))).not.toBeNull();
    expect(drawn(chain(10_000))).toBeNull();
    const wide = (length: number): object[] => [
      { id: 'root', component: 'Column', children: Array.from({ length }, (_, n) => `c${n}`) },
      ...Array.from({ length }, (_, n) => ({ id: `c${n}`, component: 'Divider' })),
    ];
    expect(drawn(wide(100))).not.toBeNull();
    expect(drawn(wide(10_000))).toBeNull();
    const items = Array.from({ length: 10_000 }, () => ({}));
    const list = { id: 'root', component: 'List', children: { componentId: 'root', path: '/items' } };
    expect(drawn([list], { items })).toBeNull();
    let call: object = { path: '/x' };
    for (let n = 0; n < 1000; n += 1) call = { call: 'formatNumber', args: { value: call } };
    expect(drawn([{ id: 'root', component: 'Text', text: call }])).toBeNull();
    const long = { id: 'root', component: 'Text', text: 'x'.repeat(10_000) };
    expect(drawn([long])).toMatchObject({ text: long.text });
    expect(drawn([{ ...long, text: long.text.repeat(3) }])).toBeNull();
  });

  test('a screen of A2UI 0.9 has values of its own data alone', () => {
    const root = (path: string): object[] => [{ id: 'root', component: 'Text', text: { path } }];
    for (const path of ['/constructor/name', '/__proto__/x', '/toString', '/a/length'])
      expect(drawn(root(path), { a: 'text' })).toMatchObject({ text: '' });
    screensOf([shown({ updateDataModel: { surfaceId: 's', path: '/__proto__/polluted', value: 1 } })]);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

describe('a screen of A2UI 0.8', () => {
  // Promise B37
  test('a screen of A2UI 0.8 is drawn from its operations, its catalogue being the standard one where none is named', () => {
    const components = [
      { id: 'top', component: { Column: { children: { explicitList: ['t', 'f', 'm', 'l'] } } } },
      { id: 't', component: { Text: { text: { literalString: 'Trip' }, usageHint: 'h1' } } },
      { id: 'f', component: { TextField: { label: { literalString: 'City' }, text: { path: '/city' } } } },
      {
        id: 'm',
        component: {
          MultipleChoice: {
            selections: { path: '/by' },
            options: [{ label: { literalString: 'Train' }, value: 'rail' }],
          },
        },
      },
      { id: 'l', component: { List: { children: { template: { componentId: 'i', dataBinding: '/stops' } } } } },
      { id: 'i', component: { Text: { text: { path: 'name' } } } },
    ];
    const contents = [
      { key: 'city', valueString: 'Bern' },
      { key: 'by', valueString: 'rail' },
      { key: 'stops', valueMap: [{ key: 'a', valueMap: [{ key: 'name', valueString: 'Thun' }] }] },
    ];
    const { screens } = screensOf([
      shown({ surfaceUpdate: { surfaceId: 's', components } }),
      shown({ dataModelUpdate: { surfaceId: 's', contents } }),
      shown({ beginRendering: { surfaceId: 's', root: 'top' } }),
    ]);
    expect(screens[0]?.root).toEqual({
      kind: 'column',
      children: [
        text('Trip', 'title'),
        { kind: 'field', label: 'City', value: 'Bern' },
        { kind: 'field', label: '', value: 'Train' },
        { kind: 'column', children: [text('Thun')] },
      ],
    });
  });
});
