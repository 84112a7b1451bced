// The open list of a combobox, chosen from by a button or by typing; it hangs at its anchor, and closes once that moves.
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { Icon } from './icons.tsx';
import { place } from './place.ts';
import './listbox.css';

interface Props {
  id: string;
  label: string | null;
  options: readonly (readonly [place: number, words: string])[];
  /** The place that keys are at. */
  at: number | null;
  chosen: number;
  /** What it hangs at. */
  anchor: RefObject<HTMLElement | null>;
  onPoint?: (at: number) => void;
  onChoose: (at: number) => void;
  onClose: () => void;
  /** Below the options: that there are more, or none. */
  children?: ReactNode;
}

export function Options({
  id,
  label,
  options,
  at,
  chosen,
  anchor,
  onPoint,
  onChoose,
  onClose,
  children,
}: Props): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useLayoutEffect(() => {
    if (anchor.current !== null && list.current !== null) place(list.current, anchor.current);
  }, [anchor, options.length]);
  useLayoutEffect(() => {
    const gone = new AbortController();
    const topNow = (): number => anchor.current?.getBoundingClientRect().top ?? 0;
    const top = topNow();
    const onMove = ({ target, type }: Event): void => {
      if (target instanceof Node && list.current?.contains(target) === true) return;
      // The event of what scrolled before it was opened comes after that.
      if (type === 'scroll' && Math.abs(topNow() - top) < 1) return;
      close.current();
    };
    addEventListener('scroll', onMove, { capture: true, passive: true, signal: gone.signal });
    addEventListener('resize', onMove, { signal: gone.signal });
    return () => gone.abort();
  }, [anchor]);
  return (
    <ul
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label={label ?? undefined}
      className="options"
      popover="manual"
    >
      {options.map(([index, words]) => (
        <li
          key={index}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          className={index === at ? 'at' : undefined}
          ref={(element) => {
            if (index === at) element?.scrollIntoView({ block: 'nearest' });
          }}
          // The focus stays with what it hangs at.
          onMouseDown={(event) => event.preventDefault()}
          onPointerMove={onPoint === undefined ? undefined : () => onPoint(index)}
          onClick={() => onChoose(index)}
        >
          <bdi dir="auto">{words}</bdi>
          {index === chosen && <Icon name="check" />}
        </li>
      ))}
      {children}
    </ul>
  );
}
