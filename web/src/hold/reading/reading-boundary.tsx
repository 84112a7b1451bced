// The parts of one question share what of it was on a screen.
import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useSyncExternalStore } from 'react';
import { strings } from '../../i18n/strings.ts';
import { type Next, ReadingStore } from './store.ts';

const words = strings.seen;
const StoreContext = createContext<ReadingStore | null>(null);

interface Props {
  /** What is read: of another question nothing was read yet. */
  of?: string;
  /** False: nothing is decided here, and nothing has to be read. */
  isOn?: boolean;
  children: ReactNode;
}

export function ReadingBoundary({ of = '', isOn = true, children }: Props): ReactNode {
  const store = useMemo(() => new ReadingStore(of), [of]);
  useLayoutEffect(() => (isOn ? store.watch() : undefined), [store, isOn]);
  return <StoreContext value={isOn ? store : null}>{children}</StoreContext>;
}

/** Null outside of a question that is decided. */
export const useReading = (): ReadingStore | null => useContext(StoreContext);

const none = (): (() => void) => () => undefined;

export interface Unseen {
  /** What the button says in the place of its verb; null: it is known in a moment what of it is on the screen. */
  label: string | null;
  /** Why there is no way to read on; null: there is. */
  why: string | null;
  /** Brings the next of it to the screen; `again`: the press to be repeated once that is known. */
  show: (again?: () => void) => void;
}

/** The first part that was not read; null: all was, and the question may be approved. */
export function useUnseen(): Unseen | null {
  const store = useReading();
  const next = useSyncExternalStore(store?.subscribe ?? none, () => store?.next() ?? null);
  if (store === null || next === null) return null;
  return { label: next.isSettling ? null : labelOf(next), why: next.why, show: store.show };
}

/** What was attached and not opened, by name. */
export function useUnopened(): string[] {
  const store = useReading();
  const lines = useSyncExternalStore(store?.subscribe ?? none, () => store?.unopened() ?? '');
  return lines === '' ? [] : lines.split('\n');
}

/** Whether nothing of this part has to be read any more. */
export function useIsSettled(id: string): boolean {
  const store = useReading();
  return useSyncExternalStore(store?.subscribe ?? none, () => store?.isSettled(id) ?? true);
}

/** Whether it is known that something of this part was not on the screen. */
export function useIsLeft(id: string): boolean {
  const store = useReading();
  return useSyncExternalStore(store?.subscribe ?? none, () => store?.isLeft(id) ?? false);
}

function labelOf({ kind, isAside, why, done, of }: Next): string {
  if (why !== null) return words.notWhole;
  if (kind === 'diff' && of > 1) return words.files(done, of);
  return isAside ? words.aside : words.rest[kind];
}
