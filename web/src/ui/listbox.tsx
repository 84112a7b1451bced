// One choice of a few, in the pages' own style: a button with a list, by ARIA's pattern of a combobox that is only chosen from.
import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from './icons.tsx';
import './listbox.css';

export type Option<T extends string = string> = readonly [value: T, words: string];

interface Props<T extends string> {
  /** Names it for ears; null where a label elsewhere is for its `id`. */
  label: string | null;
  value: T;
  options: readonly Option<T>[];
  onChoose: (value: T) => void;
  /** What stands in the button while no option has the value. */
  placeholder?: string;
  id?: string;
  className?: string;
  isLocked?: boolean;
  isInvalid?: boolean;
  describedBy?: string | undefined;
  onLeave?: () => void;
}

const typedWithinMs = 600;
const pageSteps = 10;
const gapPx = 4;

export function Listbox<T extends string>(props: Props<T>): ReactNode {
  const { label, value, options, onChoose, placeholder = '', className, isLocked, isInvalid, describedBy } = props;
  const ownId = useId();
  const id = props.id ?? ownId;
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const typed = useRef({ text: '', at: 0 });
  /** Null: closed. */
  const [at, setAt] = useState<number | null>(null);
  const isOpen = at !== null;
  const chosen = options.findIndex(([one]) => one === value);
  const last = options.length - 1;

  useLayoutEffect(() => {
    if (isOpen && button.current !== null && list.current !== null) place(list.current, button.current);
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return undefined;
    // It hangs where its button was: once that moves, it is closed.
    const gone = new AbortController();
    const close = ({ target }: Event): void => {
      if (!(target instanceof Node) || list.current?.contains(target) !== true) setAt(null);
    };
    addEventListener('scroll', close, { capture: true, passive: true, signal: gone.signal });
    addEventListener('resize', close, { signal: gone.signal });
    return () => gone.abort();
  }, [isOpen]);

  const choose = (index: number | null): void => {
    setAt(null);
    const option = index === null ? undefined : options[index];
    if (option !== undefined && option[0] !== value) onChoose(option[0]);
  };
  /** The next option that begins with what was typed; the same letter again goes on to the one after. */
  const seek = (key: string): void => {
    const now = performance.now();
    const before = now - typed.current.at < typedWithinMs ? typed.current.text : '';
    const text = before === key ? key : before + key.toLocaleLowerCase();
    typed.current = { text, at: now };
    const from = (at ?? chosen) + (text.length === 1 ? 1 : 0);
    const order = options.map((_, n) => (Math.max(0, from) + n) % options.length);
    const found = order.find((n) => options[n]?.[1].toLocaleLowerCase().startsWith(text) === true);
    setAt(found ?? at ?? Math.max(0, chosen));
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
    const here = at ?? Math.max(0, chosen);
    const to = (index: number): void => setAt(Math.min(last, Math.max(0, index)));
    switch (event.key) {
      case 'ArrowDown':
        to(isOpen ? here + 1 : here);
        break;
      case 'ArrowUp':
        if (event.altKey && isOpen) choose(at);
        else to(isOpen ? here - 1 : here);
        break;
      case 'Home':
        to(0);
        break;
      case 'End':
        to(last);
        break;
      case 'PageDown':
        to(here + pageSteps);
        break;
      case 'PageUp':
        to(here - pageSteps);
        break;
      case 'Enter':
        if (isOpen) choose(at);
        else to(here);
        break;
      case ' ':
        if (typed.current.text !== '' && isOpen && performance.now() - typed.current.at < typedWithinMs) seek(' ');
        else if (isOpen) choose(at);
        else to(here);
        break;
      case 'Escape':
        if (!isOpen) return;
        setAt(null);
        break;
      case 'Tab':
        if (isOpen) choose(at);
        return;
      default:
        if (event.key.length !== 1 || event.altKey) return;
        seek(event.key);
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        id={id}
        className={`listbox ${className ?? ''}`}
        role="combobox"
        aria-label={label ?? undefined}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
        aria-invalid={isInvalid === true || undefined}
        aria-describedby={describedBy}
        disabled={isLocked}
        onKeyDown={onKey}
        onBlur={() => {
          setAt(null);
          props.onLeave?.();
        }}
        onClick={({ currentTarget }) => {
          // One browser gives a pressed button no focus.
          currentTarget.focus();
          setAt(isOpen ? null : Math.max(0, chosen));
        }}
      >
        <bdi className="cut" dir="auto">
          {options[chosen]?.[1] ?? placeholder}
        </bdi>
        <Icon name="chevron" />
      </button>
      {isOpen && (
        <ul
          ref={list}
          id={`${id}-list`}
          role="listbox"
          aria-label={label ?? undefined}
          className="options"
          popover="manual"
        >
          {options.map(([one, words], index) => (
            <li
              key={one}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === chosen}
              className={index === at ? 'at' : undefined}
              ref={(element) => {
                if (index === at) element?.scrollIntoView({ block: 'nearest' });
              }}
              // The focus stays with the button.
              onMouseDown={(event) => event.preventDefault()}
              onPointerMove={() => setAt(index)}
              onClick={() => choose(index)}
            >
              <bdi dir="auto">{words}</bdi>
              {index === chosen && <Icon name="check" />}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** With its label above it, as fields of a filter bar stand. */
export function LabelledListbox<T extends string>({ label, ...props }: Props<T> & { label: string }): ReactNode {
  const id = useId();
  return (
    <div className="labelled">
      <label htmlFor={id}>{label}</label>
      <Listbox {...props} id={id} label={null} />
    </div>
  );
}

/** Above everything, below its button or over it, wherever there is more room. */
function place(list: HTMLElement, button: HTMLElement): void {
  list.showPopover();
  const box = button.getBoundingClientRect();
  const [below, above] = [innerHeight - box.bottom - 2 * gapPx, box.top - 2 * gapPx];
  const isBelow = below >= Math.min(list.scrollHeight, 240) || below >= above;
  const { style } = list;
  style.minWidth = `${box.width}px`;
  style.maxHeight = `${Math.min(360, isBelow ? below : above)}px`;
  style.left = `${Math.max(gapPx, Math.min(box.left, innerWidth - list.offsetWidth - gapPx))}px`;
  style.top = `${isBelow ? box.bottom + gapPx : box.top - gapPx - list.offsetHeight}px`;
}
