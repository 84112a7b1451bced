import type { ReactNode } from 'react';
import { strings } from '../../i18n/strings.ts';

/** "(required)" or "(optional)", whichever is the rarer in this form. */
export function Mark({ isRequired, mark }: { isRequired: boolean; mark: 'required' | 'optional' }): ReactNode {
  const words = strings.hold.form;
  if (isRequired && mark === 'required') return <span className="meta">{words.requiredWord}</span>;
  return !isRequired && mark === 'optional' ? <span className="meta">{words.optionalWord}</span> : null;
}
