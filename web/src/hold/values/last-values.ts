// Which difference from the last approved call belongs to a row, and what it was in words; pure.
import type { LastCall } from '../../../../src/contract/views/precedents.ts';
import { oneLine } from '../../base/text/visible.ts';
import { strings } from '../../i18n/strings.ts';

export type Difference = LastCall['differs'][number];

const maxChars = 60;
const grouped = new Intl.NumberFormat(undefined, { maximumFractionDigits: 20, useGrouping: 'always' });

/** The difference of this argument, of one inside of it, or of what it is inside of. */
export function differenceAt({ differs }: Pick<LastCall, 'differs'>, path: readonly string[]): Difference | null {
  const isAt = ({ path: its }: Difference): boolean => path.every((name, at) => at >= its.length || its[at] === name);
  return differs.find((one) => one.kind !== 'removed' && isAt(one)) ?? null;
}

/** As its row shows such a value, and short. */
export function wasText({ before }: Pick<Difference, 'before'>): string {
  if (typeof before === 'boolean') return before ? strings.hold.yes : strings.hold.no;
  return typeof before === 'number' ? grouped.format(before) : oneLine(before ?? '', maxChars);
}
