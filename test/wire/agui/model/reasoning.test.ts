import { describe, expect, test } from '@jest/globals';
import { endEvents } from '../../../../src/wire/agui/project/end.ts';
import { pauseEvents } from '../../../../src/wire/agui/project/pause.ts';
import { emptyProjection, reduceEvents } from '../../../../src/wire/agui/model/projection.ts';
import { turnEvents } from '../../../../src/wire/agui/project/project.ts';
import { followFrom, relabel, restateEvents } from '../../../../src/wire/agui/project/restate.ts';
import { expectShown } from '../real-client.ts';
import {
  afterTurn,
  anArtifact,
  aPause,
  aSnapshot,
  chunk,
  ctx,
  data,
  gives,
  startLog,
  status,
  text,
  textOf,
  reasoning,
  typesOf,
  valueAtPath,
  withEvents,
  type Log,
} from '../scene.ts';

const done = (log: Log): Log => withEvents(log, endEvents(log.p, { kind: 'completed', message: '' }, ctx));
const thinking = gives('m-1', [reasoning('Flights first.'), text('Booked.'), reasoning('Then hotels.')]);
const id = 'reasoning:m-1';

describe('what a model thinks', () => {
  // Promise G27
  test('what a model thinks in a message is reasoning before the answer, and no part of it', async () => {
    const log = startLog();
    const events = turnEvents(log.p, status('working', thinking), ctx);
    expect(events.slice(0, 7)).toEqual([
      { type: 'REASONING_START', messageId: id },
      { type: 'REASONING_MESSAGE_START', messageId: id, role: 'reasoning' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: id, delta: 'Flights first.\nThen hotels.' },
      { type: 'REASONING_MESSAGE_END', messageId: id },
      { type: 'REASONING_END', messageId: id },
      { type: 'TEXT_MESSAGE_START', messageId: 'm-1', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm-1', delta: 'Booked.' },
    ]);
    const shown = await expectShown(done(withEvents(log, events)).events);
    expect(shown.messages).toMatchObject([
      { id: 'u-1' },
      { id, role: 'reasoning', content: 'Flights first.\nThen hotels.' },
      { id: 'm-1', role: 'assistant', content: 'Booked.' },
    ]);
    expect(valueAtPath(shown.state, 'view', 'tasks', 'task-1', 'summary')).toBe('Booked.');
  });

  test('what a model thinks before a question is shown, and not in the explanation', async () => {
    const ask = gives('m-ask', [reasoning('They must choose.'), text('Which days?')]);
    const log = afterTurn(startLog(), status('input-required', ask));
    expect(textOf(log.p, 'reasoning:m-ask')).toBe('They must choose.');
    const paused = withEvents(log, pauseEvents(log.p, aPause({ explanation: 'Which days?' }), ctx));
    const shown = await expectShown(paused.events);
    expect(shown.messages.map(({ role }) => role)).toEqual(['user', 'reasoning', 'assistant', 'activity']);
    expect(shown.messages[2]).toMatchObject({ id: 'm-ask', content: 'Which days?' });
  });

  test('what a model thinks that is repeated adds nothing, with more text only that, with other text another reasoning message', () => {
    const say = (words: string): ReturnType<typeof status> => status('working', gives('m-1', [reasoning(words)]));
    const log = afterTurn(startLog(), say('One'), say('One more'));
    expect(textOf(log.p, id)).toBe('One more');
    expect(turnEvents(log.p, say('One more'), ctx)).toEqual([]);
    const other = afterTurn(log, say('Two'));
    expect(textOf(other.p, 'reasoning.2:m-1')).toBe('Two');
    expect(turnEvents(other.p, say('One more'), ctx)).toEqual([]);
  });

  test('what a model thinks in a snapshot is shown once', () => {
    const snapshot = aSnapshot({ message: thinking, history: [gives('m-0', [reasoning('Earlier')]), thinking] });
    const log = afterTurn(startLog(), snapshot);
    expect(log.p.messages.map((message) => message['id'])).toEqual(['u-1', 'reasoning:m-0', id, 'm-1']);
    expect(turnEvents(log.p, snapshot, ctx)).toEqual([]);
  });

  test('what a model thinks is completed, and closed, by the attempt after a crash', () => {
    const events = turnEvents(startLog().p, status('working', thinking), ctx);
    for (let cut = 0; cut <= events.length; cut++) {
      const log = withEvents(startLog(), events.slice(0, cut));
      const rebuilt = { events: log.events, p: reduceEvents(emptyProjection('t-1', 'r-1'), log.events) };
      const after = afterTurn(rebuilt, aSnapshot({ history: [thinking] }));
      expect([textOf(after.p, id), textOf(after.p, 'm-1')]).toEqual(['Flights first.\nThen hotels.', 'Booked.']);
      expect([after.p.openSpans, after.p.openReasoning]).toEqual([[], []]);
    }
  });

  test('what a model thinks under an id like a reserved one is shown under another', () => {
    const log = afterTurn(startLog(), status('working', gives('reasoning:x', [text('Hi')])));
    expect(textOf(log.p, 'message:reasoning:x')).toBe('Hi');
  });
});

describe('what an artifact thinks', () => {
  const artifactId = 'reasoning:a2a-1:a-1';
  const think = (words: string): ReturnType<typeof chunk> =>
    chunk(anArtifact('a-1', [reasoning(words)]), { append: true });

  test('what an artifact thinks is streamed, and ends when the answer begins', async () => {
    const open = afterTurn(startLog(), think('Let me'), think(' see.'));
    expect([textOf(open.p, artifactId), open.p.openReasoning]).toEqual(['Let me see.', [artifactId]]);
    const log = afterTurn(open, chunk(anArtifact('a-1', [text('It is 4.')]), { append: true }));
    expect(log.p.openReasoning).toEqual([]);
    expect(textOf(log.p, 'artifact:a2a-1:a-1')).toBe('It is 4.');
    const shown = await expectShown(done(log).events);
    expect(valueAtPath(shown.state, 'view', 'artifacts', 'a-1')).toBe('It is 4.');
  });

  test('what an artifact thinks goes on in the same message after the answer', () => {
    const log = afterTurn(startLog(), think('One.'), chunk(anArtifact('a-1', [data(1)])), think(' Two.'));
    expect(textOf(log.p, artifactId)).toBe('One. Two.');
  });

  test('what an artifact thinks comes to the same when it is read whole, and the newest one stays when it is replaced', async () => {
    const log = afterTurn(startLog(), think('One.'), chunk(anArtifact('a-1', [text('Answer')]), { append: true }));
    const whole = aSnapshot({ artifacts: [anArtifact('a-1', [reasoning('One.'), text('Answer')])] });
    expect(turnEvents(log.p, whole, ctx)).toEqual([]);
    const other = afterTurn(log, aSnapshot({ artifacts: [anArtifact('a-1', [reasoning('Again.'), text('Answer')])] }));
    const shown = await expectShown(done(other).events);
    expect(shown.messages.map((message) => message['id'])).toEqual([
      'u-1',
      'artifact:a2a-1:a-1',
      'reasoning.2:a2a-1:a-1',
    ]);
  });

  test('what an artifact thinks is open when the run pauses, and closed by that', async () => {
    const log = afterTurn(startLog(), think('Wait'), status('input-required'));
    await expectShown(withEvents(log, pauseEvents(log.p, aPause(), ctx)).events);
  });

  test('what an artifact thinks is followed to its end by a reader who comes in the middle', async () => {
    const reader = { threadId: 't-1', runId: 'r-9', protocol: '1.0', clientState: {}, clientMessages: [] };
    const running = afterTurn(startLog(), think('Let me'));
    const rest = done(afterTurn(running, think(' see.'))).events.slice(running.events.length);
    const events = [
      ...restateEvents(reader, running.p, null),
      ...followFrom(running.p),
      ...rest.flatMap((event) => relabel(event, reader)),
    ];
    const shown = await expectShown(events);
    expect(shown.messages.at(-1)).toMatchObject({ role: 'reasoning', content: 'Let me see.' });
    expect(typesOf(events)).toContain('REASONING_END');
  });
});
