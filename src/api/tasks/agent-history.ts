// What agents report of their tasks' conversations: one short read for all readers of a task, and none where nothing can come.
import type { A2aTaskId } from '../../contract/base/id-types.ts';
import { isEndedStatus } from '../../contract/tasks/task-names.ts';
import type { AgentHistoryResult, AgentHistoryMessage } from '../../contract/tasks/turn.ts';
import type { TaskRow } from '../../store/store.ts';
import type { ApiDeps } from '../api-deps.ts';
import { timeLimit } from '../../host/process/time-limit.ts';

export interface AgentHistory {
  /** The conversation as the agent has it now, newest last; null when it returns none. Never rejects; takes about two seconds at most. */
  read(task: Pick<TaskRow, 'agent' | 'a2aTaskId' | 'status'>): Promise<AgentHistoryMessage[] | null>;
}

/** A person is waiting, whose page could already show what is stored here. */
const deadlineMs = 2_000;
/** How long a read is shared while the task lives. */
const freshMs = 2_000;
/** A slow or large read is shared for this many times as long as it took. */
const restFactor = 4;
/** The history of a task that has ended does not change any more. */
const endedFreshMs = 10 * 60_000;
/** For an agent that answers, but returns no history of this task. */
const notSharedMs = 10_000;
/** An agent that cannot be reached or is slow is not asked again about any task: readers would wait page after page. */
const restMs = 10_000;
const maxKept = 100;
const maxAtOnce = 16;

interface HistoryEntry {
  messages: Promise<AgentHistoryMessage[] | null>;
  isPending: boolean;
  isEnded: boolean;
  freshUntilMs: number;
}

export function createAgentHistory(deps: Pick<ApiDeps, 'readHistory' | 'log' | 'now'>): AgentHistory {
  /** Least recently made first. */
  const probes = new Map<string, HistoryEntry>();
  const restUntilMs = new Map<string, number>();
  let atOnce = 0;
  const nowMs = (): number => deps.now().getTime();

  async function ask(agent: string, a2aTaskId: A2aTaskId): Promise<AgentHistoryResult> {
    const signal = timeLimit(deadlineMs);
    atOnce += 1;
    try {
      return await Promise.race([deps.readHistory(agent, a2aTaskId, signal), late(signal)]);
    } catch (error) {
      deps.log.error({ agent, err: error }, 'a conversation could not be read');
      return { result: 'away', why: 'a fault of Standfast' };
    } finally {
      atOnce -= 1;
    }
  }

  function begin(agent: string, a2aTaskId: A2aTaskId, isEnded: boolean): HistoryEntry {
    const check: HistoryEntry = { messages: Promise.resolve(null), isPending: true, isEnded, freshUntilMs: 0 };
    const startedMs = performance.now();
    check.messages = ask(agent, a2aTaskId).then((history) => {
      const tookMs = performance.now() - startedMs;
      const sharedMs = history.result === 'read' ? Math.max(freshMs, restFactor * tookMs) : notSharedMs;
      check.isPending = false;
      if (history.result === 'away') restUntilMs.set(agent, nowMs() + restMs);
      else check.freshUntilMs = nowMs() + (isEnded ? endedFreshMs : sharedMs);
      if (history.result === 'read') return history.messages;
      deps.log.debug({ agent, why: history.why }, 'a conversation is shown as kept here');
      return null;
    });
    return check;
  }

  return {
    async read({ agent, a2aTaskId, status }) {
      if (a2aTaskId === null) return null;
      const name = `${agent} ${a2aTaskId}`;
      const isEnded = isEndedStatus(status);
      const kept = probes.get(name);
      // The last messages may have come after a read of the living task.
      const isLast = kept !== undefined && kept.isEnded === isEnded;
      if (kept !== undefined && isLast && (kept.isPending || kept.freshUntilMs > nowMs())) return kept.messages;
      if (atOnce >= maxAtOnce || (restUntilMs.get(agent) ?? 0) > nowMs()) return null;
      probes.delete(name);
      const check = begin(agent, a2aTaskId, isEnded);
      probes.set(name, check);
      for (const [oldest] of probes) {
        if (probes.size <= maxKept) break;
        probes.delete(oldest);
      }
      return check.messages;
    },
  };
}

/** Whatever the reader does. */
function late(signal: AbortSignal): Promise<AgentHistoryResult> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ result: 'away', why: 'no answer in time' }), { once: true });
  });
}
