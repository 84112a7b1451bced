// The words that go with the armed button, in the bar next to it.
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { TextField } from '../../ui/controls.tsx';
import { usePane } from '../pane/pane.ts';
import { LastReasons } from './last-reasons.tsx';

interface Props {
  label: string;
  /** It has the focus as it opens. */
  isFocused: boolean;
  /** The button that it goes with: it gets the focus when this closes around it. */
  of: string;
  onEnter: (event: KeyboardEvent) => void;
}

export function ReasonRow({ label, isFocused, of, onEnter }: Props): ReactNode {
  const { work, lockedWhy } = usePane();
  const field = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isFocused) field.current?.focus({ preventScroll: true });
    const bar = field.current?.closest('.decide');
    return () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body)
          bar?.querySelector<HTMLElement>(`[data-action="${of}"]`)?.focus({ preventScroll: true });
      });
    };
  }, [isFocused, of]);
  return (
    <TextField
      id={useId()}
      className="field decide-reason"
      label={label}
      field={field}
      isLocked={lockedWhy !== null}
      value={work.reason}
      onChange={work.setReason}
      onKeyDown={(event) => {
        const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
        if (event.key !== 'Enter' || !isPlain || event.nativeEvent.isComposing || event.repeat) return;
        event.preventDefault();
        onEnter(event);
      }}
    >
      {of === 'reject' && lockedWhy === null && <LastReasons onTake={() => field.current?.focus()} />}
    </TextField>
  );
}
