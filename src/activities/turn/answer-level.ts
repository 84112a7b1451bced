// How long an answer took from its decision to its agent.
import type { TurnInput } from '../../contract/tasks/turn.ts';
import type { ActivityDeps } from '../deps.ts';
import type { Sent } from './send-once.ts';

/** When the last of them was decided, its grace included: answers of one pause go together. */
function decidedAtMs({ send }: Pick<TurnInput, 'send'>): number | null {
  const ends = send.kind === 'answers' ? send.answers.map(({ closed }) => closed.ended?.at ?? closed.decision?.at) : [];
  const times = ends.filter((at) => at !== undefined).map((at) => Date.parse(at));
  return times.length === 0 ? null : Math.max(...times);
}

/** Counts it once, by the attempt that learned of it. */
export function noteAnswerLevel(
  { metrics, now }: Pick<ActivityDeps, 'metrics' | 'now'>,
  input: Pick<TurnInput, 'send' | 'task'>,
  sent: Sent,
): void {
  const decidedMs = decidedAtMs(input);
  if (decidedMs === null) return;
  const { agent } = input.task;
  if (sent.result === 'delivery-unknown') metrics.levels.observe('answer', { agent }, null);
  if (sent.result === 'delivered' && sent.isNew)
    metrics.levels.observe('answer', { agent }, (now().getTime() - decidedMs) / 1000);
}
