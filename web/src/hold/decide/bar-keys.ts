/*
 * Which button of the decision bar a key presses; pure. It is the button that shows the key, and in a field the one that
 * the field belongs to, so that no key in a field does the opposite of what is written next to it.
 */

/** What has the focus. */
export type Place =
  /** Where one answers: fields of a form, arguments of a call. */
  | 'answer'
  /** The words that go with the armed button. */
  | 'reason'
  /** A field with a button of its own, or none: a comment, a question back, a search. */
  | 'own'
  /** No field. */
  | 'page';

export type BarKey = 'a' | 'n' | 'r' | 'Enter' | 'mod+Enter';

export interface Bar {
  /** The button that a second press confirms. */
  armed: string | null;
  /** The button that sends what was written in the fields of the answer. */
  send: string | null;
}

/** The button that the key presses there; null: the key is not the bar's. */
export function buttonOf(key: BarKey, place: Place, { armed, send }: Bar): string | null {
  if (place === 'own') return null;
  switch (key) {
    case 'a':
      return place === 'page' ? 'approve' : null;
    case 'n':
      return place === 'page' ? 'grant' : null;
    case 'r':
      return place === 'page' ? 'reject' : null;
    case 'Enter':
      return place === 'answer' ? null : armed;
    case 'mod+Enter':
      return place === 'answer' ? send : (armed ?? (place === 'page' ? send : null));
    default:
      return key satisfies never;
  }
}

/** Whether a press there is about something else than the armed button: going back to the answer ends a no. */
export const isLeft = (place: Place, armed: string | null): boolean => place === 'answer' && armed === 'reject';
