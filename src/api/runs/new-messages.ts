// Which messages of a run are new to the agent: clients send the whole conversation with every run.
import type { RunKey } from '../../contract/tasks/run.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { RunInput } from '../../wire/agui/input/run-input.ts';
import { outgoingMessages } from '../../wire/agui/input/new-message.ts';
import type { ApiContext } from '../api-context.ts';

interface NewMessages {
  /** Those that go to the agent now; none when all were sent before. */
  ids: string[];
  /** Those that go when the last messages are to be sent once more. */
  again: string[];
}

const idOf = (message: JsonObject): string => (typeof message['id'] === 'string' ? message['id'] : '');

/** On a thread that was not opened (`isKnown` is false) nothing was sent before. */
export async function newMessages(
  deps: Pick<ApiContext, 'store'>,
  key: RunKey,
  input: RunInput,
  isKnown = true,
): Promise<NewMessages> {
  const { messages, options } = input;
  const sent = new Set(isKnown ? await deps.store.sent.known(key, messages.map(idOf)) : []);
  const ids = outgoingMessages(messages, options, sent).map(idOf);
  const last = messages.findLast((message) => message['role'] === 'user');
  if (ids.length > 0 || last === undefined) return { ids, again: [] };
  sent.delete(idOf(last));
  return { ids, again: outgoingMessages(messages, options, sent).map(idOf) };
}
