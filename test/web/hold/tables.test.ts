import { describe, expect, test } from '@jest/globals';
import { dataRows } from '../../../web/src/hold/context/data-rows.ts';
import { argumentWords, isCode } from '../../../web/src/hold/values/plain-words.ts';
import { headsOf, readCsv, tableOf } from '../../../web/src/hold/values/tables.ts';
import { fc } from '../../rigs/properties.ts';

describe('a list of like objects', () => {
  test('a list of like objects is a table of all their fields, in the order they come', () => {
    expect(
      tableOf([
        { article: 'Chair', count: 2 },
        { article: 'Desk', price: 310.5, isNew: true },
      ]),
    ).toEqual({
      columns: ['article', 'count', 'price', 'isNew'],
      rows: [
        ['Chair', '2', '', ''],
        ['Desk', '', '310.50', 'yes'],
      ],
    });
  });

  test('a list of like objects has its numbers grouped, as arguments have them', () => {
    expect(tableOf([{ total: 18_326.4 }])?.rows).toEqual([['18,326.40']]);
    expect(
      dataRows({
        order: { total: 18_326.4, isInsured: true, parts: [1_200, 'two'] },
      }),
    ).toEqual([
      { name: 'order.total', text: '18,326.40' },
      { name: 'order.isInsured', text: 'yes' },
      { name: 'order.parts', text: '1,200, two' },
    ]);
  });

  test('a list of like objects has as many decimals in each number of a column, and changes no text', () => {
    const rows = [{ price: 12.5, part: '1.5' }, { price: 3, part: '2' }, { price: 1_200.25 }, { price: null }];
    expect(tableOf(rows)?.rows).toEqual([
      ['12.50', '1.5'],
      ['3.00', '2'],
      ['1,200.25', ''],
      ['', ''],
    ]);
    expect(tableOf([{ share: 0.3 }, { share: 2 }])?.rows).toEqual([['0.3'], ['2.0']]);
    expect(tableOf([{ share: 0.333333 }, { share: 2 }])?.rows).toEqual([['0.333333'], ['2']]);
  });

  test('money has the decimals of the currency next to it, else two, alone and in a column', () => {
    expect(tableOf([{ price: 29.6 }, { price: 210 }])?.rows).toEqual([['29.60'], ['210.00']]);
    expect(tableOf([{ price: 29.6555 }, { price: 210 }])?.rows).toEqual([['29.6555'], ['210.0000']]);
    expect(tableOf([{ price: 1_200, currency: 'EUR' }])?.rows).toEqual([['1,200.00']]);
    expect(tableOf([{ price: 1_200, currency: 'JPY' }])?.rows).toEqual([['1,200']]);
    expect(tableOf([{ price: 1_200, currency: 'KWD' }])?.rows).toEqual([['1,200.000']]);
    expect(tableOf([{ total: 24 }])?.rows).toEqual([['24']]);
    expect(
      dataRows({
        order: { total: 77.5, discount: 0.5, currency: 'euros' },
        fees: [1, 2.5],
      }),
    ).toEqual([
      { name: 'order.total', text: '77.50' },
      { name: 'order.discount', text: '0.5' },
      { name: 'order.currency', text: 'euros' },
      { name: 'fees', text: '1.00, 2.50' },
    ]);
    expect(
      argumentWords(3_357, ['pay', 'amount'], {
        pay: { amount: 3_357, currency: 'EUR' },
      }),
    ).toBe('3,357.00');
    expect(argumentWords(3_357, ['amount'], { amount: 3_357 })).toBe('3,357');
  });

  test('a list of like objects has the currency with the names of its amounts if all rows have the same', () => {
    const lines = [
      { article: 'Chair', count: 2, unitPrice: 210, discountPercent: 4, currency: 'EUR', total: 403.2 },
      { article: 'Lamp', count: 1, unitPrice: 29.6, discountPercent: 0, currency: 'EUR', total: 29.6 },
    ];
    const table = tableOf(lines);
    expect(table && headsOf(table)).toEqual([
      'Article',
      'Count',
      'Unit price (EUR)',
      'Discount percent',
      'Total (EUR)',
    ]);
    expect(table?.rows).toEqual([
      ['Chair', '2', '210.00', '4\u00a0%', '403.20'],
      ['Lamp', '1', '29.60', '0\u00a0%', '29.60'],
    ]);
    // Next to a number that may be money, too, the currency keeps its column; consumption is no sum.
    const heads = (rows: object[]): string[] | null => {
      const found = tableOf(rows);
      return found && headsOf(found);
    };
    expect(heads([{ price: 3, shipping: 1, currency: 'EUR' }])).toEqual(['Price (EUR)', 'Shipping', 'Currency']);
    expect(heads([{ consumption: 340, currency: 'EUR' }])).toEqual(['Consumption', 'Currency']);
    // Several currencies, or a row without one.
    const [euros, dollars] = [
      { price: 3, currency: 'EUR' },
      { price: 3, currency: 'USD' },
    ];
    expect(heads([euros, dollars])).toEqual(['Price', 'Currency']);
    expect(heads([euros, { price: 3 }])).toEqual(['Price', 'Currency']);
  });

  test('a list of like objects has a sign of per cent where the name says so, and changes no number', () => {
    const percents = (...all: number[]): unknown => tableOf(all.map((vatPercent) => ({ vatPercent })))?.rows.flat();
    expect(percents(19, 7, 0)).toEqual(['19\u00a0%', '7\u00a0%', '0\u00a0%']);
    expect(percents(19, 7.5)).toEqual(['19.0\u00a0%', '7.5\u00a0%']);
    expect(percents(1.123456)).toEqual(['1.123456\u00a0%']);
    // A share by the name of per cent, or its hundredfold: no number says which.
    expect(percents(0.19, 7)).toEqual(['0.19', '7.00']);
    expect(tableOf([{ discount: 0.04 }, { percentile: 95 }])?.rows.flat()).toEqual(['0.04', '', '', '95']);
    expect(dataRows({ discountPercent: 4 })).toEqual([{ name: 'discountPercent', text: '4\u00a0%' }]);
  });

  test('a list of like objects is none where something in it has parts of its own, or it is wider than a page', () => {
    expect(tableOf([{ a: { b: 1 } }])).toBeNull();
    expect(tableOf([{ a: 1 }, 'b'])).toBeNull();
    expect(tableOf([])).toBeNull();
    expect(tableOf({ a: 1 })).toBeNull();
    expect(tableOf([Object.fromEntries(Array.from({ length: 13 }, (_, n) => [`c${n}`, n]))])).toBeNull();
  });

  test('a list of like objects leaves no row and no letter out, however many there are', () => {
    const note = 'x'.repeat(2_000);
    const table = tableOf(Array.from({ length: 2_001 }, (_, n) => ({ n, note })));
    expect(table?.rows).toHaveLength(2_001);
    expect(table?.rows[0]).toEqual(['0', note]);
  });
});

describe('CSV', () => {
  test('CSV is read with its quotes, and with the sign that parts its cells', () => {
    expect(readCsv('\uFEFFname;note\r\nAna;"a; ""b""\nc"\r\n')).toEqual({
      columns: ['name', 'note'],
      rows: [['Ana', 'a; "b"\nc']],
    });
    expect(readCsv('a\tb\n1\t2')?.rows).toEqual([['1', '2']]);
  });

  test('CSV stays text where its lines differ, or a quote is left open', () => {
    expect(readCsv('a,b\n1,2,3')).toBeNull();
    expect(readCsv('a,b\n"1,2')).toBeNull();
    expect(readCsv('one line')).toBeNull();
  });

  test('CSV gives back every cell that was written', () => {
    const cell = fc.constantFrom('a', '1', 'x y', '"', ',', 'a\nb', '', 'é');
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 20 }), (rows) => {
        const text = [['a', 'b', 'c'], ...rows].map((row) => row.map(quoted).join(',')).join('\n');
        expect(readCsv(text)?.rows).toEqual(rows);
      }),
    );
  });
});

test('text is set as code where most of its lines are statements or indented, and no letter is', () => {
  expect(isCode('UPDATE a SET b = 1;\nDELETE FROM c;')).toBe(true);
  expect(isCode('if (a) {\n  b();\n}')).toBe(true);
  expect(isCode('spec:\n  replicas: 6\n  name: api')).toBe(true);
  expect(isCode('Dear Ms Miller,\n\nthe invoice is open.\n\nKind regards,\nExample AG')).toBe(false);
  expect(isCode('SELECT 1;')).toBe(false);
});
