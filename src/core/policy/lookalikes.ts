// Names whose letters have the shapes of others: in Cyrillic and Greek as in Latin.
import type { Config } from '../../contract/configuration/config.ts';

const alike: readonly [others: string, latin: string][] = [
  ['аеорсухіјѕһԁԛԝӏ', 'aeopcyxijshdqwl'],
  ['АВЕЗКМНОРСТУХІЈЅԌ', 'ABE3KMHOPCTYXIJSG'],
  ['ανορυικγχ', 'avopuikyx'],
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
];
const latinOf = new Map(
  alike.flatMap(([others, latin]) => Array.from(others, (one, at) => [one, latin[at] ?? one] as const)),
);

/** How a name appears: whoever reads two names of one shape cannot distinguish them. */
export const shapeOf = (name: string): string =>
  Array.from(name.normalize('NFKC'), (one) => latinOf.get(one) ?? one)
    .join('')
    .replaceAll('I', 'l');

/** True for a name that resembles one of the configuration and is another: who reads a record could not distinguish the two. */
export function isLookalike({ auth, users }: Pick<Config, 'auth' | 'users'>, name: string): boolean {
  const known = [...auth.keys.map(({ user }) => user), ...Object.keys(users)];
  const shape = shapeOf(name);
  return !known.includes(name) && known.some((one) => shapeOf(one) === shape);
}
