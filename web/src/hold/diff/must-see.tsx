// What of a question was not on the screen yet: it cannot be approved before.
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';

export interface Unseen {
  /** What the button says in the place of its verb. */
  label: string;
  /** Brings the next of it to the screen. */
  show: () => void;
}

interface Register {
  put: (key: string, unseen: Unseen | null) => void;
}

const RegisterContext = createContext<Register | null>(null);
const UnseenContext = createContext<Unseen | null>(null);

/** The parts of one question. */
export function SeenBoundary({ children }: { children: ReactNode }): ReactNode {
  const [parts, setParts] = useState<ReadonlyMap<string, Unseen>>(new Map());
  const register = useMemo(
    (): Register => ({
      put: (key, unseen) =>
        setParts((before) => {
          if (unseen === null && !before.has(key)) return before;
          const next = new Map(before);
          if (unseen === null) next.delete(key);
          else next.set(key, unseen);
          return next;
        }),
    }),
    [],
  );
  const [first = null] = parts.values();
  return (
    <RegisterContext value={register}>
      <UnseenContext value={first}>{children}</UnseenContext>
    </RegisterContext>
  );
}

/** The first part that was not seen; null: all was. */
export const useUnseen = (): Unseen | null => useContext(UnseenContext);

/** `label` null: it was seen. Outside of a question nothing is to be seen. */
export function useMustSee(key: string, label: string | null, show: () => void): void {
  const register = useContext(RegisterContext);
  const latest = useRef(show);
  useEffect(() => {
    latest.current = show;
  });
  useEffect(() => {
    register?.put(key, label === null ? null : { label, show: () => latest.current() });
  }, [register, key, label]);
  useEffect(() => () => register?.put(key, null), [register, key]);
}
