// Which runs are being read by a client's stream, in this api process.

export interface RunReaders {
  /** Counts a reader of this log until the returned function is called. */
  enter(logId: number): () => void;
  has(logId: number): boolean;
}

export function createRunReaders(): RunReaders {
  const counts = new Map<number, number>();
  return {
    enter(logId) {
      counts.set(logId, (counts.get(logId) ?? 0) + 1);
      return () => {
        const left = (counts.get(logId) ?? 1) - 1;
        if (left === 0) counts.delete(logId);
        else counts.set(logId, left);
      };
    },
    has: (logId) => counts.has(logId),
  };
}
