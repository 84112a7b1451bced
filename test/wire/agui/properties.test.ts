import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import jsonPatch from 'fast-json-patch';
import type { Json, JsonObject } from '../../../src/contract/json.ts';
import type { NeutralPart, TurnEvent } from '../../../src/contract/turn.ts';
import { endEvents } from '../../../src/wire/agui/end.ts';
import { pauseEvents } from '../../../src/wire/agui/pause.ts';
import { emptyProjection, foldAll } from '../../../src/wire/agui/projection.ts';
import { turnEvents } from '../../../src/wire/agui/project.ts';
import { expectShown, expectValid } from './real-client.ts';
import { aPause, anArtifact, aSnapshot, chunk, ctx, says, startLog, status, withEvents, type Log } from './scene.ts';

const words = fc.constantFrom('', 'a', 'ab', 'abc', 'b', '€', 'a much longer text of the agent');
const aValue = fc.oneof(words, fc.jsonValue({ maxDepth: 2 })).map((value): Json => JSON.parse(JSON.stringify(value)));
const aPart: fc.Arbitrary<NeutralPart> = fc.oneof(
  words.map((text): NeutralPart => ({ kind: 'text', text, metadata: {} })),
  aValue.map((data): NeutralPart => ({ kind: 'data', data, metadata: {} })),
  fc.constant<NeutralPart>({ kind: 'file', name: 'f', mediaType: 'a/b', uri: 'http://x', base64: null, metadata: {} }),
);
const aPath = fc.constantFrom(
  undefined,
  undefined,
  '/view/artifacts/x',
  '/view/artifacts/x/y',
  '/view/config',
  '/view/tasks/z',
);
const artifact = fc
  .tuple(fc.constantFrom('x', 'y', '__proto__', 'a/b'), fc.array(aPart, { maxLength: 3 }), aPath)
  .map(([id, parts, path]) => anArtifact(id, parts, path === undefined ? {} : { path }));
const aMessage = fc
  .tuple(
    fc.constantFrom('', 'm-1', 'm-2', 'u-1', 'artifact:a2a-1:x'),
    words,
    fc.constantFrom('agent' as const, 'user' as const),
  )
  .map(([id, text, role]) => ({ ...says(id, text), role }));
const aState = fc.constantFrom(
  ...(['submitted', 'working', 'input-required', 'auth-required', 'completed', 'failed', 'unknown'] as const),
);
const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of, { nil: null });
const snapshot = fc
  .record({
    state: aState,
    message: maybe(aMessage),
    artifacts: fc.array(artifact, { maxLength: 3 }),
    history: fc.array(aMessage, { maxLength: 3 }),
  })
  .map((change): TurnEvent => aSnapshot(change));
const anEvent: fc.Arbitrary<TurnEvent> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(artifact, fc.boolean(), fc.boolean())
      .map(([a, append, lastChunk]) => chunk(a, { append, lastChunk })),
  },
  { weight: 2, arbitrary: fc.tuple(aState, maybe(aMessage)).map(([state, message]) => status(state, message)) },
  { weight: 2, arbitrary: snapshot },
  aMessage.map((message): TurnEvent => ({ type: 'message', message, contextId: null })),
  fc.constant<TurnEvent>({ type: 'unknown', what: 'noise' }),
);
const someEvents = fc.array(anEvent, { maxLength: 25 });

const clientState: JsonObject = { theme: 'dark' };
const told = (turn: TurnEvent[]): Log =>
  turn.reduce((log, event) => withEvents(log, turnEvents(log.p, event, ctx)), startLog({ clientState }));
const closed = (log: Log, isPause: boolean): Log =>
  withEvents(
    log,
    isPause ? pauseEvents(log.p, aPause(), ctx) : endEvents(log.p, { how: 'completed', message: '' }, ctx),
  );

describe('whatever the agent sends', () => {
  test("AG-UI's own client takes every event without a warning and holds what our projection says", async () => {
    await fc.assert(
      fc.asyncProperty(someEvents, fc.boolean(), async (turn, isPause) => {
        const log = closed(told(turn), isPause);
        const shown = await expectShown(log.events, [{ id: 'u-1', role: 'user', content: 'Book it' }], clientState);
        expect(shown.state).toEqual(log.p.state);
        expect(shown.messages).toEqual(log.p.messages);
      }),
      { numRuns: 60 },
    );
  });

  test('a client that applies the deltas has, just before each snapshot, what the snapshot says', () => {
    fc.assert(
      fc.property(someEvents, fc.boolean(), (turn, isPause) => {
        const log = closed(told(turn), isPause);
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

  test('an attempt after a crash goes on from the log as if nothing had happened', () => {
    fc.assert(
      fc.property(someEvents, someEvents, (before, after) => {
        const log = told(before);
        const rebuilt: Log = {
          events: log.events,
          p: foldAll(emptyProjection('t-1', 'r-1'), JSON.parse(JSON.stringify(log.events))),
        };
        expect(rebuilt.p).toEqual(log.p);
        const on = (from: Log): Log => after.reduce((so, event) => withEvents(so, turnEvents(so.p, event, ctx)), from);
        expect(on(rebuilt)).toEqual(on(log));
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
        const log = withEvents(told(before), turnEvents(told(before).p, event, ctx));
        expect(turnEvents(log.p, event, ctx)).toEqual([]);
      }),
    );
  });

  test('a crash between any two events, then a snapshot of the whole, loses no word of an artifact', () => {
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 8 }), fc.nat(), (tokens, cut) => {
        const chunks = tokens.map((token, i) =>
          chunk(anArtifact('x', [{ kind: 'text', text: token, metadata: {} }]), { append: i > 0 }),
        );
        const log = told(chunks);
        const start = startLog({ clientState });
        const at = start.events.length + (cut % (log.events.length - start.events.length + 1));
        const events = log.events.slice(0, at);
        const rebuilt: Log = { events, p: foldAll(emptyProjection('t-1', 'r-1'), events) };
        const parts = tokens.map((text): NeutralPart => ({ kind: 'text', text, metadata: {} }));
        const whole = aSnapshot({ state: 'completed', artifacts: [anArtifact('x', parts)] });
        const done = closed(withEvents(rebuilt, turnEvents(rebuilt.p, whole, ctx)), false);
        const said = done.p.messages.find((message) => message['id'] === 'artifact:a2a-1:x')?.['content'];
        expect(said ?? '').toBe(tokens.join(''));
      }),
    );
  });
});
