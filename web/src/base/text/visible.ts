/*
 * Agents' text as people may see it. Characters that move, hide or reverse their neighbours are written out as
 * [U+202E]; joiners that scripts and emoji need stay.
 */
const hidden =
  /[\u{0}-\u{8}\u{b}-\u{1f}\u{7f}-\u{9f}\u{ad}\u{61c}\u{180e}\u{200b}\u{200e}\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/gu;

export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}

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
