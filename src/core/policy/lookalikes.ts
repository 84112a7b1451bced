// Names that look like others: by case, by digits for letters, by letters of Cyrillic and Greek, and by small capitals and the like.
import type { Config } from '../../contract/configuration/config.ts';

const alike: readonly [others: string, latin: string][] = [
  ['аеорсухіјѕһԁԛԝӏ', 'aeopcyxijshdqwl'],
  ['АВЕЗКМНОРСТУХІЈЅԌ', 'ABE3KMHOPCTYXIJSG'],
  ['ανορυικγχ', 'avopuikyx'],
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
  ['ıɩɪɑɡǀİ', 'iiiaglI'],
  ['ᴀʙᴄᴅᴇꜰɢʜᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', 'ABCDEFGHJKLMNOPRSTUVWYZ'],
];
const latinOf = new Map(
  alike.flatMap(([others, latin]) => Array.from(others, (one, at) => [one, latin[at] ?? one] as const)),
);

/** Letters and digits that look alike in small letters. */
const withoutCase = (name: string): string => name.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l');

/**
 * The shapes of a name, without case, and with 0 as O, 1 as l: I is a capital i, and resembles l. A reader of two names that have one of
 * them in common cannot be sure to distinguish them.
 */
export function shapesOf(name: string): string[] {
  const drawn = name.normalize('NFKC').replaceAll(/(?<=[ij])\u0307/gu, '');
  const latin = Array.from(drawn, (one) => latinOf.get(one) ?? one).join('');
  return [...new Set([withoutCase(latin), withoutCase(latin.replaceAll('I', 'l'))])];
}

/** True for two names that count as one person: many directories do not mind the case, and readers do not see 0 for O. */
export function isSamePerson(one: string, other: string): boolean {
  if (one === other) return true;
  const shapes = shapesOf(one);
  return shapesOf(other).some((shape) => shapes.includes(shape));
}

/** True for a name that resembles one of the configuration and is another: who reads a record could not distinguish the two. */
export function isLookalike({ auth, users }: Pick<Config, 'auth' | 'users'>, name: string): boolean {
  const known = [...auth.keys.map(({ user }) => user), ...Object.keys(users)];
  return !known.includes(name) && known.some((one) => isSamePerson(one, name));
}
