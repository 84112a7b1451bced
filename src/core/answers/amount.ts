// How much questions are about, one by one and together; pure.
import type { TellingValue } from '../consent/telling-values.ts';

interface Amount {
  name: string;
  value: number;
  currency: string | null;
}

/** How much a question is about; null: it is about no amount. */
export function amountOf(values: readonly TellingValue[]): Amount | null {
  const found = values.find(({ role }) => role === 'amount');
  if (found === undefined || typeof found.value !== 'number') return null;
  const currency = values.find(({ role }) => role === 'currency');
  return { name: found.name, value: found.value, currency: currency === undefined ? null : `${currency.value}` };
}

export interface Sum {
  amount: number;
  /** Empty: none of them names one. */
  currency: string;
}

/** What several questions come to; null: one is about no amount, or about another currency. */
export function sumOf(rows: readonly { values: readonly TellingValue[] }[]): Sum | null {
  const amounts = rows.map(({ values }) => amountOf(values)).filter((amount) => amount !== null);
  const currency = amounts[0]?.currency ?? '';
  if (amounts.length < rows.length || amounts.some((one) => (one.currency ?? '') !== currency)) return null;
  return { amount: amounts.reduce((sum, { value }) => sum + value, 0), currency };
}
