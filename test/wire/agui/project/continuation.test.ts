// After an answer some agents go on from a checkpoint, and others play their turn again from its beginning.
import { describe, expect, test } from '@jest/globals';
import type { AguiEvent } from '../../../../src/contract/tasks/run.ts';
import type { AgentMessage, TurnEvent } from '../../../../src/contract/tasks/turn.ts';
import { endEvents } from '../../../../src/wire/agui/project/end.ts';
import { pauseEvents } from '../../../../src/wire/agui/project/pause.ts';
import { expectShown } from '../real-client.ts';
import {
  aDecision,
  aHold,
  afterTurn,
  anArtifact,
  aPause,
  aSnapshot,
  chunk,
  ctx,
  data,
  gives,
  nextLog,
  says,
  startLog,
  status,
  text,
  withEvents,
  type Log,
} from '../scene.ts';

const call = (id: string): AgentMessage =>
  gives(`m-${id}`, [
    data({ type: 'tool-call', id, name: 'quote', arguments: { to: 'Rome' } }),
    data({ type: 'tool-result', toolCallId: id, payload: { eur: 120 } }),
  ]);

/** Before the question: a text, a tool call with its result, an artifact of text and one of data. */
const before: TurnEvent[] = [
  status('working', says('m-1', 'I look for flights.')),
  status('working', call('quote-1')),
  chunk(anArtifact('plan', [text('Rome, two days')]), { lastChunk: true }),
  chunk(anArtifact('offer', [data({ eur: 120 })]), { lastChunk: true }),
];
const asked = says('m-ask', 'Please confirm the trip.');
/** After the answer. */
const after: TurnEvent[] = [
  status('working', says('m-2', 'I book it.')),
  chunk(anArtifact('ticket', [text('R-77')]), { lastChunk: true }),
  status('completed', says('m-3', 'Booked.')),
];

function answeredRun(): Log {
  const log = afterTurn(startLog(), ...before, status('input-required', asked));
  const paused = withEvents(log, pauseEvents(log.p, aPause(), ctx));
  const answered = [aHold({ status: 'decided', decision: aDecision({ values: { days: 2 } }) })];
  return nextLog(paused, { answered });
}

const ends = (log: Log): Log => withEvents(log, endEvents(log.p, { kind: 'completed', message: 'Booked.' }, ctx));

const history = [says('m-1', 'I look for flights.'), call('quote-1'), asked, says('m-2', 'I book it.')];
const artifacts = [
  anArtifact('plan', [text('Rome, two days')]),
  anArtifact('offer', [data({ eur: 120 })]),
  anArtifact('ticket', [text('R-77')]),
];

const continuations: [string, TurnEvent[]][] = [
  ['plays its turn again from the beginning, under the same ids', [...before, ...after]],
  [
    'sends the whole task first, with the history so far',
    [aSnapshot({ history: history.slice(0, 3), artifacts: artifacts.slice(0, 2) }), ...after],
  ],
  ['sends each event twice', after.flatMap((event) => [event, event])],
  [
    'is read as a whole at the end',
    [...after, aSnapshot({ state: 'completed', message: says('m-3', 'Booked.'), history, artifacts })],
  ],
];

/**
 * The events but for the changes of the task's entry on the way: an agent that plays its turn again reports that it works
 * earlier, with an older summary. The entry that the run ends with is in the snapshot, which is compared.
 */
function observed(events: AguiEvent[]): AguiEvent[] {
  return events.flatMap((event) => {
    if (event.type !== 'STATE_DELTA') return [event];
    const changes = Array.isArray(event['delta']) ? event['delta'] : [];
    const delta = changes.filter((change) => !String(Object(change)['path']).startsWith('/view/tasks/'));
    return delta.length === 0 ? [] : [{ ...event, delta }];
  });
}

describe('the run of a resume', () => {
  const fromCheckpoint = observed(ends(afterTurn(answeredRun(), ...after)).events);

  // Promise S7c
  test.each(continuations)(
    'the run of a resume is that of an agent that goes on from a checkpoint where the agent %s',
    (_how, turn) => {
      expect(observed(ends(afterTurn(answeredRun(), ...turn)).events)).toEqual(fromCheckpoint);
    },
  );

  // Promise S7c
  test('the run of a resume leaves a front end with each text, call and artifact once', async () => {
    const shown = await expectShown(ends(afterTurn(answeredRun(), ...before, ...after)).events);
    const texts = shown.messages.map(({ content }) => content).filter((content) => typeof content === 'string');
    expect(texts.toSorted()).toEqual([...new Set(texts)].toSorted());
    expect(texts).toEqual(expect.arrayContaining(['I look for flights.', 'I book it.', 'Booked.', 'R-77']));
  });
});
