/*
 * English is part of each page; a further language comes as one file, chosen by the browser before anything is drawn, and
 * takes the place of the English words inside of the groups. So a page may keep a group (`strings.hold`) at its top level,
 * and reads single words only as it draws them.
 */
export type Group = Record<string, unknown>;

const groups = new Map<string, Group>();
let translation: Readonly<Record<string, Group>> = {};

const isGroup = (value: unknown): value is Group =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function putInto(group: Group, words: Group): void {
  for (const [name, word] of Object.entries(words)) {
    const known = group[name];
    if (isGroup(known) && isGroup(word)) putInto(known, word);
    else group[name] = word;
  }
}

/** A group of words in English; those of another language replace them, whichever of the two comes first. */
export function define<T extends Group>(name: string, words: T): T {
  groups.set(name, words);
  const translated = translation[name];
  if (translated !== undefined) putInto(words, translated);
  return words;
}

/** From now on these words are shown; a word that they lack stays English. */
export function translate(words: Readonly<Record<string, Group>>): void {
  translation = words;
  for (const [name, group] of groups) {
    const translated = words[name];
    if (translated !== undefined) putInto(group, translated);
  }
}
