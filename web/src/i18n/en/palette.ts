// The words of the palette (Ctrl+K).
import { define } from '../define.ts';

export const palette = /* @__PURE__ */ define('palette', {
  title: 'Search or go to',
  hint: 'Search questions, go to a page or an agent',
  groups: {
    question: 'This question',
    pages: 'Pages',
    views: 'Saved views',
    agents: 'Agents',
    questions: 'Questions',
    everywhere: 'Everywhere',
  },
  chatWith: (agent: string): string => `Chat with ${agent}`,
  searchAll: (q: string): string => `Search “${q}” in all open questions`,
  searchHistory: (q: string): string => `Search “${q}” in the history`,
  nothing: 'Nothing fits.',
});
