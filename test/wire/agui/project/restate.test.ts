import { describe, expect, test } from '@jest/globals';
import { endEvents } from '../../../../src/wire/agui/project/end.ts';
import { pauseEvents } from '../../../../src/wire/agui/project/pause.ts';
import { followFrom, relabel, restateEvents, type Reader } from '../../../../src/wire/agui/project/restate.ts';
import { expectShown } from '../real-client.ts';
import {
  afterTurn,
  anArtifact,
  aPause,
  chunk,
  ctx,
  says,
  startLog,
  status,
  text,
  typesOf,
  withEvents,
} from '../scene.ts';

const reader = (change: Partial<Reader> = {}): Reader => ({
  threadId: 't-1',
  runId: 'r-9',
  protocol: '1.0',
  clientState: { theme: 'dark' },
  clientMessages: [],
  ...change,
});

describe('a restatement', () => {
  test('a restatement gives a front end that was reloaded the open question, its card and the whole conversation back', async () => {
    const log = startLog();
    const held = withEvents(log, pauseEvents(log.p, aPause(), ctx));
    const interrupts = [{ id: 'hitl-a2a-1-1', reason: 'input_required' }];
    const events = restateEvents(reader(), held.p, { type: 'interrupt', interrupts });
    expect(typesOf(events)).toEqual(['RUN_STARTED', 'STATE_SNAPSHOT', 'MESSAGES_SNAPSHOT', 'RUN_FINISHED']);
    const shown = await expectShown(events, [], { theme: 'dark' });
    expect(shown.messages.map((message) => message['id'])).toEqual(['u-1', 'm-ask', 'hitl-a2a-1-1']);
    expect(shown.state).toEqual({ ...held.p.state, theme: 'dark' });
    expect(shown.pending).toEqual(interrupts);
  });

  test('a restatement keeps messages that only this client has', async () => {
    const own = { id: 'sys', role: 'system', content: 'Be brief' };
    const events = restateEvents(reader({ clientMessages: [own] }), startLog().p, { type: 'success' });
    const shown = await expectShown(events, [own]);
    expect(shown.messages.map((message) => message['id'])).toEqual(['sys', 'u-1']);
  });

  // Promise CO2
  test.each([
    {
      outcome: { type: 'cancelled' as const, result: { status: 'CANCELED' } },
      protocol: '1.0',
      last: { outcome: { type: 'cancelled' } },
    },
    { outcome: { type: 'cancelled' as const }, protocol: undefined, last: { outcome: { type: 'success' } } },
    {
      outcome: { type: 'interrupt' as const, interrupts: [] },
      protocol: '1.0',
      last: { outcome: { type: 'success' } },
    },
    {
      outcome: { type: 'error' as const, code: 'hold_expired', message: 'Late' },
      protocol: '1.0',
      last: { type: 'RUN_ERROR' },
    },
  ])('a restatement ends as recorded: $outcome', async ({ outcome, protocol, last }) => {
    const events = restateEvents(reader({ protocol }), startLog().p, outcome);
    expect(events.at(-1)).toMatchObject(last);
    await expectShown(events);
  });

  test('a restatement of a running log is followed to its end under the own run id, with the own state', async () => {
    const running = afterTurn(
      startLog({ clientState: { theme: 'light' } }),
      status('working', says('m-1', 'Hi')),
      chunk(anArtifact('a-1', [text('Hel')])),
    );
    const later = afterTurn(running, chunk(anArtifact('a-1', [text('lo')]), { append: true }), status('completed'));
    const ended = withEvents(later, endEvents(later.p, { kind: 'completed', message: '' }, ctx));
    const rest = ended.events.slice(running.events.length);
    const events = [
      ...restateEvents(reader(), running.p, null),
      ...followFrom(running.p),
      ...rest.flatMap((event) => relabel(event, reader())),
    ];
    const shown = await expectShown(events, [], { theme: 'dark' });
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', runId: 'r-9' });
    expect(shown.messages.map((message) => message['content'])).toEqual(['Book it', 'Hi', 'Hello']);
    expect(shown.state).toEqual({ ...ended.p.state, theme: 'dark' });
  });
});
