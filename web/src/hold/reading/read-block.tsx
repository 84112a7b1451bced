// One block of a question: what is in it has to be on a screen, to its end, before the question can be approved.
import { createElement, type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { announce } from '../../base/page/announce.tsx';
import { strings } from '../../i18n/strings.ts';
import type { PartKind } from './reading.ts';
import { useIsLeft, useReading } from './reading-boundary.tsx';

const words = strings.seen;

export interface Reads {
  kind: PartKind;
  /** Of what is shown now; another key is other content. */
  shows?: string;
  /** There is more of it than is shown. */
  isCut?: boolean;
  /** Shows more of it; true: it has brought that to the screen as well. */
  unfold?: (() => boolean | void) | undefined;
  /** More of it comes as its reader comes to its end. */
  isEndless?: boolean;
  /** Why it cannot be shown whole, in words. */
  why?: string | null;
  /** It need not be opened, and is named while it was not. */
  isNamed?: string | null;
}

/** Makes an element a block; the id is its end mark's. */
export function useBlock<T extends Element>(reads: Reads): { id: string; ref: RefObject<T | null> } {
  const store = useReading();
  const id = useId();
  const ref = useRef<T>(null);
  const latest = useRef(reads.unfold);
  useEffect(() => {
    latest.current = reads.unfold;
  });
  const { kind, shows = '', isCut = false, isEndless = false, why = null, isNamed = null } = reads;
  const canUnfold = reads.unfold !== undefined;
  useLayoutEffect(() => {
    if (store === null || ref.current === null) return;
    const unfold = canUnfold ? () => latest.current?.() === true : undefined;
    store.put(id, ref.current, { kind, shows, isCut, isEndless, why, isNamed, unfold });
  });
  useLayoutEffect(() => () => store?.drop(id), [store, id]);
  return { id, ref };
}

interface Props extends Reads {
  as?: string;
  className?: string | undefined;
  children?: ReactNode;
  [attribute: `data-${string}` | `aria-${string}`]: string | undefined;
  id?: string;
  role?: string;
  tabIndex?: number;
  open?: boolean;
  dir?: string;
}

export function ReadBlock(props: Props): ReactNode {
  const { as = 'div', kind, shows, isCut, unfold, isEndless, why, isNamed, children, ...rest } = props;
  const { id, ref } = useBlock<HTMLElement>({ kind, shows, isCut, unfold, isEndless, why, isNamed } as Reads);
  return (
    <>
      {createElement(as, { ...rest, ref }, children)}
      <EndMark id={id} />
    </>
  );
}

/** For who reads without a screen: after a block that was not on one, a button that says it was gone through. */
export function EndMark({ id }: { id: string }): ReactNode {
  const store = useReading();
  const isLeft = useIsLeft(id);
  if (store === null || !isLeft) return null;
  return (
    <button
      type="button"
      className="button quiet small end-mark"
      onClick={() => announce(words.marked[store.markRead(id)])}
    >
      {words.markRead}
    </button>
  );
}
