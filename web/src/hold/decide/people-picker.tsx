// Whom a question goes to: people and roles by their names, chosen from a list as one types (ARIA's combobox).
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useState } from 'react';
import type { AudienceOption } from '../../../../src/contract/views/inbox.ts';
import { parseEntry } from '../../../../src/core/policy/audience-entry.ts';
import { strings } from '../../i18n/strings.ts';
import { IconButton } from '../../ui/controls.tsx';
import { entryName, matching } from '../words/entry-words.ts';
import '../../ui/listbox.css';
import './picker.css';

const words = strings.hold;

interface Props {
  label: string;
  options: readonly AudienceOption[];
  chosen: readonly string[];
  /** What is being typed; it may be an entry of its own. */
  typed: string;
  onType: (text: string) => void;
  onChoose: (entries: string[]) => void;
  field: RefObject<HTMLInputElement | null>;
  hintId: string;
  isWrong: boolean;
}

/** What is offered for what is typed, and which of it the keys are at. */
function useOffers({ options, chosen, typed, onType, onChoose, field }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const found = matching(options, typed, chosen);
  const isShown = isOpen && found.length > 0;
  const here = found[Math.min(at, found.length - 1)];
  const choose = (entry: string): void => {
    onChoose([...chosen, entry]);
    onType('');
    setOpen(false);
    setAt(0);
    field.current?.focus();
  };
  const move = (by: number): void => {
    setOpen(true);
    setAt((before) =>
      found.length === 0 ? 0 : (Math.min(before, found.length - 1) + by + found.length) % found.length,
    );
  };
  const onKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event.key === 'ArrowDown' ? (isShown ? 1 : 0) : -1);
    else if (event.key === 'Enter' && isShown && here !== undefined) choose(here.entry);
    else if (event.key === 'Escape' && isShown) {
      setOpen(false);
      event.stopPropagation();
    } else if (event.key === 'Backspace' && typed === '' && chosen.length > 0) onChoose(chosen.slice(0, -1));
    else return;
    event.preventDefault();
  };
  const type = (text: string): void => {
    onType(text);
    setAt(0);
    setOpen(true);
  };
  return { found, here: isShown ? here?.entry : undefined, isShown, setOpen, choose, type, onKey };
}

export function PeoplePicker(props: Props): ReactNode {
  const { label, options, chosen, typed, onChoose, field, hintId, isWrong } = props;
  const id = useId();
  const { found, here, isShown, setOpen, choose, type, onKey } = useOffers(props);
  const nameOf = (entry: string): string =>
    entryName(entry, options.find((option) => option.entry === entry)?.name ?? null);
  return (
    <div className="picker stack">
      <label htmlFor={id}>{label}</label>
      <div className="picker-box cluster">
        {chosen.map((entry) => (
          <span key={entry} className="picker-chip">
            <bdi>{nameOf(entry)}</bdi> <span className="meta">{words.entryKinds[parseEntry(entry).kind]}</span>
            <IconButton
              icon="cross"
              label={words.entryRemove(nameOf(entry))}
              onClick={() => onChoose(chosen.filter((one) => one !== entry))}
            />
          </span>
        ))}
        <input
          id={id}
          ref={field}
          type="text"
          role="combobox"
          value={typed}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="off"
          aria-expanded={isShown}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={here === undefined ? undefined : `${id}-${here}`}
          aria-invalid={isWrong || undefined}
          aria-describedby={hintId}
          onChange={(event) => type(event.target.value)}
          onClick={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKey}
        />
      </div>
      <ul
        id={`${id}-list`}
        role="listbox"
        aria-label={words.entryList}
        className="options picker-list"
        hidden={!isShown}
      >
        {found.map(({ entry, name }) => (
          <li
            key={entry}
            id={`${id}-${entry}`}
            role="option"
            aria-selected={entry === here}
            className={entry === here ? 'at' : undefined}
            data-entry={entry}
            onMouseDown={(event) => {
              event.preventDefault();
              choose(entry);
            }}
          >
            <bdi>{entryName(entry, name)}</bdi> <span className="meta">{words.entryKinds[parseEntry(entry).kind]}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
