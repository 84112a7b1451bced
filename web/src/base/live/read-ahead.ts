// What is likely to be opened next is read before it is, and drawn at once then. Who shows it asks for it again all the same.
interface Kept {
  atMs: number;
  /** Null until it has come. */
  answer: unknown;
  settled: Promise<unknown>;
}

/** An older answer may have changed in a way that no event tells; no path is read ahead more often. */
const freshMs = 60_000;

export interface ReadAhead {
  /** Reads these ahead and forgets all others; resolves once each has come or failed. */
  read: (paths: readonly string[]) => Promise<unknown>;
  /** Forgets an answer that has changed. */
  drop: (path: string) => void;
  /** Null: it has not come, or is old by now. */
  peek: (path: string) => unknown;
  /** Never reads it ahead again: its reader sees it, and may change it from now on. */
  shown: (path: string) => void;
}

export function createReadAhead(ask: (path: string) => Promise<unknown>): ReadAhead {
  let kept = new Map<string, Kept>();
  /** Of these only the server's next answer has what their reader wrote since. */
  const shown = new Set<string>();
  /** A path that changes all the time is not read ahead at each change. */
  const askedAtMs = new Map<string, number>();
  const isDue = (path: string): boolean => performance.now() - (askedAtMs.get(path) ?? -freshMs) >= freshMs;
  const read = (path: string): Kept => {
    askedAtMs.set(path, performance.now());
    const settled = ask(path).then(
      (answer) => Object.assign(one, { atMs: performance.now(), answer }),
      // It is asked for when it is opened, and says then why not.
      () => undefined,
    );
    const one: Kept = { atMs: 0, answer: null, settled };
    return one;
  };
  return {
    read: (paths) => {
      const wanted = paths.filter((path) => !shown.has(path) && (kept.has(path) || isDue(path)));
      kept = new Map(wanted.map((path) => [path, kept.get(path) ?? read(path)]));
      return Promise.all([...kept.values()].map(({ settled }) => settled));
    },
    drop: (path) => kept.delete(path),
    peek: (path) => {
      const { atMs = 0, answer = null } = kept.get(path) ?? {};
      return performance.now() - atMs > freshMs ? null : answer;
    },
    shown: (path) => {
      kept.delete(path);
      shown.add(path);
    },
  };
}
