// One passkey of one's own: its name, which can be changed, and its removal.
import { useState, type ReactNode } from 'react';
import { strings } from '../i18n/strings.ts';

const { passkeys: words } = strings.settings;

interface Props {
  id: string;
  name: string;
  isBusy: boolean;
  rename: (id: string, name: string) => void;
  remove: (id: string) => void;
}

/** What is open of it: nothing, the field of its name, or the question whether it is to be removed. */
type Open = 'nothing' | 'name' | 'removal';

export function OwnPasskey({ id, name, isBusy, rename, remove }: Props): ReactNode {
  const [open, setOpen] = useState<Open>('nothing');
  const [draft, setDraft] = useState(name);
  const close = (): void => {
    setOpen('nothing');
    setDraft(name);
  };
  if (open === 'nothing')
    return (
      <span className="row">
        <button type="button" className="link" aria-label={words.renameIt(name)} onClick={() => setOpen('name')}>
          {words.rename}
        </button>
        <button type="button" className="link" aria-label={words.removeIt(name)} onClick={() => setOpen('removal')}>
          {words.remove}
        </button>
      </span>
    );
  const isNamed = draft.trim() !== '';
  return (
    <span className="row">
      {open === 'name' ? (
        <>
          <input
            aria-label={words.newName(name)}
            value={draft}
            maxLength={60}
            autoComplete="off"
            onChange={(event) => setDraft(event.target.value)}
          />
          <button
            type="button"
            className="button"
            disabled={isBusy || !isNamed}
            onClick={() => {
              rename(id, draft.trim());
              setOpen('nothing');
            }}
          >
            {words.save}
          </button>
        </>
      ) : (
        <>
          <span>{words.sureToRemove}</span>
          <button
            type="button"
            className="button"
            disabled={isBusy}
            onClick={() => {
              remove(id);
              close();
            }}
          >
            {words.removeNow(name)}
          </button>
        </>
      )}
      <button type="button" className="link" onClick={close}>
        {words.keep}
      </button>
    </span>
  );
}
