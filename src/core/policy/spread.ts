// Deadlines that a calendar puts into one moment are spread over a span after it.

/** A place from 0 to `overMs`: always the same for a digest, and evenly spread over digests. */
export function spreadWithin(digest: string, overMs: number): number {
  const share = Number.parseInt(digest.slice(-8), 16) / 2 ** 32;
  return Math.floor(share * (overMs + 1));
}
