import type { RefObject } from 'react';
import type { FieldError } from '../../base/live/api-error.ts';
import type { Dict } from '../values/dict.ts';
import { pointerKeys } from '../values/pointer.ts';

/** What the decision bar asks of a form. */
export interface FormHandle {
  /** The values as they would be sent; null when some are wrong: the form then says which and has the focus. */
  read: () => Dict | null;
  focusFirst: () => void;
}

/** What every way to draw a form is given. */
export interface PanelProps {
  handle: RefObject<FormHandle | null>;
  onReady?: () => void;
  schema: Dict;
  initial: Dict;
  onChange: (values: Dict) => void;
  /** What the server did not take. */
  problems: readonly FieldError[];
  isLocked?: boolean;
}

// Where the server found something wrong: a JSON pointer, or a plain name.
export function serverPath(path: string): string[] {
  if (path === '' || path === '/') return [];
  const text = path.replace(/^#/, '');
  if (!text.startsWith('/')) return [text.replace(/^values\./, '')];
  const parts = pointerKeys(text);
  return parts[0] === 'values' && parts.length > 1 ? parts.slice(1) : parts;
}
