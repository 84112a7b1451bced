// Which messages of a run are new to the agent: clients send the whole conversation with every run.
import type { RunKey } from '../../contract/tasks/run.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { isLone, lastWords, outgoingMessages } from '../../wire/agui/input/new-message.ts';
import type { RunInput } from '../../wire/agui/input/run-input.ts';
import { messageId } from '../../core/agui/messages.ts';
import { reduceLog } from '../tasks/run-log.ts';
import type { WithStore } from '../api-parts.ts';

export interface NewMessages {
  /** Those that go to the agent now; none when all were sent before. */
  ids: string[];
  /** Those that go when the last words are meant once more; none when the agent has spoken since. */
  again: string[];
  /** It keeps no transcript, so the same words again may be meant. */
  isLone: boolean;
}

/** What the thread shows: its row is written at the end of a run, so of an open one the log is read. */
async function threadLog({ store }: WithStore, { agent, threadId }: RunKey): Promise<JsonObject[]> {
  const newest = await store.runs.newest(agent, threadId);
  if (newest?.status === 'open') return (await reduceLog({ store }, newest)).projection.messages;
  return (await store.threads.get(agent, threadId))?.messages ?? [];
}

/** On a thread that was not opened (`isKnown` is false) nothing was sent before. */
export async function newMessages(
  deps: WithStore,
  key: RunKey,
  { messages, options }: Pick<RunInput, 'messages' | 'options'>,
  isKnown = true,
): Promise<NewMessages> {
  const sent = new Set(isKnown ? await deps.store.sent.known(key, messages.map(messageId)) : []);
  const unsent = outgoingMessages(messages, options, { log: [], sent });
  // The log is read only where something may be new.
  const log = isKnown && unsent.length > 0 ? await threadLog(deps, key) : [];
  const ids = log.length === 0 ? unsent : outgoingMessages(messages, options, { log, sent });
  const last = ids.length > 0 ? null : lastWords(messages);
  const again = last === null ? [] : [messageId(last)];
  return { ids: ids.map(messageId), again, isLone: isLone(messages, { log, sent }) };
}
