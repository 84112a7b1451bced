// The way back from what one did last, by hand or by its key.
import type { ReactNode } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { useKeys } from '../../base/page/keys.ts';
import { strings } from '../../i18n/strings.ts';
import { ErrorText } from '../../ui/controls.tsx';
import { useTakeBack } from './take-back.ts';

const words = strings.grace;

interface Props {
  id: string;
  onTaken: (hold: HoldView) => void;
  /** Who was asked before it was passed on. */
  from?: readonly string[] | undefined;
  /** Next to another question: one that has its own goes first. */
  isAside?: boolean;
}

export function UndoButton({ id, onTaken, from, isAside = false }: Props): ReactNode {
  const { isSending, why, takeBack } = useTakeBack(id, onTaken, from);
  const isOthers = (): boolean => isAside && document.querySelector('.own-undo') !== null;
  useKeys({ z: () => (isSending || isOthers() ? false : void takeBack()) }, [{ key: 'z', label: words.undo }]);
  return (
    <>
      <button
        type="button"
        className={isAside ? 'button' : 'button own-undo'}
        disabled={isSending}
        onClick={() => void takeBack()}
      >
        {words.undo} <kbd aria-hidden="true">{words.undoKey}</kbd>
      </button>
      <ErrorText why={why} />
    </>
  );
}
