// Which characters a text may have that is stored and sent on, and which a name of a person or a role.

/** NUL, which a database refuses, and half surrogate pairs, which UTF-8 cannot carry: JSON can spell both. */
const unfit = /[\0\p{Surrogate}]/u;

/** True for text that can be kept, sent on, and repeated by a client. */
export const isPlainText = (text: string): boolean => !unfit.test(text);

export const plainTextMessage = 'must be well-formed Unicode without NUL';

// Two names that look alike must be one: nothing in them is invisible, changes the direction or resembles a space, each letter is written
// in one way, and no word mixes scripts that share shapes.

/** Format and bidi characters, those that are drawn as nothing, private use, halves of pairs; the blank of Braille. */
const unseen = String.raw`\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800`;
const part = String.raw`[^\s:\p{Cc}${unseen}]`;

/** Scripts whose words have Latin letters in them, too, and no letter that resembles one. */
const withLatin = ['Latin', 'Common', 'Inherited', 'Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo'];
const shared = String.raw`(?:(?![${withLatin.map((name) => String.raw`\p{Script=${name}}`).join('')}])[\p{L}\p{N}]|(?![0-9])\p{Nd})`;
/** A Latin letter next to one of another script, or to its digit: `anna` with a Cyrillic a. */
const mixed = new RegExp(String.raw`\p{Script=Latin}\p{M}*${shared}|${shared}\p{M}*\p{Script=Latin}`, 'u');

/** Two ways to write the same letters would be two names: `é`, and e with an accent; a wide `ａ`, and a. */
export const isWrittenOnce = (text: string): boolean => text === text.normalize('NFKC') && !mixed.test(text);
export const writtenOnce =
  'write each letter in one piece (Unicode NFKC), and no word with Latin letters next to letters or digits of another script that look like them';

export const userNamePattern = new RegExp(`^${part}{1,100}$`, 'u');
/** The name of a person or program: in keys, claims, audiences and records. */
export const isUserName = (text: string): boolean => userNamePattern.test(text) && isWrittenOnce(text);
export const accessPattern = new RegExp(`^(role|user):${part}{1,100}$`, 'u');
export const audiencePattern = new RegExp(`^(owner|(role|user|agent):${part}[^\\s\\p{Cc}${unseen}]{0,99})$`, 'u');

/** The text on one line: what breaks a line, and whatever else controls a terminal, becomes a space. */
export const oneLine = (text: string): string => text.replaceAll(/(?:[^\S\uFEFF]|\p{Cc})+/gu, ' ');

/** The text without what turns its direction: with U+202E "exe.png" reads as "gnp.exe". */
export const withoutTurns = (text: string): string => text.replaceAll(/\p{Bidi_Control}/gu, '');

const hidden = new RegExp(`[${unseen}]+`, 'gu');

/** A name as others see it: one line of visible characters. */
export const shownName = (text: string): string => oneLine(text.replaceAll(hidden, '')).trim();
