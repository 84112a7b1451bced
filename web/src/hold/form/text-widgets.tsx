// Text controls in our own markup: named, described, and marked invalid for every ear.
import type { FormContextType, RJSFSchema, WidgetProps } from '@rjsf/utils';
import { type ReactNode, useState } from 'react';
import { strings } from '../../i18n/strings.ts';
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

export function TextWidget(props: Widget): ReactNode {
  const { value, options, onChange, onBlur, readonly, disabled, registry, id } = props;
  const kind = kindOf(props);
  const isMoment = kind.type === 'datetime-local';
  const typed = useTyped(
    isMoment ? localMoment(value) : textOf(value),
    (text) => onChange(text === '' ? options.emptyValue : isMoment ? momentOf(text) : text),
    contextOf(registry.formContext).pending,
  );
  return (
    <input
      {...controlProps(props)}
      {...kind}
      className={kind.inputMode === undefined ? undefined : 'num'}
      dir={kind.type === 'text' && kind.inputMode === undefined ? 'auto' : undefined}
      autoComplete="off"
      readOnly={readonly === true || disabled === true}
      value={typed.text}
      onChange={(event) => typed.type(event.target.value)}
      onBlur={() => {
        typed.commit();
        onBlur(id, typed.text);
      }}
    />
  );
}

export function TextareaWidget(props: Widget): ReactNode {
  const { value, options, onChange, onBlur, readonly, disabled, registry, id } = props;
  const typed = useTyped(
    textOf(value),
    (text) => onChange(text === '' ? options.emptyValue : text),
    contextOf(registry.formContext).pending,
  );
  return (
    <textarea
      {...controlProps(props)}
      dir="auto"
      rows={3}
      readOnly={readonly === true || disabled === true}
      value={typed.text}
      onChange={(event) => typed.type(event.target.value)}
      onBlur={() => {
        typed.commit();
        onBlur(id, typed.text);
      }}
    />
  );
}

export function PasswordWidget(props: Widget): ReactNode {
  const { value, options, onChange, readonly, disabled, registry, id } = props;
  const [isShown, setShown] = useState(false);
  const typed = useTyped(
    textOf(value),
    (text) => onChange(text === '' ? options.emptyValue : text),
    contextOf(registry.formContext).pending,
  );
  return (
    <>
      <div className="secret">
        <input
          {...controlProps(props)}
          type={isShown ? 'text' : 'password'}
          autoComplete="off"
          spellCheck={false}
          readOnly={readonly === true || disabled === true}
          value={typed.text}
          onChange={(event) => typed.type(event.target.value)}
          onBlur={typed.commit}
        />
        <button
          type="button"
          className="button"
          aria-pressed={isShown}
          aria-controls={id}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? strings.hold.hide : strings.hold.show}
        </button>
      </div>
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
