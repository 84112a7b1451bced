// The fields that a pressed button still asks for, beneath it: a digit chooses, Enter goes on, Ctrl+Enter sends.
import { type KeyboardEvent, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { usePane } from '../pane/pane.ts';
import type { Dict } from '../values/dict.ts';
import { focusField } from './error-summary.tsx';
import { idOf } from './form-context.ts';
import type { FormHandle } from './form-handle.ts';
import { FormPanel } from './form-panel.tsx';

interface Props {
  /** The form's fields that are asked for. */
  names: readonly string[];
  /** What the pressed button says. */
  given: Dict;
  /** The button that they go with. */
  of: string;
  handle: RefObject<FormHandle | null>;
  asJson: readonly string[];
}

export function AskedFields({ names: asked, given, of, handle, asJson }: Props): ReactNode {
  const { hold, work, decision, lockedWhy, idPrefix } = usePane();
  // As they were asked for: one does not go while it is filled in.
  const [names] = useState(asked);
  const [{ schema, secretPaths }] = useState(hold);
  const [sent] = useState(given);
  const box = useRef<HTMLDivElement>(null);
  const prefix = `${idPrefix}-asked`;
  const onReady = useCallback(() => handle.current?.focusFirst(), [handle]);
  useEffect(() => {
    const bar = box.current?.closest('.decide');
    return () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body)
          bar?.querySelector<HTMLElement>(`[data-action="${of}"]`)?.focus({ preventScroll: true });
      });
    };
  }, [of]);

  /** The field after the one that has the focus, else the button. */
  const goOn = (target: Element): void => {
    const at = names.findIndex((name) => document.getElementById(idOf(prefix, [name]))?.contains(target) === true);
    const next = names[at + 1];
    if (next !== undefined) focusField(idOf(prefix, [next]));
    else box.current?.closest('.decide')?.querySelector<HTMLElement>(`[data-action="${of}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { target, key } = event;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    if (!(target instanceof HTMLInputElement) || !isPlain || event.repeat || event.nativeEvent.isComposing) return;
    const isChoice = target.type === 'radio' || target.type === 'checkbox';
    if (key === 'Enter') goOn(target);
    else if (isChoice && /^[1-9]$/u.test(key)) {
      const choices = target.closest('fieldset')?.querySelectorAll<HTMLInputElement>(`input[type="${target.type}"]`);
      const chosen = choices?.[Number(key) - 1];
      if (chosen === undefined) return;
      chosen.click();
      if (target.type === 'radio') goOn(chosen);
      else chosen.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="decide-fields" data-keys="own" ref={box} onKeyDown={onKeyDown}>
      <FormPanel
        handle={handle}
        onReady={onReady}
        schema={schema}
        initial={work.values}
        onChange={work.setValues}
        problems={decision.problems}
        isLocked={lockedWhy !== null}
        idPrefix={prefix}
        asSections={false}
        asJson={asJson}
        secretPaths={secretPaths}
        given={sent}
        only={names}
      />
    </div>
  );
}
