import { visible } from './visible.ts';

/** Text as text, also inside of attributes. */
export const escapeHtml = (text: string): string =>
  visible(text).replace(/[&<>"'`]/g, (char) => `&#${char.charCodeAt(0)};`);
