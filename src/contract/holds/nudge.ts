/** Who waited for an answer had the question's notice sent again. */
export interface Nudge {
  at: string;
  by: string;
}

/** Of one question, by anybody: those who are asked are notified no oftener. */
export const nudgeEveryMs = 3_600_000;

/** When the next one may be sent; null: now. */
export function nextNudgeAt(nudges: readonly Nudge[], nowMs: number): number | null {
  const last = nudges.at(-1);
  const next = last === undefined ? nowMs : Date.parse(last.at) + nudgeEveryMs;
  return next > nowMs ? next : null;
}
