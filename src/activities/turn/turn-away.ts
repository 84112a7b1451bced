// The agent does not take the turn's message: the turn ends without it, its run stays open, and the workflow tries it again.
import type { TurnInput, TurnOutcome } from '../../contract/tasks/turn.ts';
import { untilNextTryMs } from '../../core/consent/delivery.ts';
import type { ActivityDeps } from '../deps.ts';
import type { StuckNote } from '../stuck-note.ts';
import type { Sent } from './send-once.ts';
import type { TurnLog } from './turn-log.ts';
import type { TurnMessage } from './turn-send.ts';

type Deps = Pick<ActivityDeps, 'log' | 'now' | 'timing'>;

export async function leaveUntilBack(
  deps: Deps,
  { task, turn }: TurnInput,
  { since, message, retryAfterMs }: Extract<Sent, { result: 'away' }>,
  { ids, log, stuck }: { ids: TurnMessage['ids']; log: TurnLog; stuck: StuckNote | undefined },
): Promise<TurnOutcome> {
  const { maxMs } = deps.timing.away;
  const nowMs = deps.now().getTime();
  const ownMs = untilNextTryMs(nowMs - Date.parse(since), deps.timing.away);
  // Of many tasks that wait for one agent each comes at a time of its own.
  const waitMs = Math.max(ownMs * (0.9 + Math.random() * 0.2), Math.min(retryAfterMs, maxMs));
  const again = new Date(nowMs + Math.round(waitMs)).toISOString();
  await stuck?.set('agent_away', message);
  await log.away(since);
  await log.flush();
  deps.log.warn({ taskId: task.taskId, agent: task.agent, turn, since, again, why: message }, 'the agent is away');
  return { kind: 'away', ...ids, since, again, why: message };
}
