/** Bytes of a text in UTF-8. */
export const utf8Length = (text: string): number => new TextEncoder().encode(text).length;
