// A task that was started elsewhere is adopted: claimed by its id, and read before anything is sent to it.
import type { A2aTaskId } from '../../contract/base/id-types.ts';
import { isPausedState } from '../../contract/tasks/agent-state-names.ts';
import type { TurnInput, TurnOutcome } from '../../contract/tasks/turn.ts';
import { causeOf } from '../../core/turn/circuit.ts';
import { durationMs } from '../../core/policy/duration.ts';
import type { A2aTransport } from '../a2a/a2a-transport.ts';
import { createBackoff, createOutage } from '../a2a/backoff.ts';
import type { ActivityDeps } from '../deps.ts';
import { within } from '../../host/process/time-limit.ts';

type Deps = Pick<ActivityDeps, 'config' | 'store' | 'timing' | 'now' | 'circuits'>;

/** True for the first turn of a task that existed at the agent before. */
export function isAdopting(input: TurnInput): boolean {
  const isFirst = input.turn === 1 && !input.isDelivered;
  return isFirst && input.a2aTaskId !== null && input.send.kind !== 'answers' && !input.isResendAllowed;
}

export type Adopted =
  | { result: 'adopted'; a2aTaskId: A2aTaskId; contextId: string | null; pauseMessageId: string | null }
  | { result: 'failed'; outcome: TurnOutcome }
  /** It cannot be read, since then. */
  | { result: 'away'; since: string; why: string; retryAfterMs: number };

export async function adoptTask(
  deps: Deps,
  input: TurnInput,
  transport: A2aTransport,
  signal: AbortSignal,
): Promise<Adopted> {
  const a2aTaskId = input.a2aTaskId ?? '';
  const fail = (code: string, message: string): Adopted => ({
    result: 'failed',
    outcome: { kind: 'failed', code, message, a2aTaskId: null, contextId: input.contextId },
  });
  if ((await deps.store.tasks.adopt(input.task.taskId, a2aTaskId)) === 'other-task') {
    return fail('busy', `the agent’s task ${a2aTaskId} belongs to another thread here`);
  }
  const backoff = createBackoff(signal, deps.timing);
  const startedAt = deps.now().toISOString();
  const attempt = createOutage(deps.timing.tryForMs);
  for (;;) {
    try {
      const task = await transport.getTask(a2aTaskId, {}, within(signal, deps.timing.callMs));
      if (task.type !== 'task') return fail('agent_failed', `the agent’s task ${a2aTaskId} could not be read`);
      const isPaused = isPausedState(task.state);
      const contextId = task.contextId === '' ? input.contextId : task.contextId;
      return {
        result: 'adopted',
        a2aTaskId,
        contextId,
        pauseMessageId: isPaused ? (task.message?.messageId ?? null) : null,
      };
    } catch (error) {
      signal.throwIfAborted();
      const known = transport.classify(error, signal);
      if (known.kind === 'final' || known.what === 'policy') return fail('agent_failed', known.message);
      const since = input.awaySince ?? startedAt;
      const isOver = deps.now().getTime() - Date.parse(since) > durationMs(deps.config.agentOutage);
      if (isOver) return fail('agent_unreachable', known.message);
      if (attempt.fails()) {
        await deps.circuits.failed(input.task.agent, causeOf(known), known.retryAfterMs);
        return { result: 'away', since, why: known.message, retryAfterMs: known.retryAfterMs ?? 0 };
      }
      await backoff.wait(known.retryAfterMs);
    }
  }
}
