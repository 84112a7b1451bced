// The tool calls of agents on ADK, as both of its executors tell them, in the order in which they were seen on the wire.
import { StreamResponse, Task } from '@a2a-js/sdk';
import { describe, expect, test } from '@jest/globals';
import type { AguiEvent } from '../../../src/contract/tasks/run.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { TurnEvent } from '../../../src/contract/tasks/turn.ts';
import { readStreamResponse, readTask } from '../../../src/wire/a2a/dialects/read-event.ts';
import { endEvents } from '../../../src/wire/agui/project/end.ts';
import { pauseEvents } from '../../../src/wire/agui/project/pause.ts';
import { turnEvents } from '../../../src/wire/agui/project/project.ts';
import { expectShown } from './real-client.ts';
import {
  afterTurn,
  aDecision,
  aPause,
  aToolHold,
  ctx,
  nextLog,
  startLog,
  typesOf,
  withEvents,
  type Log,
} from './scene.ts';

const ids = { taskId: 'a2a-1', contextId: 'c-1' };
const called = (name: string, args: JsonObject = {}, id = 'adk-1', more: JsonObject = {}): JsonObject => ({
  data: { id, name, args },
  metadata: { adk_type: 'function_call', ...more },
});
const responded = (name: string, response: JsonObject, id = 'adk-1'): JsonObject => ({
  data: { id, name, response },
  metadata: { adk_type: 'function_response' },
});
const asks = { requestedToolConfirmations: { 'adk-1': { hint: '' } } };
const confirmation = called(
  'adk_request_confirmation',
  { originalFunctionCall: { id: 'adk-1', name: 'delete_file', args: { path: '/x' } } },
  'adk-2',
  { adk_is_long_running: true },
);
const waits = { error: 'This tool call requires confirmation, please approve or reject.' };

type Says = (parts: JsonObject[], about?: JsonObject) => TurnEvent;

/** The executor that the extension activates: each event is an artifact, what it means is in the artifact. */
const inArtifacts = (): Says => {
  let count = 0;
  return (parts, about = {}) => {
    count += 1;
    const artifact = { artifactId: `art-${count}`, parts, metadata: { adk_actions: about } };
    return readStreamResponse(StreamResponse.fromJSON({ artifactUpdate: { ...ids, artifact, lastChunk: true } }));
  };
};

/** The older one: each event is a status, with its meaning in the metadata. */
const inStatuses = (): Says => {
  let count = 0;
  return (parts, about = {}) => {
    count += 1;
    const message = { messageId: `m-${count}`, role: 'ROLE_AGENT', parts };
    const status = { state: 'TASK_STATE_WORKING', message };
    return readStreamResponse(
      StreamResponse.fromJSON({ statusUpdate: { ...ids, status, metadata: { adk_actions: about } } }),
    );
  };
};

const toolsOf = (events: readonly AguiEvent[]): unknown[] =>
  events
    .filter(({ type }) => type.startsWith('TOOL_CALL'))
    .map((event) => [event.type.slice('TOOL_CALL_'.length), event['toolCallId'], event['delta'] ?? event['content']]);
const hold = aToolHold({ tool: { callId: 'adk-1', name: 'delete_file', args: { path: '/x' } } });
const paused = (log: Log): Log => withEvents(log, pauseEvents(log.p, aPause({ holds: [hold] }), ctx));
const ended = (log: Log): Log => withEvents(log, endEvents(log.p, { kind: 'completed', message: '' }, ctx));

describe.each<[string, () => Says]>([
  ['in artifacts', inArtifacts],
  ['in statuses', inStatuses],
])('a tool call that an ADK agent tells %s', (_where, sayer) => {
  test('a tool call of an ADK agent is shown with its result, and nothing of it is in the state', async () => {
    const says = sayer();
    const log = ended(
      afterTurn(startLog(), says([called('look_up', { city: 'Rome' })]), says([responded('look_up', { people: 3 })])),
    );
    expect(toolsOf(log.events)).toEqual([
      ['START', 'adk-1', undefined],
      ['ARGS', 'adk-1', '{"city":"Rome"}'],
      ['END', 'adk-1', undefined],
      ['RESULT', 'adk-1', '{"people":3}'],
    ]);
    const shown = await expectShown(log.events);
    expect(JSON.stringify(shown.state)).not.toContain('look_up');
    expect(typesOf(log.events)).not.toContain('CUSTOM');
  });

  test('a tool call of an ADK agent that waits for somebody has no result before it is decided, and the hold is about that very call', async () => {
    const says = sayer();
    const asked = paused(
      afterTurn(
        startLog(),
        says([called('delete_file', { path: '/x' })]),
        says([confirmation]),
        says([responded('delete_file', { status: 'a tool’s own words' })], asks),
      ),
    );
    expect(toolsOf(asked.events).map((one) => (one as unknown[])[0])).toEqual(['START', 'ARGS', 'END']);
    const interrupts = asked.events.at(-1)?.['outcome'];
    expect(interrupts).toMatchObject({ interrupts: [{ reason: 'tool_call', toolCallId: 'adk-1' }] });
    const decision = aDecision({ values: { approved: true } });
    const next = nextLog(asked, { answered: [{ ...hold, status: 'decided', decision }] });
    const log = ended(afterTurn(next, says([responded('delete_file', { deleted: '/x' })])));
    expect(toolsOf(log.events)).toEqual([['RESULT', 'adk-1', '{"deleted":"/x"}']]);
    await expectShown(asked.events);
  });

  test('a tool call of an ADK agent is announced once, however often the agent repeats it', () => {
    const says = sayer();
    const events = [says([called('look_up')]), says([responded('look_up', { people: 3 })])];
    const log = afterTurn(startLog(), ...events);
    for (const event of events) expect(toolsOf(turnEvents(log.p, event, ctx))).toEqual([]);
  });

  test('a tool call by which ADK itself asks, or that waits for its result, is announced by its hold alone', () => {
    const says = sayer();
    const log = afterTurn(
      startLog(),
      says([confirmation]),
      says([called('adk_request_credential', { authConfig: { clientSecret: 's3cret' } }, 'adk-9')]),
      says([called('pay', { amount: 5 }, 'adk-3', { adk_is_long_running: true })]),
      says([responded('pay', { ticket: 'T-7' }, 'adk-3')]),
      says([responded('adk_request_credential', { token: 's3cret' }, 'adk-9')]),
    );
    expect(toolsOf(log.events)).toEqual([]);
    expect(JSON.stringify([log.p.state, log.p.attachments])).not.toMatch(/s3cret|T-7/);
  });

  test('a tool call whose ADK agent does not say that it waits is known by ADK’s own words', () => {
    const says = sayer();
    const log = afterTurn(startLog(), says([called('delete_file')]), says([responded('delete_file', waits)]));
    expect(toolsOf(log.events).map((one) => (one as unknown[])[0])).not.toContain('RESULT');
  });
});

test('a task that is read whole tells which responses were not the last', () => {
  const message = (messageId: string, parts: JsonObject[]): JsonObject => ({ messageId, role: 'ROLE_AGENT', parts });
  const history = [
    message('m-1', [called('delete_file', { path: '/x' })]),
    message('m-2', [confirmation]),
    message('m-3', [responded('delete_file', { status: 'waiting' })]),
    message('m-4', [responded('delete_file', { deleted: '/x' })]),
  ];
  const read = (count: number): TurnEvent =>
    readTask(
      Task.fromJSON({
        id: 'a2a-1',
        contextId: 'c-1',
        status: { state: 'TASK_STATE_WORKING' },
        history: history.slice(0, count),
      }),
    );
  expect(toolsOf(afterTurn(startLog(), read(3)).events)).toHaveLength(3);
  expect(toolsOf(afterTurn(startLog(), read(4)).events).at(-1)).toEqual(['RESULT', 'adk-1', '{"deleted":"/x"}']);
});

describe('words that ADK’s older executor says in a status and again in an artifact of one event', () => {
  const about = { adk_event_id: 'e-1', adk_app_name: 'desk' };
  const parts = [{ text: 'Hello you' }];
  const message = { messageId: 'm-1', role: 'ROLE_AGENT', parts };
  const turnOf = (metadata: JsonObject): TurnEvent[] => [
    readStreamResponse(
      StreamResponse.fromJSON({ statusUpdate: { ...ids, status: { state: 'TASK_STATE_WORKING', message }, metadata } }),
    ),
    readStreamResponse(
      StreamResponse.fromJSON({
        artifactUpdate: { ...ids, artifact: { artifactId: 'a-1', parts }, lastChunk: true, metadata },
      }),
    ),
  ];
  const snapshot = readTask(
    Task.fromJSON({
      id: 'a2a-1',
      contextId: 'c-1',
      status: { state: 'TASK_STATE_COMPLETED' },
      history: [message],
      artifacts: [{ artifactId: 'a-1', parts }],
      metadata: about,
    }),
  );
  const textsIn = (log: Log): unknown[] =>
    log.events.filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT').map(({ delta }) => delta);

  test.each([
    ['as they stream', turnOf(about)],
    ['in a snapshot', [snapshot]],
    ['in both', [...turnOf(about), snapshot]],
  ])(
    'words that ADK’s older executor says in a status and again in an artifact of one event are emitted once, %s, and are in the state',
    async (_how, events) => {
      const log = ended(afterTurn(startLog(), ...events));
      expect(textsIn(log)).toEqual(['Hello you']);
      const shown = await expectShown(log.events);
      expect(shown.state).toMatchObject({ view: { artifacts: { 'a-1': 'Hello you' } } });
    },
  );

  test('words that ADK’s older executor says in a status and again in an artifact of one event are emitted where only the artifact has them', () => {
    expect(textsIn(afterTurn(startLog(), ...turnOf(about).slice(1)))).toEqual(['Hello you']);
  });

  test('words that ADK’s older executor says in a status and again in an artifact of one event are shown once for other agents too', () => {
    expect(textsIn(afterTurn(startLog(), ...turnOf({})))).toEqual(['Hello you']);
  });
});
