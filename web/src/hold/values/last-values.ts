// Which difference from the last approved call belongs to a row, and what it was in words; pure.
import type { LastCall } from '../../../../src/contract/views/precedents.ts';
import { oneLine } from '../../base/text/visible.ts';
import { strings } from '../../i18n/strings.ts';

export type Difference = LastCall['differs'][number];

const maxChars = 60;
const grouped = new Intl.NumberFormat(undefined, { maximumFractionDigits: 20, useGrouping: 'always' });

/** The difference of this argument, or of one inside of it. */
export function differenceAt({ differs }: Pick<LastCall, 'differs'>, path: readonly string[]): Difference | null {
  const begins = ({ path: its }: Difference): boolean => path.every((name, at) => its[at] === name);
  return differs.find((one) => !one.isGone && begins(one)) ?? null;
}

/** As its row shows such a value, and short. */
export function wasText({ was }: Pick<Difference, 'was'>): string {
  if (typeof was === 'boolean') return was ? strings.hold.yes : strings.hold.no;
  return typeof was === 'number' ? grouped.format(was) : oneLine(was ?? '', maxChars);
}
