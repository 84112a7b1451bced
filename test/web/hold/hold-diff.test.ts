import { describe, expect, test } from '@jest/globals';
import { changesIn, changesOf, diffArgs } from '../../../web/src/hold/values/value-diff.ts';
import { diffWords } from '../../../web/src/hold/values/word-diff.ts';
import { cpuMsOf } from '../../rigs/quickest.ts';
import { fc } from '../../rigs/properties.ts';

describe('a diff of words', () => {
  test('a diff of words marks what went and what came, and keeps the rest', () => {
    expect(diffWords('full refund', 'partial refund')).toEqual([
      { kind: 'removed', text: 'full' },
      { kind: 'added', text: 'partial' },
      { kind: 'same', text: ' refund' },
    ]);
  });

  test('a diff of words gives back both texts, whatever they are', () => {
    const words = fc.array(fc.constantFrom('a', 'b', ' ', 'é', '東京', '.', '\n')).map((list) => list.join(''));
    fc.assert(
      fc.property(words, words, (before, after) => {
        const pieces = diffWords(before, after);
        const without = (kind: string): string =>
          pieces
            .filter((piece) => piece.kind !== kind)
            .map(({ text }) => text)
            .join('');
        expect(without('added')).toBe(before);
        expect(without('removed')).toBe(after);
      }),
    );
  });

  test('a diff of words of two long texts that share nothing is bounded', () => {
    const [before, after] = ['x y '.repeat(5_000), 'p q '.repeat(5_000)];
    let pieces: ReturnType<typeof diffWords> = [];
    expect(cpuMsOf(() => (pieces = diffWords(before, after)))).toBeLessThan(1_000);
    expect(
      pieces
        .filter(({ kind }) => kind === 'removed')
        .map(({ text }) => text)
        .join('').length,
    ).toBeGreaterThan(0);
  });
});

describe('a diff of arguments', () => {
  test('a diff of arguments says by how much a number changed, with its decimals', () => {
    const [row] = diffArgs({ amount: 4210.5 }, { amount: 4200 });
    expect(row).toMatchObject({ kind: 'changed', delta: '−10.5' });
    expect(diffArgs({ n: 1 }, { n: 3 })[0]?.delta).toBe('+2');
  });

  test('a diff of arguments counts what is not as it was', () => {
    const rows = diffArgs({ kept: 1, gone: 'x' }, { kept: 1, come: null });
    expect(changesIn(rows)).toBe(2);
  });
});

test('a changed question is shown part by part, old and new', () => {
  const before = {
    title: 'Pay 10?',
    message: 'Same',
    schema: {},
    defaults: {},
    context: { toolArgs: { amount: 10 }, artifacts: [] },
  };
  const after = { ...before, title: 'Pay 99?', context: { toolArgs: { amount: 99 }, artifacts: [] } };
  expect(changesOf(before, after)).toEqual([
    { what: 'title', before: 'Pay 10?', after: 'Pay 99?' },
    { what: 'arguments', before: 'amount: 10', after: 'amount: 99' },
  ]);
});

test('an artifact that changed is shown by its digest, and where it is fetched is not a change', () => {
  const asked = (digest: string | null, url: string) => ({
    title: '',
    message: '',
    schema: {},
    defaults: {},
    context: { toolArgs: {}, artifacts: [{ id: 'r', name: 'report', url, digest }] },
  });
  expect(changesOf(asked('sha256:0123456789', '/a'), asked('sha256:abcdef0123', '/a'))).toEqual([
    { what: 'artifacts', before: 'report 01234567', after: 'report abcdef01' },
  ]);
  expect(changesOf(asked('sha256:00', '/a'), asked('sha256:00', '/b'))).toEqual([]);
  expect(changesOf(asked(null, '/a'), asked(null, '/b'))).toEqual([]);
});
