/** A set of callbacks, told in the order they came. */
export interface Listeners<T extends unknown[]> {
  add(cb: (...args: T) => void): () => void;
  tell(...args: T): void;
  readonly size: number;
}

export function createListeners<T extends unknown[]>(): Listeners<T> {
  const all = new Set<(...args: T) => void>();
  return {
    add(cb) {
      all.add(cb);
      return () => void all.delete(cb);
    },
    tell(...args) {
      // A copy: who hears it may leave.
      for (const cb of Array.from(all)) cb(...args);
    },
    get size() {
      return all.size;
    },
  };
}
