// A task's conversation as its agent has it, for people to read: one request without retries, bounded in time and size.
import type { A2aTaskId } from '../../contract/base/id-types.ts';
import type { AgentMessage, AgentHistoryResult, AgentHistoryMessage, TurnEvent } from '../../contract/tasks/turn.ts';
import { cutText, messageText } from '../../wire/agui/model/text.ts';
import type { A2aTransport } from './a2a-transport.ts';
import type { A2aErrorWhat } from '../../contract/tasks/agent-error.ts';

/** Number of newest messages to ask for, and to keep from agents that send more. */
const maxMessages = 200;
/** Largest text of one message, and of all together; older messages are left out. */
const maxMessageChars = 50_000;
const maxTextChars = 250_000;
const maxFiles = 20;
/** Largest answer: a task comes with its artifacts, and parsing all of it blocks the rest of the process. */
export const maxHistoryBytes = 4 * 1024 * 1024;

/** Failures of the connection, or temporary ones; all others are the agent's answer about this task. */
const faults: readonly A2aErrorWhat[] = ['http', 'network', 'card', 'token', 'aborted'];
/** HTTP statuses that are about what was asked for. */
const isConversation = (status: number | undefined): boolean =>
  status !== undefined && [404, 405, 410, 501].includes(status);

export type ReadHistory = (agent: string, a2aTaskId: A2aTaskId, signal: AbortSignal) => Promise<AgentHistoryResult>;

/** Never rejects. */
export function createHistoryReader(transportOf: (agent: string) => A2aTransport): ReadHistory {
  return async (agent, a2aTaskId, signal) => {
    let transport: A2aTransport;
    try {
      transport = transportOf(agent);
    } catch {
      return { result: 'not-shared', why: 'the agent is not configured' };
    }
    try {
      return describeFault(await transport.getTask(a2aTaskId, { historyLength: maxMessages }, { signal }), a2aTaskId);
    } catch (error) {
      const { what, status, message } = transport.classify(error, signal);
      const isAway = faults.includes(what) && !(what === 'http' && isConversation(status));
      return { result: isAway ? 'away' : 'not-shared', why: message };
    }
  };
}

function describeFault(task: TurnEvent, a2aTaskId: A2aTaskId): AgentHistoryResult {
  if (task.type !== 'task') return { result: 'not-shared', why: 'the agent sent something that is not a task' };
  if (task.a2aTaskId !== a2aTaskId) return { result: 'not-shared', why: 'the agent sent another task' };
  // Agents of A2A 0.3 may keep no history; the last status alone is not a conversation.
  if (task.history.length === 0) return { result: 'not-shared', why: 'the agent shows no history' };
  return { result: 'read', messages: newest(withLast(task.history, task.message)) };
}

/** Some agents have their last status message in the history already. */
function withLast(history: AgentMessage[], last: AgentMessage | null): AgentMessage[] {
  if (last === null) return history;
  const isThere =
    last.messageId === ''
      ? messageText(history.at(-1)?.parts ?? []) === messageText(last.parts)
      : history.some(({ messageId }) => messageId === last.messageId);
  return isThere ? history : [...history, last];
}

function newest(messages: readonly AgentMessage[]): AgentHistoryMessage[] {
  const history: AgentHistoryMessage[] = [];
  let left = maxTextChars;
  for (const message of messages.slice(-maxMessages).toReversed()) {
    const one = historyMessage(message);
    left -= one.text.length;
    if (left < 0) break;
    history.push(one);
  }
  return history.toReversed();
}

function historyMessage({ messageId, role, parts }: AgentMessage): AgentHistoryMessage {
  const files = parts.flatMap((part) =>
    part.kind === 'file' ? [{ name: part.name, mediaType: part.mediaType, url: webUrl(part.uri) }] : [],
  );
  const hasData = parts.some((part) => part.kind === 'data');
  return {
    messageId,
    role,
    text: cutText(messageText(parts), maxMessageChars),
    files: files.slice(0, maxFiles),
    hasData,
  };
}

const webUrl = (uri: string | null): string | null => (uri !== null && /^https?:\/\//i.test(uri) ? uri : null);
