// What changed between two texts, in words: longest common subsequence, bounded.
export interface Piece {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

const maxCells = 250_000;

const wordsOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{M}\p{N}_]+|[^\s\p{L}\p{M}\p{N}_]/gu) ?? [];

export function diffWords(before: string, after: string): Piece[] {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const pieces: Piece[] = [];
  push(pieces, 'same', a.slice(0, start));
  diffMiddle(pieces, a.slice(start, a.length - end), b.slice(start, b.length - end));
  push(pieces, 'same', end === 0 ? [] : a.slice(-end));
  return pieces;
}

function diffMiddle(pieces: Piece[], a: string[], b: string[]): void {
  if (a.length * b.length > maxCells) {
    push(pieces, 'removed', a);
    push(pieces, 'added', b);
    return;
  }
  // lengths[i][j]: the longest common run of words of a from i and b from j.
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      push(pieces, 'same', [a[i] ?? '']);
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) push(pieces, 'removed', [a[i++] ?? '']);
    else push(pieces, 'added', [b[j++] ?? '']);
  }
}

function push(pieces: Piece[], kind: Piece['kind'], words: string[]): void {
  if (words.length === 0) return;
  const last = pieces.at(-1);
  if (last?.kind === kind) last.text += words.join('');
  else pieces.push({ kind, text: words.join('') });
}
