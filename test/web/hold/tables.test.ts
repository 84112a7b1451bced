import { describe, expect, test } from '@jest/globals';
import { readCsv, tableOf } from '../../../web/src/hold/values/tables.ts';
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
        ['Desk', '', '310.5', 'true'],
      ],
    });
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
