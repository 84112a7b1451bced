// Small controls that many pages draw alike.
import type { ReactNode, RefObject } from 'react';
import { visible } from '../hold/text/visible.ts';
import { Icon, type IconName } from './icons.tsx';

interface IconButtonProps {
  icon: IconName;
  /** Names it for ears; nothing else does. */
  label: string;
  onClick: () => void;
  isLocked?: boolean;
}

export function IconButton({ icon, label, onClick, isLocked = false }: IconButtonProps): ReactNode {
  return (
    <button type="button" className="button quiet icon-only" aria-label={label} disabled={isLocked} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}

/** Why something did not work, for eyes and ears; nothing while it did. */
export function ErrorText({ why, className = 'error' }: { why: string | null; className?: string }): ReactNode {
  if (why === null) return null;
  return (
    <p className={className} role="alert">
      {why}
    </p>
  );
}

/** Each by itself in its own direction. */
export function Parts({ parts }: { parts: readonly string[] }): ReactNode {
  return parts.map((part, index) => (
    <span key={`${index} ${part}`}>
      {index > 0 && ' · '}
      <bdi>{part}</bdi>
    </span>
  ));
}

/** Text as somebody wrote it. */
export function AsWritten({ text, className = '' }: { text: string; className?: string }): ReactNode {
  return (
    <p className={`asis ${className}`} dir="auto">
      {visible(text)}
    </p>
  );
}

interface TextFieldProps {
  id: string;
  label: string;
  value: string;
  onChange: (text: string) => void;
  maxLength?: number;
  isLocked?: boolean;
  className?: string;
  field?: RefObject<HTMLInputElement | null>;
  /** Stands below it and describes it. */
  hint?: ReactNode;
}

/** One line of text under its label. */
export function TextField(props: TextFieldProps): ReactNode {
  const { id, label, value, onChange, maxLength = 2_000, isLocked = false, className = 'field', field, hint } = props;
  return (
    <div className={className}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        ref={field}
        type="text"
        dir="auto"
        maxLength={maxLength}
        value={value}
        readOnly={isLocked}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
      />
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
