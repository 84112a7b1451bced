import { describe, expect, test } from '@jest/globals';
import jsonPatch from 'fast-json-patch';
import type { Json, JsonObject } from '../../../src/contract/base/json.ts';
import type { NeutralPart, TurnEvent } from '../../../src/contract/tasks/turn.ts';
import { endEvents } from '../../../src/wire/agui/project/end.ts';
import { pauseEvents } from '../../../src/wire/agui/project/pause.ts';
import { emptyProjection, reduceEvents } from '../../../src/wire/agui/model/projection.ts';
import { turnEvents } from '../../../src/wire/agui/project/project.ts';
import { expectShown, expectValid } from './real-client.ts';
import {
  aDecision,
  anArtifact,
  aPause,
  aSnapshot,
  aToolHold,
  chunk,
  ctx,
  data,
  nextLog,
  says,
  startLog,
  status,
  text,
  withEvents,
  type Log,
} from './scene.ts';
import { fc, runs } from '../../rigs/properties.ts';
import { aMessage, artifact, aState, maybe, snapshot, someEvents, words } from './random-turns.ts';

const clientState: JsonObject = { theme: 'dark' };
const on = (from: Log, turn: TurnEvent[]): Log =>
  turn.reduce((log, event) => withEvents(log, turnEvents(log.p, event, ctx)), from);
const projected = (turn: TurnEvent[]): Log => on(startLog({ clientState }), turn);

/** How a run is closed: by questions (about calls or not), or with its task. */
type Close = 'asks' | 'asks about calls' | 'ends' | 'fails';
const aClose = fc.constantFrom<Close>('asks', 'asks about calls', 'ends', 'fails');
const toolHolds = [aToolHold(), aToolHold({ n: 2, tool: { callId: 'c-1' } }), aToolHold({ n: 3 })];
function closed(log: Log, how: Close): Log {
  if (how === 'asks') return withEvents(log, pauseEvents(log.p, aPause(), ctx));
  if (how === 'asks about calls') return withEvents(log, pauseEvents(log.p, aPause({ holds: toolHolds }), ctx));
  const end =
    how === 'fails'
      ? { kind: 'failed' as const, code: 'agent_failed', message: '' }
      : { kind: 'completed' as const, message: '' };
  return withEvents(log, endEvents(log.p, end, ctx));
}
/**
 * Messages without our notes on the way there, which is another after a crash: what stood in the state before a text, and
 * which part a call's result was read off, where an agent tells the same result twice and once before the call. Such a
 * result may then come before others of the same calls.
 */
const notes = ['before', 'part'];
function shown(messages: JsonObject[]): Json {
  let group = 0;
  const placed = messages.map((message) => {
    const isResult = message['role'] === 'tool';
    if (!isResult) group += 1;
    return { message, place: `${String(group).padStart(6, '0')} ${isResult ? String(message['id']) : ''}` };
  });
  const ordered = placed.toSorted((a, b) => (a.place < b.place ? -1 : 1)).map(({ message }) => message);
  return JSON.parse(JSON.stringify(ordered, (key, value: Json) => (notes.includes(key) ? undefined : value)));
}
/** True when two artifacts write to one place of the state, of which the last is kept: a snapshot of both moves it. */
function shareAPlace(turn: TurnEvent[]): boolean {
  const made = turn.flatMap((event) =>
    event.type === 'artifact' ? [event.artifact] : event.type === 'task' ? event.artifacts : [],
  );
  const places = made.map(({ artifactId, metadata }) => ({
    artifactId,
    paths: [String(metadata['path']), `/view/artifacts/${artifactId}`].map((path) => `${path}/`),
  }));
  return places.some((one) =>
    places.some(
      (other) =>
        one.artifactId !== other.artifactId &&
        one.paths.some((path) => other.paths.some((under) => under.startsWith(path))),
    ),
  );
}
const user = { id: 'u-1', role: 'user', content: 'Book it' };
const answers = toolHolds.map((hold, i) => ({ ...hold, decision: aDecision({ values: { approved: i > 0 } }) }));

describe('whatever the agent sends', () => {
  // Promise P3, S7
  test("AG-UI's own client takes every event without a warning and holds what our projection says", async () => {
    await fc.assert(
      fc.asyncProperty(someEvents, aClose, async (turn, how) => {
        const log = closed(projected(turn), how);
        const seen = await expectShown(log.events, [user], clientState);
        expect(seen.state).toEqual(log.p.state);
        expect(seen.messages).toEqual(log.p.messages);
      }),
      { numRuns: runs(40) },
    );
  });

  test('the run that carries the answers on starts from what the one that asked has left', async () => {
    await fc.assert(
      fc.asyncProperty(someEvents, someEvents, aClose, async (before, after, how) => {
        const asked = closed(projected(before), 'asks about calls');
        const start = nextLog(asked, { clientState, clientMessages: [user], answered: answers });
        const log = closed(on(start, after), how);
        const seen = await expectShown(log.events, [user], clientState);
        expect(seen.state).toEqual(log.p.state);
        expect(seen.messages).toEqual(log.p.messages);
        const results = log.events
          .filter(({ type }) => type === 'TOOL_CALL_RESULT')
          .map((event) => event['toolCallId']);
        expect(results).toEqual([...new Set(results)]);
        const calls = [...asked.events, ...log.events].filter(({ type }) => type === 'TOOL_CALL_START');
        const ids = calls.map((event) => event['toolCallId']);
        expect(ids).toEqual([...new Set(ids)]);
      }),
      { numRuns: runs(20) },
    );
  });

  // Promise P3, S9
  test('a client that applies the deltas has, just before each snapshot, what the snapshot says', () => {
    fc.assert(
      fc.property(someEvents, aClose, (turn, how) => {
        const log = closed(projected(turn), how);
        expectValid(log.events);
        let state: unknown = clientState;
        for (const event of log.events.slice(2)) {
          if (event.type === 'STATE_SNAPSHOT') expect(state).toEqual(event['snapshot']);
          if (event.type !== 'STATE_DELTA' || !Array.isArray(event['delta'])) continue;
          const patch: jsonPatch.Operation[] = JSON.parse(JSON.stringify(event['delta']));
          state = jsonPatch.applyPatch(structuredClone(state), patch, true, false).newDocument;
        }
      }),
    );
  });

  // Promise S8
  test('an attempt after a crash goes on from the log as if nothing had happened', () => {
    fc.assert(
      fc.property(someEvents, someEvents, (before, after) => {
        const log = projected(before);
        const rebuilt: Log = {
          events: log.events,
          p: reduceEvents(emptyProjection('t-1', 'r-1'), JSON.parse(JSON.stringify(log.events))),
        };
        expect(rebuilt.p).toEqual(log.p);
        expect(on(rebuilt, after)).toEqual(on(log, after));
      }),
    );
  });

  test('the same snapshot, status or message again adds nothing', () => {
    const anAbsolute = fc.oneof(
      snapshot,
      fc.tuple(aState, maybe(aMessage)).map(([state, message]) => status(state, message)),
    );
    fc.assert(
      fc.property(someEvents, anAbsolute, (before, event) => {
        fc.pre(!shareAPlace([...before, event]));
        const log = withEvents(projected(before), turnEvents(projected(before).p, event, ctx));
        expect(turnEvents(log.p, event, ctx)).toEqual([]);
      }),
    );
  });

  test('a message that goes on with a text and has a result of a tool adds nothing when it comes again', () => {
    const message = (messageId: string, parts: NeutralPart[]) => status('submitted', { ...says(messageId, ''), parts });
    const event = message('m-1', [data({ type: 'tool-result', toolCallId: 'c-1', payload: null }), text('abc')]);
    const log = on(projected([message('', [text('ab')])]), [event]);
    expect(log.p.messages).toMatchObject([user, { content: 'abc' }, { role: 'tool' }]);
    expect(turnEvents(log.p, event, ctx)).toEqual([]);
  });

  /** The messages of a task, and those after a crash before the first event of this type and the whole task again. */
  function afterCrash(type: string, ...messages: NeutralPart[][]): { before: JsonObject[]; after: JsonObject[] } {
    const history = messages.map((parts, i) => ({ ...says(`m-${i}`, ''), parts }));
    const whole = aSnapshot({ state: 'completed', history });
    const { events, p } = on(startLog({ clientState }), [whole]);
    const cut = events.slice(
      0,
      events.findIndex((event) => event.type === type),
    );
    const again = on({ events: cut, p: reduceEvents(emptyProjection('t-1', 'r-1'), cut) }, [whole]);
    return { before: p.messages, after: again.p.messages };
  }

  test('a call of a message that goes on with the text before it is shown at that text after a crash, too', () => {
    const call = data({ type: 'tool-call', id: 'c-1', name: 'pay', arguments: {} });
    const { before, after } = afterCrash('TOOL_CALL_START', [text('a')], [text('a'), text('b'), call]);
    expect(before).toMatchObject([user, { id: 'm-0', content: 'a\nb', toolCalls: [{ id: 'c-1' }] }]);
    expect(after).toEqual(before);
  });

  test('a result without a call stays at the call that was shown for it, also after a crash', () => {
    const call = data({ type: 'tool-call', id: 'c-1~2', name: 'pay', arguments: {} });
    const result = data({ type: 'tool-result', toolCallId: 'c-1', payload: 'paid' });
    const { before, after } = afterCrash('TOOL_CALL_RESULT', [call, result]);
    expect(before).toContainEqual(expect.objectContaining({ role: 'tool', toolCallId: 'c-1', content: 'paid' }));
    expect(after).toEqual(before);
  });

  test('a text whose first word a crash cut off is written after the call before it comes again', () => {
    const call = data({ type: 'tool-call', id: 'c-1', name: 'pay', arguments: {} });
    const { before, after } = afterCrash('TEXT_MESSAGE_CONTENT', [call], [text('paid')]);
    expect(before).toContainEqual(expect.objectContaining({ id: 'm-1', content: 'paid' }));
    expect(after).toEqual(before);
  });

  test('a crash between any two events, then the whole task again, comes to what it would have come to', () => {
    fc.assert(
      fc.property(
        fc.array(aMessage, { maxLength: 5 }),
        fc.array(artifact, { maxLength: 3 }),
        fc.nat(),
        (texts, made, cut) => {
          // Each message once, as agents that keep to the protocol send them.
          const history = [...new Map(texts.map((message, i) => [i, { ...message, messageId: `m-${i}` }])).values()];
          const whole = aSnapshot({ state: 'completed', history, artifacts: made });
          const log = on(startLog({ clientState }), [whole]);
          const first = startLog({ clientState }).events.length;
          const events = log.events.slice(0, first + (cut % (log.events.length - first + 1)));
          const rebuilt: Log = { events, p: reduceEvents(emptyProjection('t-1', 'r-1'), events) };
          const again = closed(on(rebuilt, [whole]), 'ends');
          const { messages, state, attachments: given } = closed(log, 'ends').p;
          expect({ messages: shown(again.p.messages), state: again.p.state, given: again.p.attachments }).toEqual({
            messages: shown(messages),
            state,
            given,
          });
        },
      ),
    );
  });

  test('a crash between any two events, then a snapshot of the whole, loses no word of an artifact', () => {
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 8 }), fc.nat(), (tokens, cut) => {
        const chunks = tokens.map((token, i) =>
          chunk(anArtifact('x', [{ kind: 'text', text: token, metadata: {} }]), { append: i > 0 }),
        );
        const log = projected(chunks);
        const start = startLog({ clientState });
        const at = start.events.length + (cut % (log.events.length - start.events.length + 1));
        const events = log.events.slice(0, at);
        const rebuilt: Log = { events, p: reduceEvents(emptyProjection('t-1', 'r-1'), events) };
        const parts = tokens.map(text);
        const whole = aSnapshot({ state: 'completed', artifacts: [anArtifact('x', parts)] });
        const done = closed(withEvents(rebuilt, turnEvents(rebuilt.p, whole, ctx)), 'ends');
        const content = done.p.messages.find((message) => message['id'] === 'artifact:a2a-1:x')?.['content'];
        expect(content ?? '').toBe(tokens.join(''));
      }),
    );
  });
});
