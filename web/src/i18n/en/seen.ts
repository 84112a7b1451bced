// The words of what has to be seen before it is approved, and of diffs.
import { define } from '../define.ts';
import { plural } from '../plural.ts';

export const seen = /* @__PURE__ */ define('seen', {
  /** What the button says while a part of the question was not on the screen. */
  rest: {
    title: 'The whole title ↓',
    text: 'The rest of the text ↓',
    arguments: 'More arguments ↓',
    data: 'The rest of the data ↓',
    table: 'The rest of the table ↓',
    diff: 'The rest of the diff ↓',
    file: 'The rest of the files ↓',
    form: 'The rest of the form ↓',
    row: 'More questions ↓',
  },
  aside: 'More to the side →',
  notWhole: 'It cannot be shown whole',
  wholeComes: 'It is long: the whole of it is being read…',
  wholeFailed: 'A part of it could not be read whole, and nothing is approved without it.',
  wholeIsGone: 'A part of it was too long to be kept. It is not here whole, so it is not approved here.',
  rowsShown: (to: number, of: number): string => `Rows 1 to ${to} of ${of} are shown; more come as you read on.`,
  notOpened: (names: string): string => `Not opened: ${names}`,
  /** The end mark of a block, for who reads without a screen. */
  markRead: 'I have read this part to its end',
  marked: {
    read: 'Noted as read.',
    more: 'There is more of it, which is shown now.',
    above: 'Not noted: a part above it was not read to its end.',
  },
  files: (n: number, of: number): string => `${n} of ${of} files seen ↓`,
  noName: 'Changes',
  lines: (added: number, removed: number): string => `+${added} −${removed}`,
  linesSpoken: (added: number, removed: number): string =>
    `${plural(added, 'line', 'lines')} added, ${removed} removed`,
  wasSeen: 'seen',
});
