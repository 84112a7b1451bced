import type { Registry, RJSFSchema } from '@rjsf/utils';
import type { ReactNode } from 'react';
import { strings } from '../../i18n/strings.ts';
import type { FormContext } from './form-context.ts';

interface Field {
  required?: boolean | undefined;
  registry: Registry<unknown, RJSFSchema, FormContext>;
}

/** "(required)" or "(optional)", whichever is the rarer in this form. */
export function Mark({ of: { required = false, registry } }: { of: Field }): ReactNode {
  const words = strings.hold.form;
  if (registry.formContext.mark !== (required ? 'required' : 'optional')) return null;
  return <span className="meta">{required ? words.requiredWord : words.optionalWord}</span>;
}
