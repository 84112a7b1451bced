// A pause of LangGraph Server names its question once, in an artifact of the stream, and there only one of several, or none
// where another branch of the graph ended after it: the task then ends. The thread's state, of the server's own API at the
// same origin, has all of them.
import type { KeptCard } from '../../contract/tasks/agent-card.ts';
import type { TurnEvent } from '../../contract/tasks/turn.ts';
import {
  interruptsOf,
  isLangGraphServer,
  maxLangGraphHistory,
  mayLeaveOut,
  withoutArtificialEnd,
} from '../../wire/a2a/codec/langgraph-server.ts';
import { keepOriginalOf } from '../../wire/a2a/codec/original.ts';

export interface Server {
  card: KeptCard;
  /** Address of the A2A interface. */
  url: string;
  fetchImpl: typeof fetch;
  signal: AbortSignal;
}

/** How many messages an agent with this card gives at a time. */
export const maxHistoryOf = (card: KeptCard): number => (isLangGraphServer(card) ? maxLangGraphHistory : Infinity);

/** The same event of any other agent; of this server what it means: the questions of a pause, then the pause. */
export async function completed(event: TurnEvent, server: Server): Promise<TurnEvent[]> {
  if (!isLangGraphServer(server.card) || !mayLeaveOut(event)) return [event];
  const artifact = interruptsOf(await stateOf(event.contextId, server), event.a2aTaskId);
  if (artifact === null) return [withoutArtificialEnd(event)];
  const { a2aTaskId, contextId } = event;
  const pause = event.state === 'completed' ? { ...event, state: 'input-required' as const, message: null } : event;
  if (pause.type === 'task') return [keepOriginalOf(event, { ...pause, artifacts: [...pause.artifacts, artifact] })];
  return [{ type: 'artifact', a2aTaskId, contextId, artifact, append: false, lastChunk: true }, pause];
}

/** Undefined where the server does not show it, as behind a proxy: the question is then what the stream sent. */
async function stateOf(contextId: string, { url, fetchImpl, signal }: Server): Promise<unknown> {
  if (contextId === '') return undefined;
  try {
    const address = new URL(`/threads/${encodeURIComponent(contextId)}/state`, url);
    const response = await fetchImpl(address, { headers: { accept: 'application/json' }, signal });
    return response.ok ? await response.json() : undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}
