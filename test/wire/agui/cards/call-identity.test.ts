// Agents use the ids of their calls again: what tells two calls apart is the task, message and part that sent them.
import { describe, expect, test } from '@jest/globals';
import type { Hold } from '../../../../src/contract/holds/hold.ts';
import type { Question } from '../../../../src/contract/holds/question.ts';
import type { JsonObject } from '../../../../src/contract/base/json.ts';
import type { TurnEvent } from '../../../../src/contract/tasks/turn.ts';
import { withDecisionRequired, yesOf } from '../../../../src/core/consent/verdict.ts';
import { offerOf } from '../../../../src/core/questions/surface-question.ts';
import { isUnknownCall } from '../../../../src/core/consent/known.ts';
import { withKnownCalls } from '../../../../src/wire/agui/cards/known-call.ts';
import { turnEvents } from '../../../../src/wire/agui/project/project.ts';
import type { ProjectContext } from '../../../../src/wire/agui/model/draft.ts';
import { pauseEvents } from '../../../../src/wire/agui/project/pause.ts';
import { createSchemaRunner } from '../../../../src/host/schema/schema-runner.ts';
import { expectShown } from '../real-client.ts';
import {
  aDecision,
  afterTurn,
  aPause,
  aSnapshot,
  aToolHold,
  ctx,
  data,
  gives,
  nextLog,
  startLog,
  status,
  valueAtPath,
  withEvents,
  type Log,
} from '../scene.ts';

const pays = (amount: number, id = 'pay:0'): ReturnType<typeof data> =>
  data({ type: 'tool-call', id, name: 'pay', arguments: { amount } });
const paid = (receipt: string, id = 'pay:0'): ReturnType<typeof data> =>
  data({ type: 'tool-result', toolCallId: id, payload: { receipt } });
const sent = (messageId: string, ...parts: ReturnType<typeof data>[]): TurnEvent =>
  status('working', gives(messageId, parts));
const shownIn = (log: Log): unknown[][] =>
  log.events.flatMap((event) =>
    event.type === 'TOOL_CALL_START'
      ? [['call', event['toolCallId'], event['toolCallName']]]
      : event.type === 'TOOL_CALL_RESULT'
        ? [['result', event['toolCallId'], event['content']]]
        : [],
  );

describe('a call under an id that was used before', () => {
  // Promise Y21
  test('a call that is sent in another message than one with a result is another call, though id, tool and arguments are the same', async () => {
    const log = afterTurn(
      startLog(),
      sent('m-1', pays(42)),
      sent('m-2', paid('1')),
      sent('m-3', pays(42)),
      sent('m-4', paid('2')),
    );
    expect(shownIn(log)).toEqual([
      ['call', 'pay:0', 'pay'],
      ['result', 'pay:0', '{"receipt":"1"}'],
      ['call', 'pay:0~2', 'pay'],
      ['result', 'pay:0~2', '{"receipt":"2"}'],
    ]);
    await expectShown(log.events);
  });

  // Promise Y21
  test('a call under the message id of a call in an earlier task is another call', () => {
    const first = afterTurn(startLog(), sent('m-1', pays(42), paid('1')));
    const later: ProjectContext = { ...ctx, taskId: 'task-2' };
    const log = nextLog(first, { task: { a2aTaskId: null, contextId: null, status: 'IN_PROGRESS' } }, later);
    const again = { ...sent('m-1', pays(42), paid('2')), a2aTaskId: 'a2a-2' } as TurnEvent;
    const events = turnEvents(log.p, again, later);
    expect(shownIn({ ...log, events })).toEqual([
      ['call', 'pay:0~2', 'pay'],
      ['result', 'pay:0~2', '{"receipt":"2"}'],
    ]);
  });

  // Promise Y22
  test('a call that its agent sends once more before its result, or in the same message again, is the same call', () => {
    const events = [sent('m-1', pays(42)), sent('m-2', pays(42)), sent('m-3', paid('1')), sent('m-1', pays(42))];
    expect(shownIn(afterTurn(startLog(), ...events))).toEqual([
      ['call', 'pay:0', 'pay'],
      ['result', 'pay:0', '{"receipt":"1"}'],
    ]);
  });

  // Promise Y22
  test('a call that was sent once more as it was carried out is not another one where its task is read whole', () => {
    const approved: Hold = { ...aToolHold({ tool: { callId: 'pay:0', name: 'pay', args: { amount: 42 } } }) };
    const asked = afterTurn(startLog(), sent('m-1', pays(42)));
    const paused = withEvents(asked, pauseEvents(asked.p, aPause({ holds: [approved] }), ctx));
    const decision = aDecision({ values: { approved: true } });
    const resumed = nextLog(paused, { answered: [{ ...approved, status: 'decided', decision }] });
    const done = afterTurn(resumed, sent('m-5', pays(42)), sent('m-6', paid('1')));
    const history = [gives('m-1', [pays(42)]), gives('m-5', [pays(42)]), gives('m-6', [paid('1')])];
    expect(shownIn(afterTurn(done, aSnapshot({ history }))).filter(([kind]) => kind === 'call')).toEqual([]);
  });

  // Promise Y23
  test('a result beyond those of the calls that were sent is a call of its own, by the name of its id', () => {
    const log = afterTurn(startLog(), sent('m-1', pays(42)), sent('m-2', paid('1')), sent('m-3', paid('2')));
    expect(shownIn(log).slice(2)).toEqual([
      ['call', 'pay:0~2', 'pay'],
      ['result', 'pay:0~2', '{"receipt":"2"}'],
    ]);
    expect(shownIn(afterTurn(log, sent('m-3', paid('2')))).length).toBe(4);
  });
});

const asked = (tool: Partial<NonNullable<Question['tool']>> = {}): Question =>
  withDecisionRequired(aToolHold({ tool: { callId: 'pay:0', name: '', args: {}, ...tool } }).question);

describe('a question about a call that its agent sent nowhere', () => {
  test('a question under an id that was used before is about the call that waits, not about the one with a result', () => {
    const log = afterTurn(startLog(), sent('m-1', pays(42)), sent('m-2', paid('1')), sent('m-3', pays(5000)));
    const [question] = withKnownCalls(log.p, [asked()]);
    expect(question?.tool).toMatchObject({ name: 'pay', args: { amount: 5000 } });
    if (question === undefined) throw new Error('there is one question');
    const events = pauseEvents(log.p, aPause({ holds: [{ ...aToolHold(), question }] }), ctx);
    expect(valueAtPath(events.at(-1) ?? {}, 'outcome', 'interrupts')).toMatchObject([{ toolCallId: 'pay:0~2' }]);
  });

  test('a question that names its tool and no arguments has those of the call that waits', () => {
    const [question] = withKnownCalls(afterTurn(startLog(), sent('m-1', pays(9))).p, [asked({ name: 'pay' })]);
    expect(question?.tool).toMatchObject({ name: 'pay', args: { amount: 9 } });
  });

  const answers: [string, JsonObject][] = [
    ['a yes', { approved: true }],
    ['a yes with arguments', { approved: true, editedArgs: { amount: 1 } }],
  ];
  // Promise Y24
  test.each(answers)(
    'a question about a call that was sent nowhere takes a refusal, and never %s',
    async (_what, yes) => {
      const [question] = withKnownCalls(startLog().p, [asked()]);
      if (question === undefined) throw new Error('there is one question');
      expect(isUnknownCall(question)).toBe(true);
      expect(question.message).toContain('did not say which tool that is');
      const schemas = createSchemaRunner();
      try {
        expect((await schemas.check(question.schema, yes)).ok).toBe(false);
        expect((await schemas.check(question.schema, { approved: false })).ok).toBe(true);
      } finally {
        await schemas.close();
      }
      expect(yesOf(question)).toBeNull();
      const hold = { ...aToolHold(), question, artifacts: [], attachments: [] };
      const limits = { title: 200, message: 5000, args: 5000, fields: 10, choices: 10 };
      expect(offerOf(hold, limits)).toEqual({ kind: 'page' });
    },
  );
});
