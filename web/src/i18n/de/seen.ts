// What has to be seen before it is approved, and diffs, in German.
import type { seen as english } from '../en/seen.ts';
import { plural } from '../plural.ts';

export const seen: typeof english = {
  rest: {
    title: 'Der ganze Titel ↓',
    text: 'Der Rest des Textes ↓',
    arguments: 'Weitere Argumente ↓',
    data: 'Der Rest der Daten ↓',
    table: 'Der Rest der Tabelle ↓',
    diff: 'Der Rest des Diffs ↓',
    file: 'Der Rest der Dateien ↓',
    form: 'Der Rest des Formulars ↓',
    row: 'Weitere Fragen ↓',
  },
  aside: 'Weiter zur Seite →',
  notWhole: 'Nicht ganz zu zeigen',
  wholeComes: 'Es ist lang: Das Ganze wird gelesen…',
  wholeFailed: 'Ein Teil davon konnte nicht ganz gelesen werden; ohne ihn wird nichts genehmigt.',
  wholeIsGone:
    'Ein Teil davon war zu lang, um aufbewahrt zu werden. Er ist nicht ganz hier und wird hier nicht genehmigt.',
  rowsShown: (to, of) => `Zeilen 1 bis ${to} von ${of} werden gezeigt; weitere kommen beim Weiterlesen.`,
  notOpened: (names) => `Nicht geöffnet: ${names}`,
  markRead: 'Ich habe diesen Teil bis zum Ende gelesen',
  marked: {
    read: 'Als gelesen vermerkt.',
    more: 'Es gibt mehr davon, das jetzt gezeigt wird.',
    above: 'Nicht vermerkt: Ein Teil darüber wurde nicht bis zum Ende gelesen.',
  },
  files: (n, of) => `${n} von ${of} Dateien gesehen ↓`,
  noName: 'Änderungen',
  lines: (added, removed) => `+${added} −${removed}`,
  linesSpoken: (added, removed) => `${plural(added, 'Zeile', 'Zeilen')} hinzugefügt, ${removed} entfernt`,
  wasSeen: 'gesehen',
};
