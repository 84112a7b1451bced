import type { Dict } from '../values/dict.ts';
import { pointerKeys } from '../values/pointer.ts';

/** What the decision bar asks of a form. */
export interface FormHandle {
  /** The values as they would go out; null when some are wrong: the form then says which and has the focus. */
  read: () => Dict | null;
  focusFirst: () => void;
}

/** One field the server did not take. */
export interface ServerProblem {
  path: string;
  message: string;
}

// Where the server found something wrong: a JSON pointer, or a plain name.
export function serverPath(path: string): string[] {
  if (path === '' || path === '/') return [];
  const text = path.replace(/^#/, '');
  if (!text.startsWith('/')) return [text.replace(/^values\./, '')];
  const parts = pointerKeys(text);
  return parts[0] === 'values' && parts.length > 1 ? parts.slice(1) : parts;
}
