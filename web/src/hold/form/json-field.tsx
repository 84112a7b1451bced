// A part of a form that no controls can draw: written as JSON, in its place.
import type { FieldProps, RJSFSchema } from '@rjsf/utils';
import { type ReactNode, useState } from 'react';
import { strings } from '../../i18n/strings.ts';
import { ReadBlock } from '../reading/read-block.tsx';
import { isSame } from '../values/dict.ts';
import { oneLine } from '../../base/text/visible.ts';
import { describedBy, type FormContext } from './form-context.ts';
import { Mark } from './mark.tsx';
import { useTyped } from './use-typed.ts';

export function JsonField(props: FieldProps<unknown, RJSFSchema, FormContext>): ReactNode {
  const { fieldPathId, formData, onChange, registry, schema, rawErrors, readonly, disabled, name } = props;
  const id = fieldPathId.$id;
  const [isBroken, setBroken] = useState(false);
  const typed = useTyped(
    formData === undefined ? '' : JSON.stringify(formData, null, 2),
    (text) => {
      const read = parsed(text);
      setBroken(read === broken);
      if (read !== broken && !isSame(read, formData)) onChange(read, fieldPathId.path);
    },
    registry.formContext.pending,
  );
  const hasErrors = isBroken || (rawErrors !== undefined && rawErrors.length > 0);
  return (
    <ReadBlock kind="form" className="field">
      <label htmlFor={id}>
        {oneLine(typeof schema.title === 'string' ? schema.title : name, 200)}{' '}
        <span className="meta">{strings.hold.form.jsonField}</span> <Mark of={props} />
      </label>
      <textarea
        id={id}
        className="mono"
        rows={4}
        spellCheck={false}
        readOnly={readonly === true || disabled === true}
        aria-invalid={hasErrors || undefined}
        aria-describedby={isBroken ? `${id}-json` : describedBy(id, { error: hasErrors, hint: false })}
        value={typed.text}
        onChange={(event) => typed.type(event.target.value)}
        onBlur={typed.commit}
      />
      {isBroken && (
        <p className="error" id={`${id}-json`}>
          {strings.hold.form.jsonSyntax}
        </p>
      )}
    </ReadBlock>
  );
}

const broken = Symbol('not JSON');

function parsed(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return broken;
  }
}
