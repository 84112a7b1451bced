// Small controls that many pages draw alike.
import type { ChangeEvent, KeyboardEvent, ReactNode, RefObject } from 'react';
import { visible } from '../base/text/visible.ts';
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

/** Each in its own direction. */
export function Parts({ parts }: { parts: readonly string[] }): ReactNode {
  return parts.map((part, index) => (
    <span key={`${index} ${part}`}>
      {index > 0 && ' · '}
      <bdi>{part}</bdi>
    </span>
  ));
}

/** Text as a person wrote it. */
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
  isLabelHidden?: boolean;
  value: string;
  onChange: (text: string) => void;
  /** Several lines; left out: one. */
  rows?: number;
  maxLength?: number | undefined;
  isLocked?: boolean;
  isInvalid?: boolean;
  className?: string;
  field?: RefObject<HTMLElement | null>;
  onKeyDown?: (event: KeyboardEvent) => void;
  /** Shown below it, and describes it. */
  hint?: ReactNode;
  /** Shown below the hint. */
  children?: ReactNode;
}

/** For a field with a button of its own: Ctrl+Enter presses that one. */
export const onSendKey =
  (send: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };

/** Text under its label. */
export function TextField(props: TextFieldProps): ReactNode {
  const { id, label, isLabelHidden, value, onChange, rows, isLocked, isInvalid, className = 'field' } = props;
  const { maxLength = rows === undefined ? 2_000 : undefined, field, onKeyDown, hint, children } = props;
  const Tag = rows === undefined ? 'input' : 'textarea';
  return (
    <div className={className}>
      <label className={isLabelHidden === true ? 'sr-only' : undefined} htmlFor={id}>
        {label}
      </label>
      <Tag
        id={id}
        ref={(element: HTMLElement | null) => {
          if (field !== undefined) field.current = element;
        }}
        type={rows === undefined ? 'text' : undefined}
        rows={rows}
        dir="auto"
        maxLength={maxLength}
        value={value}
        readOnly={isLocked}
        aria-invalid={isInvalid === true || undefined}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(target.value)}
        onKeyDown={onKeyDown}
      />
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children}
    </div>
  );
}
