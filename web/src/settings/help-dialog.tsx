import { useId, type ReactNode } from 'react';
import { IconButton } from '../ui/controls.tsx';
import { useModal } from '../ui/modal.ts';
import { strings } from '../i18n/strings.ts';
import { KeyGroups, KeySwitch, Appearance, Notices } from './choices.tsx';

const text = strings.help;

export function HelpDialog({ onClose }: { onClose: () => void }): ReactNode {
  const dialog = useModal();
  const titleId = useId();
  return (
    <dialog ref={dialog} className="help" aria-labelledby={titleId} onClose={onClose}>
      <div className="dialog-head">
        <h2 id={titleId}>{text.title}</h2>
        <IconButton icon="cross" label={strings.app.close} onClick={() => dialog.current?.close()} />
      </div>
      <div className="choices">
        <Appearance />
        <Notices />
      </div>
      <h3>{text.keysTitle}</h3>
      <KeySwitch />
      <KeyGroups heading="h4" />
    </dialog>
  );
}
