// The words of what has to be seen before it is approved, and of diffs.
import { define } from '../define.ts';
import { plural } from '../plural.ts';

export const seen = /* @__PURE__ */ define('seen', {
  restOfText: 'The rest of the text ↓',
  files: (n: number, of: number): string => `${n} of ${of} files seen ↓`,
  restOfFile: 'The rest of the diff ↓',
  noName: 'Changes',
  lines: (added: number, removed: number): string => `+${added} −${removed}`,
  linesSpoken: (added: number, removed: number): string =>
    `${plural(added, 'line', 'lines')} added, ${removed} removed`,
  wasSeen: 'seen',
});
