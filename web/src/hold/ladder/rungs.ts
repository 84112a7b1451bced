// The steps of a question as places on a line, with where the present is between them; pure.
import type { LadderStepView } from '../../../../src/contract/holds/ladder.ts';
import type { TimeoutAction } from '../../../../src/contract/configuration/policy.ts';

/** What is drawn of a question, as a list of requests and its own page have it. */
export interface Climbing {
  openedAt: string;
  audience: readonly string[];
  ladder: readonly LadderStepView[];
  then: TimeoutAction;
}

export interface Rung {
  kind: 'asked' | 'remind' | 'escalate' | 'end';
  /** ISO 8601; null: an end that does not come. */
  at: string | null;
  to: readonly string[];
  replace: boolean;
  isDone: boolean;
  /** How many reminders in a row it is. */
  times: number;
  /** How much of the time from this step to the next is gone, 0 to 1; the present is where it is neither. */
  gone: number;
}

export interface Rungs {
  rungs: Rung[];
  /** The step after which the present comes. */
  here: number;
}

const place = { replace: false, isDone: false, times: 1, gone: 0, to: [] as readonly string[] };

/** Those asked at first: who is asked now, without those whom a step added; no one is known where others took their place. */
function firstAsked({ audience, ladder }: Climbing): readonly string[] {
  const done = ladder.filter(({ do: what, doneAt }) => what === 'escalate' && doneAt !== null);
  if (done.some(({ replace }) => replace)) return [];
  return audience.filter((entry) => !done.some(({ to }) => to.includes(entry)));
}

/** Reminders that follow each other are one step, at the time of the last. */
function withoutRepeats(steps: readonly Rung[]): Rung[] {
  const kept: Rung[] = [];
  for (const step of steps) {
    const last = kept.at(-1);
    if (last?.kind === 'remind' && step.kind === 'remind' && last.isDone && step.isDone)
      kept[kept.length - 1] = { ...step, times: last.times + 1 };
    else kept.push(step);
  }
  return kept;
}

const share = (from: number, to: number, now: number): number =>
  to <= from ? 1 : Math.min(1, Math.max(0, (now - from) / (to - from)));

/** In order of time; each step of the way is as long as any other, whatever its time. */
export function rungsOf(hold: Climbing, now: number): Rungs {
  const first: Rung = { ...place, kind: 'asked', at: hold.openedAt, to: firstAsked(hold), isDone: true };
  const steps = hold.ladder.map(({ at, do: what, to, replace, doneAt }): Rung => ({
    ...place,
    kind: what === 'expire' ? 'end' : what,
    at: doneAt ?? at,
    to,
    replace,
    isDone: doneAt !== null,
  }));
  const end: Rung[] = steps.some(({ kind }) => kind === 'end') ? [] : [{ ...place, kind: 'end', at: null }];
  const rungs = withoutRepeats([first, ...steps, ...end]);
  const here = Math.max(
    0,
    rungs.findLastIndex(({ isDone }) => isDone),
  );
  return {
    here,
    rungs: rungs.map((rung, index) => {
      const next = rungs[index + 1]?.at ?? null;
      if (index < here) return { ...rung, gone: 1 };
      if (index > here || rung.at === null || next === null) return rung;
      return { ...rung, gone: share(Date.parse(rung.at), Date.parse(next), now) };
    }),
  };
}
