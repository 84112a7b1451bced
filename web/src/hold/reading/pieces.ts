// Where a long text is parted: at the end of a line where there is one, never within a character; pure.

/** Drawn in one frame even on a slow machine. */
export const pieceChars = 16_384;

/** The piece that begins there; all of them together are the text. */
export function firstPiece(text: string, from: number, chars = pieceChars): string {
  if (text.length - from <= chars) return text.slice(from);
  const lineEnd = text.lastIndexOf('\n', from + chars - 1) + 1;
  if (lineEnd > from + chars / 2) return text.slice(from, lineEnd);
  const end = from + chars;
  // The second half of a character, or of a line end, goes with its first.
  const isWithin = text[end] === '\n' || isLow(text.charCodeAt(end));
  return text.slice(from, isWithin ? end + 1 : end);
}

const isLow = (code: number): boolean => code >= 0xdc_00 && code <= 0xdf_ff;
