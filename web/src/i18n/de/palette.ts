// The palette, in German.
import type { palette as enPalette } from '../en/palette.ts';

export const palette: typeof enPalette = {
  title: 'Suchen oder gehen zu',
  hint: 'Fragen suchen, zu einer Seite oder einem Agenten gehen',
  thisQuestion: 'diese Frage',
  page: 'Seite',
  view: 'gemerkte Ansicht',
  chat: 'Chat',
  open: 'offen',
  ended: 'beendet',
  chatWith: (agent) => `Chat mit ${agent}`,
  searchAll: (q) => `„${q}“ in allen offenen Fragen suchen`,
  searchHistory: (q) => `„${q}“ im Verlauf suchen`,
  nothing: 'Nichts passt.',
};
