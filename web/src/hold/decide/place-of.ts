// Where on a question's page a key was pressed.
import type { Place } from './bar-keys.ts';

const fields = 'input, textarea, select, [role="combobox"], [contenteditable="true"]';
/** Parts of a question's page whose fields are not the answer. */
const otherParts = '.decide, .hold-folds, .hold-bar, .reassign, .menu, dialog';

export function placeOf(target: EventTarget | null): Place {
  if (!(target instanceof Element) || !target.matches(fields)) return 'page';
  if (target.closest('.decide-reason, .decide-fields') !== null) return 'reason';
  return target.closest(otherParts) === null && target.closest('.hold') !== null ? 'answer' : 'own';
}
