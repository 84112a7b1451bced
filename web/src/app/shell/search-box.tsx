// Ctrl+K: the field is there with the key that opens it, so that what is typed next is typed into it; what it offers loads then.
import { type KeyboardEvent, type ReactNode, Suspense, useId, useRef, useState } from 'react';
import { strings } from '../../i18n/strings.ts';
import { Icon } from '../../ui/icons.tsx';
import { useModal } from '../../ui/modal.ts';
import { Guard, SlowNotice } from '../../ui/guard.tsx';
import { PaletteList } from '../page-parts.ts';
import type { ListHandle } from './palette.tsx';

const words = strings.palette;

export function SearchBox({ onClose }: { onClose: () => void }): ReactNode {
  const dialog = useModal();
  const list = useRef<ListHandle>(null);
  const id = useId();
  const [typed, setTyped] = useState('');
  const [isChosen, setChosen] = useState(false);
  const [optionId, setOptionId] = useState<string>();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (step !== undefined) list.current?.step(step);
    else if (list.current === null) setChosen(true);
    else list.current.choose();
  };
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={words.title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current.close();
      }}
    >
      <div className="palette-field">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded={optionId !== undefined}
          aria-controls={id}
          aria-activedescendant={optionId}
          aria-label={words.title}
          placeholder={words.hint}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          maxLength={200}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setTyped(event.target.value);
            setChosen(false);
          }}
        />
      </div>
      <Guard resetKey="palette">
        <Suspense fallback={<SlowNotice />}>
          <PaletteList
            id={id}
            typed={typed}
            isChosen={isChosen}
            handle={list}
            onChosen={() => dialog.current?.close()}
            onCurrent={setOptionId}
          />
        </Suspense>
      </Guard>
    </dialog>
  );
}
