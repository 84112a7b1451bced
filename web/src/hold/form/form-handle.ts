import type { Dict } from '../values/dict.ts';

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
