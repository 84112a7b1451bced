import { describe, expect, test } from '@jest/globals';
import type { AguiEvent } from '../../../../src/contract/tasks/run.ts';
import type { Json } from '../../../../src/contract/base/json.ts';
import { binaryMediaType, encodeBinaryFrame } from '../../../../src/wire/agui/project/event-frames.ts';
import { endEvents } from '../../../../src/wire/agui/project/end.ts';
import { pauseEvents, stepEvents } from '../../../../src/wire/agui/project/pause.ts';
import { received } from '../real-client.ts';
import {
  aDecision,
  afterTurn,
  anArtifact,
  aPause,
  aToolHold,
  chunk,
  ctx,
  data,
  file,
  gives,
  nextLog,
  startLog,
  status,
  text,
  reasoning,
  valueAtPath,
  withEvents,
} from '../scene.ts';

/** A run that asks, and the one that carries the answer and ends: every kind of event that we write. */
function everyKind(): AguiEvent[] {
  const hold = aToolHold();
  const parts = [reasoning('Hm'), text('Hi €😀'), file(), data({ surfaceUpdate: { surfaceId: 's' } })];
  const working = afterTurn(
    startLog({ clientState: { none: null, n: 1.5, 'a/b~': [] }, parentRunId: 'r-0' }),
    status('working', gives('m-1', parts)),
    chunk(anArtifact('a-1', [data({ n: 1 })])),
    chunk(anArtifact('a-1', [data(2)]), { append: true }),
  );
  const stepped = withEvents(working, stepEvents(working.p, hold, { at: ctx.now, do: 'remind', to: [] }, ctx));
  const paused = withEvents(stepped, pauseEvents(stepped.p, aPause({ holds: [hold] }), ctx));
  const decision = aDecision({ values: { approved: true } });
  const resumed = nextLog(paused, {
    answered: [{ ...hold, decision }],
    skipped: [{ interruptId: 'x', code: 'hold_closed' }],
  });
  const cancelled = endEvents(resumed.p, { kind: 'canceled', message: '' }, ctx);
  const failed = endEvents(resumed.p, { kind: 'failed', code: 'agent_failed', message: 'It broke' }, ctx);
  return [...paused.events, ...resumed.events, ...cancelled, ...resumed.events, ...failed];
}

/** Protobuf cannot tell an absent list from an empty one. */
function withoutEmptyResume(event: Json): Json {
  const input = valueAtPath(event, 'input');
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return event;
  expect(input['resume']).toEqual([]);
  const { resume: _none, ...rest } = input;
  return typeof event === 'object' && event !== null && !Array.isArray(event) ? { ...event, input: rest } : event;
}

describe('a binary frame', () => {
  test('a binary frame holds every kind of event that we write, and a client reads the same out of it', async () => {
    const events = everyKind();
    expect([...new Set(events.map(({ type }) => type))].toSorted()).toEqual([
      'ACTIVITY_DELTA',
      'ACTIVITY_SNAPSHOT',
      'CUSTOM',
      'MESSAGES_SNAPSHOT',
      'REASONING_END',
      'REASONING_MESSAGE_CONTENT',
      'REASONING_MESSAGE_END',
      'REASONING_MESSAGE_START',
      'REASONING_START',
      'RUN_ERROR',
      'RUN_FINISHED',
      'RUN_STARTED',
      'STATE_DELTA',
      'STATE_SNAPSHOT',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'TEXT_MESSAGE_START',
      'TOOL_CALL_ARGS',
      'TOOL_CALL_END',
      'TOOL_CALL_RESULT',
      'TOOL_CALL_START',
    ]);
    const [fromBinary, fromSse] = [await received(events, 'binary'), await received(events, 'sse')];
    expect(fromBinary.map(withoutEmptyResume)).toEqual(fromSse);
  });

  test('a binary frame begins with its length', () => {
    const frame = encodeBinaryFrame({ type: 'TEXT_MESSAGE_END', messageId: 'm' });
    expect(new DataView(frame.buffer, frame.byteOffset).getUint32(0, false)).toBe(frame.length - 4);
  });

  test('a binary frame has a content type that clients know by this spelling only', () => {
    expect(binaryMediaType).toBe('application/vnd.ag-ui.event+proto');
  });
});
