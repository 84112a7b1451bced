import { utf8Length } from './json.ts';

/** Of a summary in Temporal: later servers refuse one of more than 400 bytes, and a codec makes it longer. */
export const maxSummaryBytes = 200;

/** The beginning of a text that has at most so many bytes of UTF-8, cut between characters. */
export function cutBytes(text: string, maxBytes: number): string {
  if (utf8Length(text) <= maxBytes) return text;
  let cut = '';
  let bytes = 0;
  for (const char of text) {
    bytes += utf8Length(char);
    if (bytes > maxBytes) break;
    cut += char;
  }
  return cut;
}
