// A task that was started elsewhere is adopted: claimed by its id, and read before anything is sent to it.
import type { A2aTaskId } from '../../contract/base/id-types.ts';
import { isPausedState } from '../../contract/tasks/agent-state-names.ts';
import type { TurnEvent, TurnInput, TurnOutcome } from '../../contract/tasks/turn.ts';
import { messageIdOf } from '../../core/base/ids.ts';
import { causeOf } from '../../core/turn/circuit.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { isAnsweredByWords } from '../../core/answers/answered-by-words.ts';
import { sha1Hex } from '../../host/secrets/hash.ts';
import { readPause } from '../../wire/a2a/dialects/registry.ts';
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

const takesWords =
  'the agent waits for an answer there, and would take any words for it: take its task over without a message, and people are asked';

export const waitsInContext =
  'the agent waits for an answer in this context, and would take any words for it: answer that first';

/** Whether a message into this task would be the answer that it waits for. */
function wordsAnswer({ state, message, a2aTaskId, artifacts }: Extract<TurnEvent, { type: 'task' }>): boolean {
  if (!isPausedState(state)) return false;
  const asking = artifacts.filter(({ isQuestion }) => isQuestion === true);
  const { questions } = readPause({ state, message, a2aTaskId, previous: [], artifacts: asking });
  return questions.some(isAnsweredByWords);
}

/**
 * Whether the agent waits for an answer in this context, and would take any words for it: as it may those of a message that begins another
 * task there, where it goes by contexts.
 */
export async function wordsAnswerIn(
  { store }: Pick<Deps, 'store'>,
  { agent, taskId }: TurnInput['task'],
  contextId: string | null,
): Promise<boolean> {
  const open = contextId === null ? [] : await store.tasks.openInContext(agent, contextId);
  const others = open.filter((one) => one !== taskId);
  if (others.length === 0) return false;
  const asked = await store.holds.openOf(others);
  return asked.some(({ question }) => question.kind !== 'operator' && isAnsweredByWords(question));
}

/** A first message into such a context, which no attempt has sent; null: it may go. */
export async function whyNotInContext(
  deps: Pick<Deps, 'store'>,
  { task, turn, send, isDelivered, contextId, a2aTaskId }: TurnInput,
  bound: string | null,
): Promise<TurnOutcome | null> {
  if (send.kind !== 'message' || isDelivered || a2aTaskId !== null) return null;
  const into = contextId === null || contextId === '' ? bound : contextId;
  if (!(await wordsAnswerIn(deps, task, into))) return null;
  if ((await deps.store.intents.get(messageIdOf(sha1Hex, task.taskId, turn))) !== null) return null;
  return { kind: 'failed', code: 'interrupts_pending', message: waitsInContext, a2aTaskId, contextId };
}

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
      if (input.send.kind === 'message' && wordsAnswer(task)) return fail('interrupts_pending', takesWords);
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
