// Which difference from the last approved call belongs to a row, and what it was in words; pure.
import type { LastCall } from '../../../../src/contract/views/precedents.ts';
import { oneLine } from '../../base/text/visible.ts';
import type { Dict } from './dict.ts';
import { argumentWords } from './plain-words.ts';

export type Difference = LastCall['differs'][number];

const maxChars = 60;

/** The difference of this argument, of one inside of it, or of what it is inside of. */
export function differenceAt({ differs }: Pick<LastCall, 'differs'>, path: readonly string[]): Difference | null {
  const isAt = ({ path: its }: Difference): boolean => path.every((name, at) => at >= its.length || its[at] === name);
  return differs.find((one) => one.kind !== 'removed' && isAt(one)) ?? null;
}

/** As its row shows such a value, and short. */
export const wasText = ({ before, path }: Pick<Difference, 'before' | 'path'>, args: Dict): string =>
  argumentWords(before, path, args) ?? oneLine(`${before ?? ''}`, maxChars);
