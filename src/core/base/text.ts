/** At most so many characters, without half of a surrogate pair at the end. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const last = text.charCodeAt(maxChars - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxChars - 1 : maxChars);
}

/** The distinct, non-empty texts as paragraphs. */
export const paragraphs = (texts: readonly string[]): string =>
  [...new Set(texts.map((text) => text.trim()))].filter((text) => text !== '').join('\n\n');

/** Numbers are what differs between titles of the same. */
export const withoutNumbers = (text: string): string => text.replaceAll(/\d+(?:[.,]\d+)*/gu, '#');
