// The tables of docs/wire.md speak of what the source has, and of nothing else.
import { describe, expect, test } from '@jest/globals';
import { dialectNames } from '../../src/contract/form.ts';
import { readOptions } from '../../src/wire/agui/input/run-options.ts';
import { filesBelow, read } from '../source-tree.ts';

const rowsBelow = (heading: string): string[][] => {
  const [, after = ''] = read('docs/wire.md').split(`${heading}\n`);
  const rows =
    after
      .split(/\n#{2,3} /)[0]
      ?.split('\n')
      .filter((line) => /^\| (?!-)/.test(line)) ?? [];
  return rows.slice(1).map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()));
};
const codeIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].toSorted();

const eventRows = rowsBelow('## A2A event → AG-UI events');
const dialectRows = rowsBelow('### Dialect × question × answer');

describe('docs/wire.md', () => {
  test('has a row for each dialect, and names no other', () => {
    expect(distinct(dialectRows.flatMap(([name = '']) => codeIn(name)))).toEqual(distinct(dialectNames));
  });

  test('says of each way of asking what the agent gets, what a refusal is and what cannot be carried', () => {
    expect(dialectRows.length).toBeGreaterThanOrEqual(10);
    expect(dialectRows.filter((row) => row.length !== 6 || row.includes(''))).toEqual([]);
  });

  test('names each CUSTOM event that is written, and no other', () => {
    const sources = filesBelow('src', (path) => path.endsWith('.ts')).map(read);
    const written = sources
      .filter((source) => source.includes("'CUSTOM'"))
      .flatMap((source) => [...source.matchAll(/(?:\bname|markerName)\b[^\n']*?((?:'holdpoint\.[a-z_]+'[^\n']*)+)/g)])
      .flatMap(([, names = '']) => [...names.matchAll(/'(holdpoint\.[a-z_]+)'/g)].map(([, name = '']) => name));
    const named = eventRows.flatMap((row) =>
      [...row.join(' ').matchAll(/CUSTOM `([^`]+)`/g)].map(([, name = '']) => name),
    );
    expect(written.length).toBeGreaterThan(4);
    expect(distinct(named)).toEqual(distinct(written));
  });

  test('names each event of AG-UI that the projector writes', () => {
    const written = filesBelow('src/wire/agui', (path) => path.endsWith('.ts'))
      .flatMap((path) => [...read(path).matchAll(/type: '([A-Z_]{6,})'/g)])
      .map(([, type = '']) => type);
    // `TEXT_MESSAGE_START, _CONTENT`: what goes on a name is written short.
    const text = read('docs/wire.md').replaceAll(
      /\b([A-Z]+(?:_[A-Z]+)*)_(START)((?:, _[A-Z]+)+)/g,
      (_whole, stem: string, first: string, more: string) =>
        [
          `${stem}_${first}`,
          ...more
            .split(', _')
            .slice(1)
            .map((end) => `${stem}_${end}`),
        ].join(', '),
    );
    const named = distinct([...text.matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b|\bCUSTOM\b/g)].map(([name]) => name));
    expect(distinct(written).filter((type) => !named.includes(type))).toEqual([]);
  });

  test('has a row for each option of a run, and names no other', () => {
    const read_ = readOptions(undefined);
    const options = read_.ok ? Object.keys(read_.options) : [];
    const named = rowsBelow('## Options of a run').flatMap(([names = '']) => codeIn(names));
    expect(distinct(named)).toEqual(distinct(options));
  });
});
