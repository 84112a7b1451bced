// Checks of a ladder that the schema cannot express: its times among each other and against the expiry.
import type { Policy } from '../contract/configuration/policy.ts';
import { durationMs } from '../core/policy/duration.ts';
import { staysOpen } from '../core/policy/expiry-actions.ts';
import { durationFaults, type CrossFault } from './config-fault.ts';
import type { Path } from './config-source.ts';

const maxSteps = 50;
const shortestRepeatMs = 100;

/** Of one ladder; the times of a later stage are cut at the expiry. */
export function ladderFaults({ expire }: Pick<Policy, 'expire'>, ladder: Policy['ladder'], at: Path): CrossFault[] {
  const faults: CrossFault[] = [];
  const { after: expiry, then } = expire;
  let before: string | null = null;
  for (const [index, step] of ladder.entries()) {
    const path = [...at, 'ladder', index];
    faults.push(...durationFaults(step.after, [...path, 'after']));
    if (before !== null && durationMs(step.after) <= durationMs(before)) {
      const message = `found ${step.after} after a step at ${before}: expected a later time than the step before it`;
      faults.push({ path: [...path, 'after'], message });
    }
    if (!staysOpen(then) && durationMs(step.after) >= durationMs(expiry)) {
      const message = `found ${step.after}: expected a time before the expiry after ${expiry}, this step would never come`;
      // Of a stage, too, it is the policy's.
      faults.push({ path: [...path, 'after'], message, basis: [[...at.slice(0, 2), 'expire']] });
    }
    if (step.every !== undefined) {
      faults.push(...durationFaults(step.every, [...path, 'every']));
      const everyMs = durationMs(step.every);
      if (everyMs > 0 && everyMs < shortestRepeatMs) {
        const message = `found ${step.every}: expected at least ${shortestRepeatMs}ms, each reminder is written down`;
        faults.push({ path: [...path, 'every'], message });
      }
      if (step.remind !== true) {
        faults.push({
          path: [...path, 'every'],
          basis: [[...path, 'remind']],
          message: 'only a reminder repeats: expected `remind: true` with `every`',
        });
      }
    }
    if (step.replace !== undefined && step.escalate === undefined) {
      const message = 'only an escalation replaces the audience: expected `escalate: [...]` with `replace`';
      faults.push({ path: [...path, 'replace'], message, basis: [[...path, 'escalate']] });
    }
    before = step.after;
  }
  if (ladder.length > maxSteps) {
    faults.push({
      path: [...at, 'ladder'],
      message: `found ${ladder.length} steps: expected at most ${maxSteps}`,
    });
  }
  return faults;
}

/** The expiry itself, and what keeps a question from being forgotten that has none. */
export function openEndFaults({ expire, ladder, stages = [] }: Policy, at: Path): CrossFault[] {
  const { after: expiry, then } = expire;
  const faults: CrossFault[] = [];
  const ladders = stages.length === 0 ? [ladder] : stages.map((stage) => stage.ladder);
  if (
    staysOpen(then) &&
    !ladders.every((steps) => steps.some((step) => step.every !== undefined && step.remind === true))
  ) {
    const message =
      '`keep-open` waits for ever: expected a ladder with a repeating reminder, such as { after: 1d, remind: true, every: 1d }';
    faults.push({
      path: [...at, 'expire', 'then'],
      message,
      basis: [
        [...at, 'ladder'],
        [...at, 'stages'],
      ],
    });
  }
  return [...faults, ...durationFaults(expiry, [...at, 'expire', 'after'])];
}
