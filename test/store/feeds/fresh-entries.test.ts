import { expect, test } from '@jest/globals';
import { createFreshEntries, type FreshEntries } from '../../../src/store/feeds/fresh-entries.ts';

const textOf = (n: number): string => JSON.stringify({ type: 'CUSTOM', n });
const written = (firstSeq: number, count = 1): { firstSeq: number; texts: string[] } => ({
  firstSeq,
  texts: Array.from({ length: count }, (_, index) => textOf(firstSeq + index)),
});
const seqs = (fresh: FreshEntries, afterSeq: number): number[] | undefined =>
  fresh.take(afterSeq)?.entries.map(({ seq }) => seq);

/** One whose reader has read the log before, as all do first. */
function aReader(): FreshEntries {
  const fresh = createFreshEntries();
  expect(fresh.take(0)).toBeNull();
  return fresh;
}

test('entries that follow without a gap need not be read from the log', () => {
  const fresh = aReader();
  fresh.add(written(3, 2));
  fresh.add(written(5));
  expect(fresh.take(2)).toEqual({
    entries: [3, 4, 5].map((n) => ({ seq: n, event: { type: 'CUSTOM', n } })),
    isLast: false,
  });
  expect(fresh.take(5)).toBeNull();
});

test('entries that the reader has seen in the log are left out', () => {
  const fresh = aReader();
  fresh.add(written(1, 4));
  expect(seqs(fresh, 2)).toEqual([3, 4]);
});

test('what a run ended with is marked as its last', () => {
  const fresh = aReader();
  fresh.add(written(1));
  fresh.add({ ...written(2), isLast: true });
  expect(fresh.take(0)).toMatchObject({ entries: [{ seq: 1 }, { seq: 2 }], isLast: true });
});

test('a gap, or another change of the log, means reading it', () => {
  const fresh = aReader();
  fresh.add(written(1));
  fresh.add(written(3));
  expect(fresh.take(0)).toBeNull();
  fresh.add(written(4));
  fresh.invalidate();
  expect(fresh.take(3)).toBeNull();
  fresh.add(written(5));
  expect(seqs(fresh, 4)).toEqual([5]);
});

test('a reader who does not come reads the log instead of filling memory', () => {
  const fresh = aReader();
  for (let seq = 1; seq <= 5_000; seq += 1) fresh.add(written(seq));
  expect(fresh.take(0)).toBeNull();
  fresh.add({ firstSeq: 5_001, texts: [JSON.stringify({ type: 'CUSTOM', value: 'x'.repeat(300_000) })] });
  expect(fresh.take(5_000)).toBeNull();
});
