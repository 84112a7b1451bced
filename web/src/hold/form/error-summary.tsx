// What is wrong, in one place with the focus on it; each line leads to its field.
import { type ReactNode, type RefObject, useEffect } from 'react';
import { strings } from '../../i18n/strings.ts';

export interface SummaryLine {
  /** Null: no field shows it. */
  fieldId: string | null;
  label: string;
  message: string;
}

interface Props {
  lines: readonly SummaryLine[];
  /** Grows with each submit that failed: the focus comes here. */
  round: number;
  box: RefObject<HTMLDivElement | null>;
  onGo: (line: SummaryLine) => void;
}

export function ErrorSummary({ lines, round, box, onGo }: Props): ReactNode {
  useEffect(() => {
    if (round > 0) box.current?.focus();
  }, [round, box]);
  if (lines.length === 0) return null;
  return (
    <div className="notice danger summary" role="alert" tabIndex={-1} ref={box}>
      <h3>{strings.hold.form.summary(lines.length)}</h3>
      <ul>
        {lines.map((line) => (
          <li key={`${line.fieldId ?? ''} ${line.message}`}>
            {line.fieldId === null ? (
              strings.hold.form.place(line.label, line.message)
            ) : (
              <a
                href={`#${line.fieldId}`}
                onClick={(event) => {
                  event.preventDefault();
                  onGo(line);
                }}
              >
                {strings.hold.form.place(line.label, line.message)}
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
  const location = document.getElementById(id);
  if (location === null) return false;
  for (let above = location.parentElement; above !== null; above = above.parentElement) {
    if (above instanceof HTMLDetailsElement) above.open = true;
  }
  const inner = location.matches('input,select,textarea,button')
    ? location
    : location.querySelector<HTMLElement>('input,select,textarea,button');
  (inner ?? location).focus();
  return true;
}
