// What people chose for themselves, as a row keeps it: with the MAC of the api to which they named who stands in for them.
import { PreferencesSchema, type Preferences } from '../../contract/configuration/personal.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { stringOf } from '../../core/base/json.ts';
import { isProvedRow, type RowMacs, rowMac } from '../../core/base/proved-row.ts';

/** The value of their row. */
export const keptPreferences = (macs: Pick<RowMacs, 'macOf'>, user: string, chosen: Preferences): JsonObject => ({
  // Safe: checked by its schema, which has JSON alone.
  ...(chosen as unknown as JsonObject),
  mac: rowMac(macs, 'deputy of a person', { user, away: chosen.away ?? null }),
});

/** What a person chose, as their row has it: without a deputy whom no api wrote; null: it cannot be read. */
export function readPreferences(
  macs: Pick<RowMacs, 'isMacOf'>,
  { user, value }: { user: string; value: JsonObject },
): Preferences | null {
  const { mac, ...chosen } = value;
  const read = PreferencesSchema.safeParse(chosen);
  if (!read.success) return null;
  const { away, ...others } = read.data;
  const isNamed = isProvedRow(macs, 'deputy of a person', { user, away: away ?? null }, stringOf(mac));
  return isNamed ? read.data : others;
}
