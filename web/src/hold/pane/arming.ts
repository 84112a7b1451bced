// Two steps in one place: the first press arms a button, the second confirms. Pure; the clock is an argument.
export interface Armed {
  /** Which action is armed: one at a time. */
  what: string;
  /** What was pressed for it: a key, or the button itself. */
  by: string;
  sinceMs: number;
  untilMs: number;
}

export const armedForMs = 8_000;
/** A double click is one intention: it arms and does not confirm. */
export const settleMs = 400;

export type Press = { armed: Armed | null; confirmed: string | null };

/** `lasts`: it stays armed while one writes what goes with it. */
export interface How {
  by?: string;
  lasts?: boolean;
}

/** One press on the button of `what`. */
export function press(
  armed: Armed | null,
  what: string,
  nowMs: number,
  { by = 'button', lasts = false }: How = {},
): Press {
  if (armed?.what !== what || nowMs >= armed.untilMs) {
    return {
      armed: { what, by, sinceMs: nowMs, untilMs: lasts ? Number.POSITIVE_INFINITY : nowMs + armedForMs },
      confirmed: null,
    };
  }
  // Another key than the one that armed it is another intention.
  if (armed.by === by && nowMs - armed.sinceMs < settleMs) return { armed, confirmed: null };
  return { armed: null, confirmed: what };
}
