// What of a tool call is not as it was when one was last approved, in lines for a terminal.
import type { Alike, LastCall } from '../../contract/views/precedents.ts';
import { formatTime } from '../operate/format-time.ts';
import { formatActor } from '../operate/outcome-text.ts';
import type { Names } from '../operate/command-parts.ts';

const maxLines = 12;

function differenceLine({ path, kind, before, now, times, mine }: LastCall['differs'][number]): string {
  const name = path.join('.');
  if (kind === 'added') return `${name}: ${now}, was not given`;
  const often = mine > 0 ? `you approved that ${mine} ×` : `approved ${times} ×`;
  return `${name}: ${kind === 'removed' ? 'not given' : now}, was ${before} (${often})`;
}

export function formatLastCall(call: LastCall, names: Names): string[] {
  const { differs, same, approved, by, at } = call;
  const last = `by ${formatActor(by, names)}, ${formatTime(at)}`;
  if (differs.length === 0) return [`exactly as last approved ${last}; ${approved} approved`];
  const more = differs.length > maxLines ? [`and ${differs.length - maxLines} more`] : [];
  return [
    `${differs.length} of ${differs.length + same} arguments not as last approved ${last}`,
    ...differs.slice(0, maxLines).map(differenceLine),
    ...more,
  ];
}

/** Whether how much it is about is unusual; nothing where it is as usual, or not known. */
export function formatUnusual(alike: Alike | null): string[] {
  const amount = alike?.amount ?? null;
  if (amount === null || !amount.isUnusual) return [];
  const { name, value, currency, median, highest, of } = amount;
  const money = (n: number): string => (currency === null ? `${n}` : `${n} ${currency}`);
  return [`${name} ${money(value)} is unusual: median ${money(median)}, highest ${money(highest)} of ${of} granted`];
}
