import { type ChangeEvent, type InputHTMLAttributes, type ReactNode, useState } from 'react';
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
  const input = {
    id,
    autoComplete,
    autoCapitalize: 'off',
    readOnly: isLocked,
    value,
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': `${id}-hint`,
    onChange: (event: ChangeEvent<HTMLInputElement>): void => onChange(event.target.value),
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {isSecret ? (
        <SecretInput {...input} />
      ) : (
        <div className="secret">
          <input type="text" spellCheck={false} {...input} />
        </div>
      )}
      <p className="hint" id={`${id}-hint`}>
        <span className="error">{error ?? ''}</span> {isSecret ? strings.hold.sealed : ''}
      </p>
    </div>
  );
}

/** Hidden until its button shows it. */
export function SecretInput(input: InputHTMLAttributes<HTMLInputElement>): ReactNode {
  const [isShown, setShown] = useState(false);
  return (
    <div className="secret">
      <input spellCheck={false} {...input} type={isShown ? 'text' : 'password'} />
      <button
        type="button"
        className="button"
        aria-pressed={isShown}
        aria-controls={input.id}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? strings.hold.hide : strings.hold.show}
      </button>
    </div>
  );
}
