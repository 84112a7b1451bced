/** A set of callbacks, called in the order they came. */
export interface Listeners<T extends unknown[]> {
  add(cb: (...args: T) => void): () => void;
  emit(...args: T): void;
  readonly size: number;
}

export function createListeners<T extends unknown[]>(): Listeners<T> {
  const all = new Set<(...args: T) => void>();
  return {
    add(cb) {
      all.add(cb);
      return () => void all.delete(cb);
    },
    emit(...args) {
      // A copy: a callback may remove itself.
      for (const cb of Array.from(all)) cb(...args);
    },
    get size() {
      return all.size;
    },
  };
}
