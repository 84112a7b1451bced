// What of a tool call is not as it was when one was last approved, in lines for a terminal.
import type { Alike, LastCall } from '../../contract/views/precedents.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { isObject } from '../../core/base/json.ts';
import { formatTime } from '../operate/format-time.ts';
import { formatActor } from '../operate/outcome-text.ts';
import type { Names } from '../operate/command-parts.ts';

const maxLines = 12;

function valueAt(args: JsonObject, path: readonly string[]): string {
  let here: unknown = args;
  for (const name of path) here = isObject(here) ? here[name] : undefined;
  return typeof here === 'string' ? here : JSON.stringify(here ?? null);
}

function differenceLine({ path, was, isGone, times, mine }: LastCall['differs'][number], args: JsonObject): string {
  const name = path.join('.');
  if (was === null) return `${name}: ${valueAt(args, path)}, was not given`;
  const often = mine > 0 ? `you approved that ${mine} ×` : `approved ${times} ×`;
  return `${name}: ${isGone ? 'not given' : valueAt(args, path)}, was ${was} (${often})`;
}

export function formatLastCall(call: LastCall, args: JsonObject, names: Names): string[] {
  const { differs, same, approved, by, at } = call;
  const last = `by ${formatActor(by, names)}, ${formatTime(at)}`;
  if (differs.length === 0) return [`exactly as last approved ${last}; ${approved} approved`];
  const more = differs.length > maxLines ? [`and ${differs.length - maxLines} more`] : [];
  return [
    `${differs.length} of ${differs.length + same} arguments not as last approved ${last}`,
    ...differs.slice(0, maxLines).map((one) => differenceLine(one, args)),
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
