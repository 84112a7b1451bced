// The words of the palette (Ctrl+K).
import { define } from '../define.ts';

export const palette = /* @__PURE__ */ define('palette', {
  title: 'Search or go to',
  hint: 'Search questions, go to a page or an agent',
  thisQuestion: 'this question',
  page: 'page',
  view: 'saved view',
  chat: 'chat',
  open: 'open',
  ended: 'ended',
  chatWith: (agent: string): string => `Chat with ${agent}`,
  searchAll: (q: string): string => `Search “${q}” in all open questions`,
  searchHistory: (q: string): string => `Search “${q}” in the history`,
  nothing: 'Nothing fits.',
});
