// Two steps in one place: the first press arms a button, the second confirms. Pure; the clock is an argument.
export interface Armed {
  /** Which action is armed: one at a time. */
  what: string;
  sinceMs: number;
  untilMs: number;
}

export const armedForMs = 8_000;
/** A double click is one intention: it arms and does not confirm. */
export const settleMs = 400;

export type Press = { armed: Armed | null; confirmed: string | null };

/** One press on the button of `what`. */
export function press(armed: Armed | null, what: string, nowMs: number): Press {
  if (armed?.what !== what || nowMs >= armed.untilMs) {
    return { armed: { what, sinceMs: nowMs, untilMs: nowMs + armedForMs }, confirmed: null };
  }
  if (nowMs - armed.sinceMs < settleMs) return { armed, confirmed: null };
  return { armed: null, confirmed: what };
}
