// What has to be seen before it is approved, and diffs, in German.
import type { seen as english } from '../en/seen.ts';
import { plural } from '../plural.ts';

export const seen: typeof english = {
  restOfText: 'Der Rest des Textes ↓',
  files: (n, of) => `${n} von ${of} Dateien gesehen ↓`,
  restOfFile: 'Der Rest des Diffs ↓',
  noName: 'Änderungen',
  lines: (added, removed) => `+${added} −${removed}`,
  linesSpoken: (added, removed) => `${plural(added, 'Zeile', 'Zeilen')} hinzugefügt, ${removed} entfernt`,
  wasSeen: 'gesehen',
};
