// The palette, in German.
import type { palette as enPalette } from '../en/palette.ts';

export const palette: typeof enPalette = {
  title: 'Suchen oder gehen zu',
  hint: 'Fragen suchen, zu einer Seite oder einem Agenten gehen',
  groups: {
    question: 'Diese Frage',
    pages: 'Seiten',
    views: 'Gemerkte Ansichten',
    agents: 'Agenten',
    questions: 'Fragen',
    everywhere: 'Überall',
  },
  chatWith: (agent) => `Chat mit ${agent}`,
  searchAll: (q) => `„${q}“ in allen offenen Fragen suchen`,
  searchHistory: (q) => `„${q}“ im Verlauf suchen`,
  nothing: 'Nichts passt.',
};
