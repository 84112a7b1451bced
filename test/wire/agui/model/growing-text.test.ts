import { describe, expect, test } from '@jest/globals';
import type { AguiEvent } from '../../../../src/contract/tasks/run.ts';
import type { AgentMessage, TurnEvent } from '../../../../src/contract/tasks/turn.ts';
import { endEvents } from '../../../../src/wire/agui/project/end.ts';
import { turnEvents } from '../../../../src/wire/agui/project/project.ts';
import { fc, runs } from '../../../rigs/properties.ts';
import { snapshot, someEvents } from '../random-turns.ts';
import { expectShown } from '../real-client.ts';
import {
  afterTurn,
  anArtifact,
  aSnapshot,
  chunk,
  ctx,
  data,
  gives,
  says,
  startLog,
  status,
  text,
  withEvents,
  type Log,
} from '../scene.ts';

const tokens = ['I ', 'look ', 'for ', 'flights ', 'to ', 'Rome', '.'];
const soFar = tokens.map((_, index) => tokens.slice(0, index + 1).join(''));
const whole = soFar.at(-1) ?? '';

const ends = (log: Log): Log => withEvents(log, endEvents(log.p, { kind: 'completed', message: '' }, ctx));
const played = (...turn: TurnEvent[]): Log => ends(afterTurn(startLog(), ...turn, status('completed')));
const typesOf = (events: readonly AguiEvent[]): string[] =>
  events.map(({ type }) => type).filter((type) => type.startsWith('TEXT_') || type.startsWith('TOOL_CALL'));
const summaries = (events: readonly AguiEvent[]): unknown[] =>
  events.flatMap((event) =>
    event.type === 'STATE_DELTA' && Array.isArray(event['delta'])
      ? event['delta'].filter((change) => JSON.stringify(change).includes('summary'))
      : [],
  );
const piece = (id: string, words: string): AgentMessage => ({ ...says(id, words), metadata: { adk_partial: true } });

const grows: [string, TurnEvent[]][] = [
  ['under its id', soFar.map((words) => status('working', says('m-1', words)))],
  ['under a new id each time', soFar.map((words, n) => status('working', says(`m-${n}`, words)))],
  ['in snapshots that are polled', soFar.map((words) => aSnapshot({ message: says('m-1', words) }))],
  ['in snapshots under new ids', soFar.map((words, n) => aSnapshot({ message: says(`m-${n}`, words) }))],
  [
    'by pieces, with the whole at the end',
    [...tokens.map((words, n) => status('working', piece(`p-${n}`, words))), status('working', says('m-1', whole))],
  ],
];

// Promise S7d
describe('a text that grows', () => {
  test.each(grows)('a text that grows %s is one message: begun once, ended once', async (_how, turn) => {
    const log = played(...turn);
    expect(typesOf(log.events)).toEqual([
      'TEXT_MESSAGE_START',
      ...tokens.map(() => 'TEXT_MESSAGE_CONTENT'),
      'TEXT_MESSAGE_END',
    ]);
    const { messages } = await expectShown(log.events);
    expect(messages.slice(1)).toMatchObject([{ role: 'assistant', content: whole }]);
  });

  test('a text that grows is the summary of its task once, when it has ended', () => {
    const turn = soFar.map((words, n) => status('working', says(`m-${n}`, words)));
    const log = played(...turn);
    expect(summaries(log.events).length).toBeLessThanOrEqual(2);
    expect(log.p.state).toMatchObject({ view: { tasks: { 'task-1': { summary: whole } } } });
    const next = afterTurn(startLog(), ...turn, status('working', says('other', 'And')));
    expect(next.p.state).toMatchObject({ view: { tasks: { 'task-1': { summary: whole } } } });
  });

  test('a text ends when another message, a call or an artifact begins', () => {
    const call = gives('m-2', [data({ type: 'tool-call', id: 'c-1', name: 'pay', arguments: {} })]);
    for (const next of [says('m-2', 'Other'), call]) {
      const log = afterTurn(startLog(), status('working', says('m-1', 'First')));
      expect(typesOf(turnEvents(log.p, status('working', next), ctx))[0]).toBe('TEXT_MESSAGE_END');
    }
    const log = afterTurn(startLog(), status('working', says('m-1', 'First')));
    expect(typesOf(turnEvents(log.p, chunk(anArtifact('a', [text('A')])), ctx))[0]).toBe('TEXT_MESSAGE_END');
  });

  test('a text that is written again instead of growing is a message of its own, which then grows', async () => {
    const log = played(
      status('working', says('m-1', 'Hello wor')),
      status('working', says('m-1', 'Good')),
      status('working', says('m-1', 'Good day')),
    );
    expect((await expectShown(log.events)).messages.slice(1)).toMatchObject([
      { id: 'm-1', content: 'Hello wor' },
      { id: 'm-1~2', content: 'Good day' },
    ]);
  });

  test('a text that grows after another message began is not begun again under its id', async () => {
    const log = played(
      status('working', says('m-1', 'One')),
      status('working', says('m-2', 'Two')),
      status('working', says('m-1', 'One and more')),
    );
    expect((await expectShown(log.events)).messages.slice(1)).toMatchObject([
      { id: 'm-1', content: 'One' },
      { id: 'm-2', content: 'Two' },
      { id: 'm-1~2', content: 'One and more' },
    ]);
  });

  test('pieces never go on with a text that is no piece', async () => {
    const log = played(
      status('working', says('m-1', 'First.')),
      status('working', piece('p-1', 'Sec')),
      status('working', piece('p-2', 'ond.')),
      status('working', says('m-2', 'Second.')),
      status('working', piece('p-3', 'Third.')),
    );
    expect((await expectShown(log.events)).messages.slice(1)).toMatchObject([
      { content: 'First.' },
      { content: 'Second.' },
      { content: 'Third.' },
    ]);
  });

  test('no message is begun twice in a run, whatever the agent sends', () => {
    fc.assert(
      fc.property(fc.oneof(someEvents, fc.array(snapshot, { maxLength: 6 })), (turn) => {
        const { events } = played(...turn);
        const begun = events.flatMap(({ type, messageId }) =>
          // An artifact that goes on after its last chunk contradicts itself.
          type === 'TEXT_MESSAGE_START' && !String(messageId).startsWith('artifact') ? [messageId] : [],
        );
        expect(begun).toEqual([...new Set(begun)]);
      }),
      { numRuns: runs(1000) },
    );
  });
});
