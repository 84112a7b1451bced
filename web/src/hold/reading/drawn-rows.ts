// Rows of a long table, some at a time: the next are drawn as their reader comes to the end of the last.
import { useState } from 'react';
import type { Reads } from './read-block.tsx';

/** Drawn in one frame even on a slow machine. */
const rowsAtOnce = 100;

export function useDrawnRows<T>(
  rows: readonly T[],
): { drawn: readonly T[] } & Required<Pick<Reads, 'shows' | 'isCut' | 'isEndless' | 'unfold'>> {
  const [count, setCount] = useState(rowsAtOnce);
  const drawn = rows.slice(0, count);
  return {
    drawn,
    shows: String(drawn.length),
    isCut: drawn.length < rows.length,
    isEndless: true,
    unfold: () => setCount((before) => Math.max(before, count + rowsAtOnce)),
  };
}
