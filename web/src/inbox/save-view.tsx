import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { announce } from '../base/page/announce.tsx';
import { strings } from '../i18n/strings.ts';
import { dropView, saveView, useSavedViews } from './saved-views.ts';

const text = strings.inbox;

/** Keeps the list as it is now under a name, or forgets the name. */
export function SaveView({ path }: { path: string }): ReactNode {
  const saved = useSavedViews().find((view) => view.path === path);
  const [isNaming, setNaming] = useState(false);
  const [name, setName] = useState('');
  const id = useId();
  if (saved !== undefined) {
    return (
      <button type="button" className="button link" onClick={() => dropView(path)}>
        {text.dropView(saved.name)}
      </button>
    );
  }
  if (!isNaming) {
    return (
      <button type="button" className="button link" onClick={() => setNaming(true)}>
        {text.saveView}
      </button>
    );
  }
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === '') return;
    saveView({ name: name.trim(), path });
    announce(text.viewSaved);
    setNaming(false);
    setName('');
  };
  return (
    <form className="save-view" onSubmit={save}>
      <label className="sr-only" htmlFor={id}>
        {text.viewName}
      </label>
      <input
        id={id}
        // Opened to be typed into.
        autoFocus
        value={name}
        maxLength={60}
        placeholder={text.viewName}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          setNaming(false);
        }}
      />
      <button type="submit" className="button">
        {text.save}
      </button>
    </form>
  );
}
