// A day, typed as its reader writes days or chosen from a month: what a browser's own field shows depends on its build.
import { type ReactNode, useRef, useState } from 'react';
import { serverNow } from '../../base/time/clock.ts';
import { reader } from '../../base/time/time.ts';
import { strings } from '../../i18n/strings.ts';
import { Icon } from '../icons.tsx';
import { Calendar } from './calendar.tsx';
import { dayOfText, dayPattern, dayText, timeOfText, timeText } from './dates.ts';
import './date.css';

const words = strings.dates;

interface Props {
  id: string;
  /** Names what is chosen, for ears; a label elsewhere is for the `id`. */
  label: string;
  /** As the wire has it, or what was typed and means nothing yet. */
  value: string;
  onChange: (value: string) => void;
  onLeave?: () => void;
  name?: string;
  isLocked?: boolean;
  isInvalid?: boolean;
  describedBy?: string | undefined;
}

export function DateField(props: Props): ReactNode {
  const { id, label, value, onChange, isLocked = false } = props;
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus({ preventScroll: true });
  };
  return (
    <div
      className="date-field"
      ref={box}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && box.current?.contains(relatedTarget) === true) return;
        setOpen(false);
        props.onLeave?.();
      }}
    >
      <Typed
        {...props}
        show={(day) => dayText(day, reader.locale)}
        read={(text) => dayOfText(text, serverNow(), reader.locale)}
        placeholder={dayPattern(reader.locale)}
        onOpen={() => setOpen(true)}
      />
      <button
        ref={button}
        type="button"
        className="button icon-only"
        aria-label={words.choose(label)}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        disabled={isLocked}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="calendar" />
      </button>
      {isOpen && (
        <Calendar
          id={`${id}-month`}
          label={words.choose(label)}
          value={value}
          below={box}
          onChoose={(day) => {
            onChange(day);
            close();
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

export function TimeField({ label, ...props }: Props): ReactNode {
  return (
    <Typed
      {...props}
      label={label}
      isNamed
      show={(time) => timeText(time, reader.locale)}
      read={timeOfText}
      placeholder={timeText('14:30', reader.locale)}
    />
  );
}

interface TypedProps extends Props {
  show: (value: string) => string;
  read: (text: string) => string | null;
  placeholder: string;
  isNamed?: boolean;
  onOpen?: () => void;
}

/** While it is typed it stays as it is typed; on leaving it is written as its reader writes it. */
function Typed({ value, onChange, show, read, isNamed = false, onOpen, ...props }: TypedProps): ReactNode {
  const [typed, setTyped] = useState<string | null>(null);
  const valueOf = (text: string): string => read(text) ?? text;
  return (
    <input
      type="text"
      id={props.id}
      name={props.name}
      className="num"
      dir="ltr"
      autoComplete="off"
      maxLength={40}
      placeholder={props.placeholder}
      aria-label={isNamed ? props.label : undefined}
      aria-invalid={props.isInvalid === true || undefined}
      aria-describedby={props.describedBy}
      aria-disabled={props.isLocked === true || undefined}
      readOnly={props.isLocked}
      value={typed !== null && valueOf(typed) === value ? typed : show(value)}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(valueOf(target.value));
      }}
      onBlur={() => {
        setTyped(null);
        if (onOpen === undefined) props.onLeave?.();
      }}
      onKeyDown={(event) => {
        if (onOpen === undefined || event.key !== 'ArrowDown' || props.isLocked === true) return;
        event.preventDefault();
        onOpen();
      }}
    />
  );
}
