// One choice of many: a field that says what is chosen, and what one types into it narrows the list (ARIA's combobox).
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { strings } from '../i18n/strings.ts';
import { fittingChoices } from './filter-choices.ts';
import { Options } from './options.tsx';

const words = strings.hold.form;
/** A longer list is not read: people type another letter. */
const shownAtMost = 100;

interface Props {
  id: string;
  label: string | null;
  labels: readonly string[];
  /** Place of what is chosen; -1: nothing is. */
  chosen: number;
  onChoose: (at: number) => void;
  onLeave: () => void;
  isLocked: boolean;
  isInvalid: boolean;
  describedBy: string | undefined;
}

/** What is typed, which choices fit it, and which of them the keys are at. */
function useFinding({ labels, chosen, onChoose, onLeave }: Props) {
  /** Null: nothing is typed, and the field says what is chosen. */
  const [typed, setTyped] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  /** Among those found; -1: none of them, as what is chosen is further down than the list shows. */
  const [rank, setRank] = useState(0);
  const all = isOpen ? fittingChoices(labels, typed ?? '') : [];
  const found = all.slice(0, shownAtMost);
  const placeAtCursor = found[Math.min(rank, found.length - 1)];
  const open = (): void => {
    if (isOpen) return;
    setOpen(true);
    // Nothing is typed yet: the list has all labels in their order.
    setRank(chosen < shownAtMost ? Math.max(0, chosen) : -1);
  };
  const close = (): void => {
    setOpen(false);
    setTyped(null);
  };
  const choose = (place: number): void => {
    if (place !== chosen) onChoose(place);
    close();
  };
  const type = (text: string): void => {
    setTyped(text);
    setOpen(true);
    setRank(0);
  };
  const move = (by: number): void => {
    if (isOpen) setRank((before) => Math.max(0, Math.min(before, found.length - 1) + by) % Math.max(1, found.length));
    else open();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter' && isOpen && found.length > 0) choose(placeAtCursor ?? chosen);
    else if (event.key === 'Escape' && isOpen) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const leave = (): void => {
    // An emptied field takes the choice back.
    if (typed?.trim() === '' && chosen >= 0) onChoose(-1);
    close();
    onLeave();
  };
  return {
    typed,
    isOpen,
    found,
    rest: all.length - found.length,
    placeAtCursor,
    open,
    close,
    choose,
    type,
    onKey,
    leave,
  };
}

export function FindChoice(props: Props): ReactNode {
  const { id, label, labels, chosen, isLocked, isInvalid, describedBy } = props;
  const field = useRef<HTMLInputElement>(null);
  const { typed, isOpen, found, rest, placeAtCursor, open, close, choose, type, onKey, leave } = useFinding(props);
  return (
    <>
      <input
        ref={field}
        id={id}
        type="text"
        role="combobox"
        className="find-choice"
        value={typed ?? labels[chosen] ?? ''}
        placeholder={words.find(labels.length)}
        autoComplete="off"
        spellCheck={false}
        aria-label={label ?? undefined}
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && placeAtCursor !== undefined ? `${id}-${placeAtCursor}` : undefined}
        aria-invalid={isInvalid || undefined}
        aria-describedby={describedBy}
        disabled={isLocked}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onClick={open}
        onChange={({ target }) => type(target.value)}
        onBlur={leave}
        onKeyDown={onKey}
      />
      {isOpen && (
        <Options
          {...{ id, chosen }}
          label={words.choices}
          options={found.map((place) => [place, labels[place] ?? ''])}
          at={placeAtCursor ?? null}
          anchor={field}
          onChoose={choose}
          onClose={close}
        >
          {found.length + rest === 0 && <li className="meta">{words.noneFits}</li>}
          {rest > 0 && <li className="meta">{words.moreChoices(rest)}</li>}
        </Options>
      )}
    </>
  );
}
