// How alike the end of a client's transcript is to what a thread has up to each of its messages, in time that grows as both do: long
// conversations repeat their words.

/** How often each is there. */
export function counted(all: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

/** How many at the start of all are the same from each place on (the Z-function). */
function startsAgain(all: readonly (string | null)[]): number[] {
  const lengths = all.map(() => 0);
  let [from, to] = [0, 0];
  for (let at = 1; at < all.length; at += 1) {
    let length = at < to ? Math.min(to - at, lengths[at - from] ?? 0) : 0;
    while (at + length < all.length && all[length] === all[at + length]) length += 1;
    lengths[at] = length;
    if (at + length > to) [from, to] = [at, at + length];
  }
  return lengths;
}

/** How many in a row at the end of `mine` are at the end of the first of `theirs`, for each number of these. */
function inRow(theirs: readonly string[], mine: readonly string[]): (count: number) => number {
  const lengths = startsAgain([...mine.toReversed(), null, ...theirs.toReversed()]);
  return (count) => lengths[mine.length + 1 + theirs.length - count] ?? 0;
}

/**
 * For each number of the first of `theirs`: first how many of `mine` are among as many at their end, in whatever order, as some
 * stores change it, then how many in a row at the end.
 */
export function likenesses(theirs: readonly string[], mine: readonly string[]): number[] {
  const wanted = counted(mine);
  const rowOf = inRow(theirs, mine);
  const inWindow = new Map<string, number>();
  const likenessOf = (shared: number, count: number): number => shared * (mine.length + 1) + rowOf(count);
  let shared = 0;
  return [
    0,
    ...theirs.map((words, index) => {
      const gone = theirs[index - mine.length];
      const has = inWindow.get(words) ?? 0;
      if (has < (wanted.get(words) ?? 0)) shared += 1;
      inWindow.set(words, has + 1);
      if (gone !== undefined) {
        const left = (inWindow.get(gone) ?? 0) - 1;
        if (left < (wanted.get(gone) ?? 0)) shared -= 1;
        inWindow.set(gone, left);
      }
      return likenessOf(shared, index + 1);
    }),
  ];
}
