// Conversations as front ends send them back, at random: the agent gets each new message once, and nothing old.
import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/contract/base/json.ts';
import { stringOf } from '../../../../src/core/base/json.ts';
import { outgoingMessages } from '../../../../src/wire/agui/input/new-message.ts';
import { readRunInput } from '../../../../src/wire/agui/input/run-input.ts';
import { mergeMessages } from '../../../../src/wire/agui/project/messages.ts';
import { fc, runs } from '../../../rigs/properties.ts';

/** How a front end keeps ids: as they are, none, all its own at each load, or its own for what it loaded. */
type Ids = 'kept' | 'empty' | 'renamed' | 'renamed when loaded';
/** What it makes of the agent's messages: AG-UI's client keeps them, CopilotKit names results, assistant-ui joins texts. */
type Shape = 'ag-ui' | 'copilotkit' | 'assistant-ui' | 'persons alone';

interface Turn {
  /** What the person says; none: the page was loaded again and runs. */
  says: string[];
  ids: Ids;
  shape: Shape;
  /** How many messages of the end of the transcript are sent, its new ones apart; null: all. */
  window: number | null;
  /** A message of history that changes places with its neighbour. */
  swapped: number | null;
  hasEmpty: boolean;
  asParts: boolean;
  reply: { words: string[]; callsTool: boolean };
}

const aTurn: fc.Arbitrary<Turn> = fc.record({
  says: fc.array(fc.constantFrom('yes', 'continue', 'pay invoice 7', 'stop', 'and the next?'), { maxLength: 2 }),
  ids: fc.constantFrom<Ids>('kept', 'kept', 'empty', 'renamed', 'renamed when loaded'),
  shape: fc.constantFrom<Shape>('ag-ui', 'copilotkit', 'assistant-ui', 'persons alone'),
  window: fc.option(fc.nat(6)),
  swapped: fc.option(fc.nat(8)),
  hasEmpty: fc.boolean(),
  asParts: fc.boolean(),
  reply: fc.record({
    words: fc.array(fc.constantFrom('Done.', 'I look at it.', 'Paid.', 'Shall I?'), { minLength: 1, maxLength: 3 }),
    callsTool: fc.boolean(),
  }),
});

const isPerson = ({ role }: JsonObject): boolean => role === 'user';

/** The agent's messages of one turn as one, with the results behind it. */
function joined(messages: JsonObject[]): JsonObject[] {
  const out: JsonObject[] = [];
  for (const message of messages) {
    const before = out.findLast(({ role }) => role !== 'tool');
    if (message['role'] !== 'assistant' || before?.['role'] !== 'assistant') out.push(message);
    else
      out[out.indexOf(before)] = {
        ...before,
        content: `${stringOf(before['content'])}${stringOf(message['content'])}`,
        ...(message['toolCalls'] !== undefined && { toolCalls: message['toolCalls'] }),
      };
  }
  return out;
}

function shaped(shape: Shape, history: JsonObject[]): JsonObject[] {
  const byCall = history.map((message) =>
    message['role'] === 'tool' ? { ...message, id: `${stringOf(message['toolCallId'])}:tool` } : message,
  );
  switch (shape) {
    case 'copilotkit':
      return byCall;
    case 'assistant-ui':
      return joined(byCall);
    case 'persons alone':
      return history.filter(isPerson);
    default:
      return history;
  }
}

let made = 0;
const fresh = (): string => `x-${(made += 1)}`;

function identified(ids: Ids, history: JsonObject[]): JsonObject[] {
  if (ids === 'kept') return history;
  return history.map((message) => ({ ...message, id: ids === 'empty' ? '' : fresh() }));
}

/** Two neighbours change places, and the agent's last words stay behind what came before them. */
function reordered(history: JsonObject[], at: number | null): JsonObject[] {
  const last = history.findLastIndex(({ role }) => role === 'assistant');
  const [one, two] = at === null ? [] : [history[at], history[at + 1]];
  if (at === null || one === undefined || two === undefined || at + 1 >= last) return history;
  return history.with(at, two).with(at + 1, one);
}

/** What the front end sends: its history, changed, and the new messages. */
function transcript(turn: Turn, history: JsonObject[], news: JsonObject[]): JsonObject[] {
  const whole = reordered(shaped(turn.shape, history), turn.swapped);
  // Without a word of the agent the same words again may be a repeat or not; what is kept of those is whole.
  const last = whole.findLastIndex(({ role }) => role === 'assistant');
  const shown =
    last < 0 ? whole : whole.slice(Math.max(0, Math.min(last, whole.length - (turn.window ?? whole.length))));
  const sent = identified(turn.ids, shown);
  const behind = turn.ids === 'empty' ? news.map((message) => ({ ...message, id: '' })) : news;
  return [...sent, ...behind, ...(turn.hasEmpty ? [{ id: fresh(), role: 'user', content: ' ' }] : [])];
}

interface Thread {
  log: JsonObject[];
  sent: Set<string>;
}

const options = { includeToolMessages: true, includeSystemMessages: false, includeDeveloperMessages: false };

/** A run as the server takes it: what goes to the agent, and what the thread then shows. */
function taken(thread: Thread, messages: JsonObject[], reply: Turn['reply']): { got: unknown[]; thread: Thread } {
  const body = { threadId: 't-1', runId: fresh(), messages, tools: [], context: [], state: {}, forwardedProps: {} };
  const read = readRunInput(body);
  if (!read.ok) return { got: [], thread };
  const outgoing = outgoingMessages(read.input.messages, options, thread);
  const got = outgoing.map(({ metadata, toolCallId }) => metadata ?? toolCallId);
  if (outgoing.length === 0) return { got, thread };
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
  return { got, thread: { log: [...log, ...called, ...rest], sent: new Set([...thread.sent, ...ids]) } };
}

// Promise G28
test('a conversation that its front end sends back in any shape gives the agent each new message once, and nothing old', () => {
  fc.assert(
    fc.property(fc.array(aTurn, { minLength: 1, maxLength: 6 }), (turns) => {
      let thread: Thread = { log: [], sent: new Set() };
      turns.forEach((turn, index) => {
        const news = turn.says.map((text, at): JsonObject => ({
          id: fresh(),
          role: 'user',
          content: turn.asParts ? [{ type: 'text', text }] : text,
          metadata: { of: `${index}.${at}` },
        }));
        const result = taken(thread, transcript(turn, thread.log, news), turn.reply);
        expect(result.got).toEqual(news.map(({ metadata }) => metadata));
        // Nothing of history comes into the log a second time.
        const persons = result.thread.log.filter(isPerson);
        expect(persons).toHaveLength(turns.slice(0, index + 1).flatMap(({ says }) => says).length);
        ({ thread } = result);
      });
    }),
    { numRuns: runs(300) },
  );
});
