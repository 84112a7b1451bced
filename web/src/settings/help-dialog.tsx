import { useEffect, useId, useRef, type ReactNode } from 'react';
import { Icon } from '../ui/icons.tsx';
import { strings } from '../i18n/strings.ts';
import { KeyGroups, KeySwitch, Looks, Notices } from './choices.tsx';

const text = strings.help;

export function HelpDialog({ onClose }: { onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className="help" aria-labelledby={titleId} onClose={onClose}>
      <div className="dialog-head">
        <h2 id={titleId}>{text.title}</h2>
        <button
          type="button"
          className="button quiet icon-only"
          aria-label={strings.app.close}
          onClick={() => dialog.current?.close()}
        >
          <Icon name="cross" />
        </button>
      </div>
      <div className="choices">
        <Looks />
        <Notices />
      </div>
      <h3>{text.keysTitle}</h3>
      <KeySwitch />
      <KeyGroups />
    </dialog>
  );
}
