import { visible } from '../../../../src/core/base/visible.ts';

export { visible };

/** At most `max` characters, never half of one. */
export function cut(text: string, max: number): string {
  const characters = Array.from(text.slice(0, max * 2 + 2));
  return characters.length > max
    ? `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
    : characters.join('');
}

/** One line of visible text. */
export function oneLine(text: string, max: number): string {
  return cut(
    visible(text.slice(0, max * 8))
      .replace(/\s+/gu, ' ')
      .trim(),
    max,
  );
}

// The beginning of a long text: forty lines, a long one counted by its length.
const maxLines = 40;
const charsALine = 100;

/** The beginning that fits into 40 lines, and whether that is all. */
export function firstLines(text: string, lines = maxLines): { head: string; isAll: boolean } {
  let [taken, at] = [0, 0];
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    const stop = end === -1 ? text.length : end;
    const cost = Math.max(1, Math.ceil((stop - at) / charsALine));
    if (taken + cost > lines) {
      const rest = Math.max(0, lines - taken) * charsALine;
      // A line alone longer than all that is left is cut in its middle.
      return { head: text.slice(0, rest > 0 && cost > lines / 2 ? at + rest : at).trimEnd(), isAll: false };
    }
    taken += cost;
    at = stop + 1;
  }
  return { head: text, isAll: true };
}
