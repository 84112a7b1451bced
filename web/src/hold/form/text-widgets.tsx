// Text controls in our own markup: named, described, and marked invalid for every ear.
import type { RJSFSchema, WidgetProps } from '@rjsf/utils';
import { type ChangeEvent, type ReactNode, type Ref, useState } from 'react';
import { strings } from '../../i18n/strings.ts';
import { SecretInput } from '../decide/secret-field.tsx';
import { useBlock } from '../reading/read-block.tsx';
import { describedBy, type FormContext } from './form-context.ts';
import { useTyped } from './use-typed.ts';

export type Widget = WidgetProps<unknown, RJSFSchema, FormContext>;

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
  type: 'text' | 'email' | 'url';
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
    default:
      return { type: 'text' };
  }
}

/** What is typed into a field, and when the form gets it. */
export function useTypedValue({ value, options, onChange, onBlur, registry, id }: Widget): {
  text: string;
  type: (text: string) => void;
  leave: () => void;
} {
  const { text, type, commit } = useTyped(
    value === undefined || value === null ? '' : String(value),
    (typed) => onChange(typed === '' ? options.emptyValue : typed),
    registry.formContext.pending,
  );
  const leave = (): void => {
    commit();
    onBlur(id, text);
  };
  return { text, type, leave };
}

export const isLocked = ({ disabled, readonly }: Widget): boolean => disabled === true || readonly === true;

/** What a control of text has in addition. */
function useText(props: Widget) {
  const { text, type, leave } = useTypedValue(props);
  return {
    ...controlProps(props),
    readOnly: isLocked(props),
    value: text,
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): void => type(target.value),
    onBlur: leave,
  };
}

/** A shorter text is seen as its field is. */
const mostInField = 16;

/** What was proposed may be longer than its field: all of it is read. */
function useProposed<T extends Element>({ value }: Widget): { ref?: Ref<T> } {
  const { ref } = useBlock<T>({ kind: 'form' });
  const [isLong] = useState(() => typeof value === 'string' && value.length > mostInField);
  return isLong ? { ref } : {};
}

export function TextWidget(props: Widget): ReactNode {
  const kind = kindOf(props);
  return (
    <input
      {...useProposed<HTMLInputElement>(props)}
      {...useText(props)}
      {...kind}
      className={kind.inputMode === undefined ? undefined : 'num'}
      dir={kind.type === 'text' && kind.inputMode === undefined ? 'auto' : undefined}
      autoComplete="off"
    />
  );
}

export function TextareaWidget(props: Widget): ReactNode {
  return <textarea {...useProposed<HTMLTextAreaElement>(props)} {...useText(props)} dir="auto" rows={3} />;
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
