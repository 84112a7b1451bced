// A thread as the server keeps it, and what is done to a transcript before it comes: for the properties of conversations that
// front ends send back.
import type { JsonObject } from '../../../../src/contract/base/json.ts';
import { outgoingMessages } from '../../../../src/wire/agui/input/new-message.ts';
import { readRunInput } from '../../../../src/wire/agui/input/run-input.ts';
import { mergeMessages } from '../../../../src/wire/agui/project/messages.ts';

/** How a front end keeps ids: as they are, none, all its own at each load, or its own for what it loaded. */
export type Ids = 'kept' | 'empty' | 'renamed' | 'renamed when loaded';

/** What the agent says to a turn. */
export interface Reply {
  words: string[];
  callsTool: boolean;
}

export const isPerson = ({ role }: JsonObject): boolean => role === 'user';

let made = 0;
export const fresh = (): string => `x-${(made += 1)}`;

export function identified(ids: Ids, history: JsonObject[]): JsonObject[] {
  if (ids === 'kept') return history;
  return history.map((message) => ({ ...message, id: ids === 'empty' ? '' : fresh() }));
}

/** Two neighbours change places, and the agent's last words stay behind what came before them. */
export function reordered(history: JsonObject[], at: number | null): JsonObject[] {
  const last = history.findLastIndex(({ role }) => role === 'assistant');
  const [one, two] = at === null ? [] : [history[at], history[at + 1]];
  if (at === null || one === undefined || two === undefined || at + 1 >= last) return history;
  return history.with(at, two).with(at + 1, one);
}

export interface Thread {
  log: JsonObject[];
  sent: Set<string>;
}

const options = { includeToolMessages: true, includeSystemMessages: false, includeDeveloperMessages: false };

/** A run as the server takes it: what goes to the agent, and what the thread then shows. */
export function taken(thread: Thread, messages: JsonObject[], reply: Reply): { got: JsonObject[]; thread: Thread } {
  const body = { threadId: 't-1', runId: fresh(), messages, tools: [], context: [], state: {}, forwardedProps: {} };
  const read = readRunInput(body);
  if (!read.ok) return { got: [], thread };
  const outgoing = outgoingMessages(read.input.messages, options, thread);
  if (outgoing.length === 0) return { got: [], thread };
  const ids = outgoing.map(({ id }) => String(id));
  const log = mergeMessages(thread.log, read.input.messages, ids);
  const call = fresh();
  const spoken = reply.words.map((content): JsonObject => ({ id: fresh(), role: 'assistant', content }));
  const [first, ...rest] = spoken;
  const called: JsonObject[] = reply.callsTool
    ? [
        { ...first, toolCalls: [{ id: call, type: 'function', function: { name: 'pay', arguments: '{}' } }] },
        { id: `result:${call}`, role: 'tool', toolCallId: call, content: 'ok' },
      ]
    : [{ ...first }];
  return { got: outgoing, thread: { log: [...log, ...called, ...rest], sent: new Set([...thread.sent, ...ids]) } };
}
