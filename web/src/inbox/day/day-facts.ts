// What the day holds that the list next to it does not say: whose questions they are, and which go on to others; pure.
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { spanMs } from './strip-marks.ts';

/** How many questions each agent asks: the most first. */
export function byAgent(rows: readonly HoldRowView[]): [string, number][] {
  const found = new Map<string, number>();
  for (const { agent } of rows) found.set(agent, (found.get(agent) ?? 0) + 1);
  return [...found].toSorted((a, b) => b[1] - a[1]);
}

export interface GoingOn {
  row: HoldRowView;
  at: string;
  to: readonly string[];
}

/** Those that others are asked as well within the day, in the order in which that happens. */
export const goingOn = (rows: readonly HoldRowView[], now: number): GoingOn[] =>
  rows
    .flatMap((row) =>
      row.nextStep?.do === 'escalate' && Date.parse(row.nextStep.at) - now <= spanMs
        ? [{ row, at: row.nextStep.at, to: row.nextStep.to }]
        : [],
    )
    .toSorted((a, b) => a.at.localeCompare(b.at));
