// A button that does it at once, or asks once more in its own place: it has the focus then, Enter and a second press confirm.
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { announce } from '../../base/page/announce.tsx';
import { store } from '../../base/page/stored.ts';
import { strings } from '../../i18n/strings.ts';
import { hasJustMoved } from '../grace/move-on.ts';
import type { Arm } from '../pane/use-arm.ts';
import { useHeld } from './use-held.ts';

export interface ArmButtonProps {
  id: string;
  label: ReactNode;
  /** Plain text, announced when it arms. */
  armedLabel: string;
  /** It needs no second press, unless something else has armed it; a touch always arms first, as does a press right after moving on. */
  isDirect?: boolean;
  /** Stays armed while one writes what goes with it. */
  lasts?: boolean;
  /** Something has to be seen first: this shows it, and nothing is armed. It may be known in a moment only: then it presses again. */
  beforeArming?: (again?: () => void) => void;
  tone: 'primary' | 'plain' | 'destroys' | 'quiet';
  arm: Arm;
  onConfirm: () => void;
  isLocked?: boolean;
  describedBy?: string;
  /** The key that presses it; for eyes alone. */
  hint?: string | undefined;
  /** It has the focus, or a pointer over it. */
  onPoint?: () => void;
}

/** Who has held the button once needs no line that says so. */
export const heldOnce = 'held';

export function ArmButton(props: ArmButtonProps): ReactNode {
  const { id, label, armedLabel, isDirect, lasts, beforeArming, tone, arm } = props;
  const { onConfirm, isLocked, describedBy, hint, onPoint } = props;
  const isArmed = arm.what === id;
  // Held, it is meant: a thumb that slips does not stay.
  const mayHold = id === 'approve' && isLocked !== true && beforeArming === undefined && lasts !== true;
  const confirmHeld = (): void => {
    store(heldOnce, 'yes');
    onConfirm();
  };
  const { isHeld, isDone, ...holding } = useHeld(mayHold ? confirmHeld : null);
  const act = (isTouch: boolean): void => {
    if (isLocked === true) return;
    if (beforeArming !== undefined) beforeArming(() => latest.current(isTouch));
    else if ((isDirect === true && !isArmed && !isTouch && !hasJustMoved()) || arm.press(id, { lasts: lasts === true }))
      onConfirm();
    else if (!isArmed) announce(strings.hold.armedText(armedLabel));
  };
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  const names = ['button', tone === 'plain' ? '' : tone, isArmed ? 'armed' : ''].filter((name) => name !== '');
  return (
    <button
      type="button"
      className={names.join(' ')}
      data-action={id}
      data-key={isArmed ? (lasts === true ? strings.hold.sendKey : strings.hold.enterKey) : hint}
      data-held={isHeld || undefined}
      data-unseen={beforeArming !== undefined || undefined}
      data-armed={isArmed ? (arm.isReady ? 'ready' : 'just') : undefined}
      aria-disabled={isLocked || undefined}
      aria-describedby={describedBy}
      onKeyDown={withoutRepeat}
      onMouseDown={keepField}
      {...holding}
      onFocus={onPoint}
      onMouseEnter={onPoint}
      onClick={(event) => {
        if (isDone()) return;
        // The field is left now: Enter confirms where it was pressed, and keys rest inside of fields.
        event.currentTarget.focus({ preventScroll: true });
        act(isTouch(event.nativeEvent));
      }}
    >
      {isArmed ? armedLabel : label}
    </button>
  );
}

/** Leaving a field may move what is below it, and the button away from under the pointer: it is left afterwards. */
function keepField(event: MouseEvent): void {
  if (document.activeElement?.matches('input, textarea, select') === true) event.preventDefault();
}

/** A thumb slips where a pointer does not: one touch decides nothing. */
const isTouch = (event: Event): boolean =>
  (event instanceof PointerEvent && event.pointerType === 'touch') || matchMedia('(pointer: coarse)').matches;

/** A key held down is one press. */
function withoutRepeat(event: KeyboardEvent): void {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
}
