// The lists of docs/wire.md name what the source has, and nothing else.
import { describe, expect, test } from '@jest/globals';
import { dialectNames } from '../../src/contract/holds/question.ts';
import { readOptions } from '../../src/wire/agui/input/run-options.ts';
import { filesBelow, read } from '../source-tree.ts';
import { isTested } from './named-tests.ts';

/** The text below a heading, up to the next one of its rank or higher. */
const sectionOf = (heading: string): string => {
  const rank = heading.indexOf(' ');
  const [, after = ''] = read('docs/wire.md').split(`\n${heading}\n`);
  return after.split(new RegExp(`\\n#{1,${rank}} `))[0] ?? '';
};
const codeIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].toSorted();

const aspects = ['Asked by', 'Hold', 'Answer', 'Refusal', 'Cannot carry'];
/** Each way of asking: its heading, which begins with the dialect, and the aspects listed below it. */
const dialectEntries = sectionOf('### Dialect × question × answer')
  .split('\n#### ')
  .slice(1)
  .map((entry) => ({
    title: entry.split('\n')[0] ?? '',
    aspects: [...entry.matchAll(/^- ([A-Z][a-z ]+): \S/gm)].map(([, aspect = '']) => aspect),
  }))
  .filter(({ title }) => title !== 'Rules for all of them');

describe('docs/wire.md', () => {
  // Promise P1
  test('docs/wire.md has an entry for each dialect, and names no other', () => {
    const named = dialectEntries.map(({ title }) => /^`([^`]+)`/.exec(title)?.[1] ?? title);
    expect(distinct(named)).toEqual(distinct(dialectNames));
  });

  test('docs/wire.md says of each way of asking what the agent gets, what a refusal is and what cannot be carried', () => {
    expect(dialectEntries.length).toBeGreaterThanOrEqual(10);
    expect(dialectEntries.filter((entry) => entry.aspects.join() !== aspects.join())).toEqual([]);
  });

  // Promise P1
  test('docs/wire.md names each CUSTOM event that is written, and no other', () => {
    const sources = filesBelow('src', (path) => path.endsWith('.ts')).map(read);
    const written = sources
      .filter((source) => source.includes("'CUSTOM'"))
      .flatMap((source) => [...source.matchAll(/(?:\bname|markerName)\b[^\n']*?((?:'standfast\.[a-z_]+'[^\n']*)+)/g)])
      .flatMap(([, names = '']) => [...names.matchAll(/'(standfast\.[a-z_]+)'/g)].map(([, name = '']) => name));
    const events = sectionOf('## A2A event → AG-UI events');
    const named = [...events.matchAll(/CUSTOM\s+`([^`]+)`/g)].map(([, name = '']) => name);
    expect(written.length).toBeGreaterThan(4);
    expect(distinct(named)).toEqual(distinct(written));
  });

  // Promise P1
  test('docs/wire.md names each event of AG-UI that the projector writes', () => {
    const written = filesBelow('src/wire/agui', (path) => path.endsWith('.ts'))
      .flatMap((path) => [...read(path).matchAll(/type: '([A-Z_]{6,})'/g)])
      .map(([, type = '']) => type);
    // `TEXT_MESSAGE_START, _CONTENT`: what goes on a name is written short.
    const text = read('docs/wire.md')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(
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

  test('docs/wire.md names for each refusal of an Engram run a test that is there', () => {
    const refusals = sectionOf("## An agent's records (Engram)").split('Refusals, with their tests:\n')[1] ?? '';
    const tests = refusals
      .split('\n- ')
      .slice(1)
      .map((refusal) => /^ {2}- `([^`]+)`$/m.exec(refusal)?.[1] ?? '');
    expect(tests.length).toBeGreaterThanOrEqual(8);
    expect(tests.filter((named) => named === '' || !isTested(named))).toEqual([]);
  });

  // Promise B1
  test('docs/wire.md has a line for each option of a run, and names no other', () => {
    const read_ = readOptions(undefined);
    const options = read_.ok ? Object.keys(read_.options) : [];
    const section = sectionOf('## Options of a run');
    const named = [...section.matchAll(/^- ((?:`\w+`(?:, )?)+)/gm)].flatMap(([, names = '']) => codeIn(names));
    expect(distinct(named)).toEqual(distinct(options));
  });
});
