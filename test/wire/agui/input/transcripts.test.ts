// Conversations as front ends send them back, at random: the agent gets each new message once, and nothing old.
import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/contract/base/json.ts';
import { stringOf } from '../../../../src/core/base/json.ts';
import { fc, runs } from '../../../rigs/properties.ts';
import { fresh, identified, type Ids, isPerson, reordered, type Reply, taken, type Thread } from './thread-model.ts';

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
  reply: Reply;
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

/** What the front end sends: its history, changed, and the new messages. */
function transcript(turn: Turn, history: JsonObject[], news: JsonObject[]): JsonObject[] {
  const whole = shaped(turn.shape, history);
  // Without a word of the agent the same words again may be a repeat or not; what is kept of those is whole.
  const last = whole.findLastIndex(({ role }) => role === 'assistant');
  const shown =
    last < 0 ? whole : whole.slice(Math.max(0, Math.min(last, whole.length - (turn.window ?? whole.length))));
  // Nothing changes places with what was cut off: what is left would be the end of an earlier turn, word for word.
  const sent = identified(turn.ids, reordered(shown, turn.swapped));
  const behind = turn.ids === 'empty' ? news.map((message) => ({ ...message, id: '' })) : news;
  return [...sent, ...behind, ...(turn.hasEmpty ? [{ id: fresh(), role: 'user', content: ' ' }] : [])];
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
        const got = result.got.map(({ metadata, toolCallId }) => metadata ?? toolCallId);
        expect(got).toEqual(news.map(({ metadata }) => metadata));
        // Nothing of history comes into the log a second time.
        const persons = result.thread.log.filter(isPerson);
        expect(persons).toHaveLength(turns.slice(0, index + 1).flatMap(({ says }) => says).length);
        ({ thread } = result);
      });
    }),
    { numRuns: runs(300) },
  );
});
