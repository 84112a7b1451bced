import { type ReactNode, useState } from 'react';
import { strings } from '../../i18n/strings.ts';

interface Props {
  id: string;
  label: string;
  isSecret: boolean;
  autoComplete: string;
  value: string;
  error: string | undefined;
  isLocked: boolean;
  onChange: (text: string) => void;
}

/** A credential: hidden until asked for, pasted and filled in by managers as usual, never drafted. */
export function SecretField({ id, label, isSecret, autoComplete, value, error, isLocked, onChange }: Props): ReactNode {
  const [isShown, setShown] = useState(false);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="secret">
        <input
          id={id}
          type={isSecret && !isShown ? 'password' : 'text'}
          autoComplete={autoComplete}
          spellCheck={false}
          autoCapitalize="off"
          readOnly={isLocked}
          value={value}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={`${id}-hint`}
          onChange={(event) => onChange(event.target.value)}
        />
        {isSecret && (
          <button
            type="button"
            className="button"
            aria-pressed={isShown}
            aria-controls={id}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? strings.hold.hide : strings.hold.show}
          </button>
        )}
      </div>
      <p className="hint" id={`${id}-hint`}>
        <span className="error">{error ?? ''}</span> {isSecret ? strings.hold.sealed : ''}
      </p>
    </div>
  );
}
