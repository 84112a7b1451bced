// Text controls in our own markup: named, described, and marked invalid for every ear.
import type { FormContextType, RJSFSchema, WidgetProps } from '@rjsf/utils';
import type { ChangeEvent, ReactNode } from 'react';
import { strings } from '../../i18n/strings.ts';
import { SecretInput } from '../decide/secret-field.tsx';
import { contextOf, describedBy } from './form-context.ts';
import { useTyped } from './use-typed.ts';

export type Widget = WidgetProps<unknown, RJSFSchema, FormContextType>;

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

/** Attributes that every control has. */
export function controlProps({ id, htmlName, disabled, readonly, rawErrors, schema, options }: Widget): {
  id: string;
  name: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
  'aria-disabled': true | undefined;
} {
  const hasErrors = rawErrors !== undefined && rawErrors.length > 0;
  const hint = options.description ?? schema.description;
  return {
    id,
    name: htmlName ?? id,
    'aria-invalid': hasErrors || undefined,
    'aria-describedby': describedBy(id, { error: hasErrors, hint: hint !== undefined && hint !== '' }),
    'aria-disabled': disabled === true || readonly === true || undefined,
  };
}

interface Kind {
  type: 'text' | 'email' | 'url' | 'date' | 'time' | 'datetime-local' | 'password';
  inputMode?: 'decimal' | 'numeric';
}

function kindOf(props: Widget): Kind {
  const { type, format } = props.schema;
  if (type === 'integer') return { type: 'text', inputMode: 'numeric' };
  if (type === 'number') return { type: 'text', inputMode: 'decimal' };
  switch (format) {
    case 'email':
      return { type: 'email' };
    case 'uri':
      return { type: 'url' };
    case 'date':
      return { type: 'date' };
    case 'date-time':
      return { type: 'datetime-local' };
    default:
      return { type: 'text' };
  }
}

/** What a control of text has in addition: its text as it is typed, and when the form gets it. */
function useText(
  props: Widget,
  asTyped: (value: unknown) => string = textOf,
  asValue = (text: string): unknown => text,
) {
  const { value, options, onChange, onBlur, readonly, disabled, registry, id } = props;
  const typed = useTyped(
    asTyped(value),
    (text) => onChange(text === '' ? options.emptyValue : asValue(text)),
    contextOf(registry.formContext).pending,
  );
  return {
    ...controlProps(props),
    readOnly: readonly === true || disabled === true,
    value: typed.text,
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): void => typed.type(target.value),
    onBlur: (): void => {
      typed.commit();
      onBlur(id, typed.text);
    },
  };
}

export function TextWidget(props: Widget): ReactNode {
  const kind = kindOf(props);
  const isMoment = kind.type === 'datetime-local';
  const text = useText(props, isMoment ? localMoment : textOf, isMoment ? momentOf : undefined);
  return (
    <input
      {...text}
      {...kind}
      className={kind.inputMode === undefined ? undefined : 'num'}
      dir={kind.type === 'text' && kind.inputMode === undefined ? 'auto' : undefined}
      autoComplete="off"
    />
  );
}

export function TextareaWidget(props: Widget): ReactNode {
  return <textarea {...useText(props)} dir="auto" rows={3} />;
}

export function PasswordWidget(props: Widget): ReactNode {
  return (
    <>
      <SecretInput {...useText(props)} autoComplete="off" />
      <p className="hint">{strings.hold.sealed}</p>
    </>
  );
}

/** Files have no way to an agent from here. */
export function NoFileWidget(): ReactNode {
  return <p className="meta">{strings.hold.form.noFile}</p>;
}

/** A moment in the reader's own time; the agent gets it in UTC. */
function localMoment(value: unknown): string {
  const at = typeof value === 'string' ? new Date(value) : null;
  if (at === null || Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function momentOf(text: string): string {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}
