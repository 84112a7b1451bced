// Two texts that differ look different wherever people read what they agree to.

/** Scripts in which a joiner shapes the letter before it, by ISO 15924; this file is part of the first page, so names are short. */
const shaped = 'Arab Syrc Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Mymr Khmr Mong';
const letters = shaped.replaceAll(/\w+ ?/g, (name) => String.raw`\p{sc=${name.trim()}}`);
const picture = String.raw`\p{ExtPict}`;
/** Joiners and selectors that change what is drawn: in an emoji, or after a letter of these scripts. */
const drawn = [
  String.raw`(?:${picture}|\p{EMod}|${picture}\uFE0F)\u200D(?=${picture})`,
  String.raw`${picture}\uFE0F`,
  String.raw`[0-9#*]\uFE0F(?=\u20E3)`,
  // A non-joiner parts two letters: behind the last of a word it does nothing.
  String.raw`[${letters}]\u200C(?=[${letters}])`,
  String.raw`[${letters}]\u200D`,
].join('|');
/** Drawn as nothing by fonts, though Unicode does not say so: a blank of Braille, fillers, a note without a head, marks that arrange others. */
const blank = String.raw`\u2800\uFFF9-\uFFFB\u{13430}-\u{1343F}\u{16FE4}\u{1D159}`;
/** What hides, moves or turns others or is drawn as nothing; line breaks and tabs are none of it. */
const hiding = String.raw`(?:[\p{DI}\p{Bidi_C}\p{Cs}\u2028\u2029${blank}]|(?![\n\t])\p{Cc})(?<!${drawn})`;
const hidingOnce = new RegExp(hiding, 'u');
const hidingEach = new RegExp(hiding, 'gu');

/** Whether something in the text would not be seen. */
export const hasHiding = (text: string): boolean => hidingOnce.test(text);

/** The text with each character that would not be seen written by this function. */
export const withHiding = (text: string, write: (sign: string) => string): string => text.replace(hidingEach, write);

/** The text as people may see it: what hides, moves or turns others is written out as `[U+202E]`. */
export const visible = (text: string): string =>
  withHiding(text.replaceAll('\r\n', '\n'), (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
