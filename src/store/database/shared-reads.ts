/**
 * Callers that ask for the same at the same time share a read, which begins after each of them asked: at most one of a key runs,
 * and one waits for its end. What it gives belongs to all of them, and must not be changed.
 */
export function shareReads<Given extends readonly unknown[], Row>(
  read: (...given: Given) => Promise<Row>,
): (...given: Given) => Promise<Row> {
  const reads = new Map<string, { over: Promise<void>; next: Promise<Row> | null }>();
  return (...given) => {
    const key = JSON.stringify(given);
    const begin = (): Promise<Row> => {
      const result = read(...given);
      const leave = (): void => {
        if (reads.get(key) === one) reads.delete(key);
      };
      const one = { over: result.then(leave, leave), next: null };
      reads.set(key, one);
      return result;
    };
    const running = reads.get(key);
    return running === undefined ? begin() : (running.next ??= running.over.then(begin));
  };
}
