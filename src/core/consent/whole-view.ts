// A long question put together from what is carried with it and its contents; pure.
import type { HoldView } from '../../contract/holds/hold.ts';

type Part = HoldView['context']['whole'][number];

/** The agent's form is for front ends that draw it themselves. */
const isShown = ({ at }: Pick<Part, 'at'>): boolean => at !== '/form';

function put(hold: HoldView, { at }: Part, text: string): HoldView {
  if (at === '/message') return { ...hold, message: text };
  if (at === '/stated/reasoning') return { ...hold, stated: { ...hold.stated, reasoning: text } };
  // Safe: the arguments of a call are an object, whichever digest they have.
  const toolArgs: HoldView['context']['toolArgs'] = JSON.parse(text);
  return { ...hold, context: { ...hold.context, toolArgs } };
}

/** The question with what has been read of it; `context.whole` lists what is still missing. */
export function wholeHold(hold: HoldView, textOf: (digest: string) => string | undefined): HoldView {
  let whole = hold;
  const missing: Part[] = [];
  for (const part of missingOf(hold)) {
    const text = textOf(part.digest);
    if (text === undefined) missing.push(part);
    else whole = put(whole, part, text);
  }
  if (missing.length === hold.context.whole.length) return hold;
  return { ...whole, context: { ...whole.context, whole: missing } };
}

/** What of it is missing where it is shown. */
export const missingOf = ({ context }: Pick<HoldView, 'context'>): Part[] => context.whole.filter(isShown);
