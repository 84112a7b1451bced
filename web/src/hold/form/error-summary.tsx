// What is wrong, in one place with the focus on it; each line leads to its field.
import { type ReactNode, useEffect, useRef } from 'react';
import { strings } from '../../i18n/strings.ts';

export interface SummaryLine {
  /** Null: no field shows it. */
  fieldId: string | null;
  text: string;
}

interface Props {
  id?: string;
  lines: readonly SummaryLine[];
  /** Grows with each submit that failed: the focus comes here. */
  round: number;
  onGo?: (fieldId: string, index: number) => void;
}

export function ErrorSummary({ id, lines, round, onGo }: Props): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (round > 0) box.current?.focus();
  }, [round]);
  if (lines.length === 0) return null;
  return (
    <div className="notice danger summary" role="alert" tabIndex={-1} ref={box} id={id}>
      <h3>{strings.hold.form.summary(lines.length)}</h3>
      <ul>
        {lines.map(({ fieldId, text }, index) => (
          <li key={`${fieldId ?? ''} ${text}`}>
            {fieldId === null ? (
              text
            ) : (
              <a
                href={`#${fieldId}`}
                onClick={(event) => {
                  event.preventDefault();
                  onGo?.(fieldId, index);
                }}
              >
                {text}
              </a>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The control of a field, or the first one inside it. */
export function focusField(id: string): boolean {
  const element = document.getElementById(id);
  if (element === null) return false;
  for (let above = element.parentElement; above !== null; above = above.parentElement) {
    if (above instanceof HTMLDetailsElement) above.open = true;
  }
  const inner = element.matches('input,select,textarea,button')
    ? element
    : element.querySelector<HTMLElement>('input,select,textarea,button');
  (inner ?? element).focus();
  return true;
}
