// One choice of a few, in the pages' own style: a button with a list, by ARIA's pattern of a combobox that is only chosen from.
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Icon } from './icons.tsx';
import { Options } from './options.tsx';

export type Option<T extends string = string> = readonly [value: T, words: string];

interface Props<T extends string> {
  /** Names it for ears; null where a label elsewhere is for its `id`. */
  label: string | null;
  value: T;
  options: readonly Option<T>[];
  onChoose: (value: T) => void;
  /** The button's text while no option has the value. */
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

export function Listbox<T extends string>(props: Props<T>): ReactNode {
  const { label, value, options, placeholder = '', className, isLocked, isInvalid, describedBy } = props;
  const ownId = useId();
  const id = props.id ?? ownId;
  const button = useRef<HTMLButtonElement>(null);
  const { at, setAt, choose, onKey } = useChoosing(props);
  const chosen = options.findIndex(([one]) => one === value);
  const isOpen = at !== null;
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
        <Options
          {...{ id, label, at, chosen }}
          options={options.map(([, words], index) => [index, words])}
          anchor={button}
          onPoint={setAt}
          onChoose={choose}
          onClose={() => setAt(null)}
        />
      )}
    </>
  );
}

interface Choosing {
  /** The option that keys are at; null: the list is closed. */
  at: number | null;
  setAt: (at: number | null) => void;
  choose: (index: number | null) => void;
  onKey: (event: KeyboardEvent) => void;
}

function useChoosing<T extends string>({ value, options, onChoose }: Props<T>): Choosing {
  const typed = useRef({ text: '', at: 0 });
  const [at, setAt] = useState<number | null>(null);
  const isOpen = at !== null;
  const here =
    at ??
    Math.max(
      0,
      options.findIndex(([one]) => one === value),
    );
  const choose = (index: number | null): void => {
    setAt(null);
    const option = index === null ? undefined : options[index];
    if (option !== undefined && option[0] !== value) onChoose(option[0]);
  };
  const isTyping = (): boolean => performance.now() - typed.current.at < typedWithinMs;
  /** The next option that begins with what was typed; the same letter again goes on to the one after. */
  const seek = (key: string): void => {
    const before = isTyping() ? typed.current.text : '';
    const text = before === key ? key : before + key.toLocaleLowerCase();
    typed.current = { text, at: performance.now() };
    const from = here + (text.length === 1 ? 1 : 0);
    const order = options.map((_, n) => (from + n) % options.length);
    const found = order.find((n) => options[n]?.[1].toLocaleLowerCase().startsWith(text) === true);
    setAt(found ?? here);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Tab') {
      if (isOpen) choose(at);
      return;
    }
    const act = isOpen ? openAct(event, typed.current.text !== '' && isTyping()) : closedAct(event);
    if (act === null) return;
    if (act === 'close') setAt(null);
    else if (act === 'choose') choose(at);
    else if (act === 'seek') seek(event.key);
    else setAt(Math.min(options.length - 1, Math.max(0, here + act)));
    event.preventDefault();
    event.stopPropagation();
  };
  return { at, setAt, choose, onKey };
}

type Pressed = Pick<KeyboardEvent, 'key' | 'altKey' | 'shiftKey'>;
/** What a key does: a number goes as many options on. */
type Act = number | 'close' | 'choose' | 'seek';
type Acts = Partial<Record<string, Act>>;

const far: Acts = { Home: -Infinity, End: Infinity, PageDown: pageSteps, PageUp: -pageSteps };
/** Keys that only open it stay at what is chosen. */
const ofClosed: Acts = { ...far, ArrowDown: 0, ArrowUp: 0, Enter: 0, ' ': 0 };
const ofOpen: Acts = { ...far, ArrowDown: 1, ArrowUp: -1, Enter: 'choose', ' ': 'choose', Escape: 'close' };

const letterAct = ({ key, altKey }: Pressed): Act | null => (key.length === 1 && !altKey ? 'seek' : null);
/** With Shift a letter is a key of the page. */
const closedAct = (pressed: Pressed): Act | null =>
  ofClosed[pressed.key] ?? (pressed.shiftKey ? null : letterAct(pressed));
function openAct(pressed: Pressed, isTypingOn: boolean): Act | null {
  if (pressed.key === ' ' && isTypingOn) return 'seek';
  if (pressed.key === 'ArrowUp' && pressed.altKey) return 'choose';
  return ofOpen[pressed.key] ?? letterAct(pressed);
}

/** With its label above it, as in a filter bar. */
export function LabelledListbox<T extends string>({ label, ...props }: Props<T> & { label: string }): ReactNode {
  const id = useId();
  return (
    <div className="labelled">
      <label htmlFor={id}>{label}</label>
      <Listbox {...props} id={id} label={null} />
    </div>
  );
}
