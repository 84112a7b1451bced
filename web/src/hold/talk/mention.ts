// The `@name` at the caret of a text, and the names in one that was written; pure.

/** What is being typed after the last @, up to the caret; null: no name is. */
export function typedMention(text: string, caret: number): { from: number; typed: string } | null {
  const before = text.slice(0, caret);
  const from = before.lastIndexOf('@');
  if (from < 0 || /[\p{L}\p{N}]$/u.test(before.slice(0, from))) return null;
  const typed = before.slice(from + 1);
  return /\s/.test(typed) ? null : { from, typed };
}

/** The text with a name in the place of what was typed, and where the caret goes. */
export function withMention(text: string, caret: number, name: string): { text: string; caret: number } {
  const at = typedMention(text, caret)?.from ?? caret;
  const head = `${text.slice(0, at)}@${name} `;
  return { text: head + text.slice(caret).replace(/^ /, ''), caret: head.length };
}

/** The text in pieces: those that name a person, by their id, and those between. */
export function piecesOf(text: string, mentions: readonly string[]): { text: string; mention: string | null }[] {
  const longestFirst = mentions.toSorted((a, b) => b.length - a.length);
  const pieces: { text: string; mention: string | null }[] = [];
  let from = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const name = longestFirst.find((one) => text.startsWith(one, at + 1));
    if (name === undefined || at < from) continue;
    if (at > from) pieces.push({ text: text.slice(from, at), mention: null });
    from = at + 1 + name.length;
    pieces.push({ text: text.slice(at, from), mention: name });
  }
  if (from < text.length) pieces.push({ text: text.slice(from), mention: null });
  return pieces;
}
