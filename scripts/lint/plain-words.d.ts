/** The first banned word or phrase of a text, with what to take instead; undefined: none. */
export function findIn(text: string): { word: string; instead: string } | undefined;
