// Questions that programs ask people without an A2A task of their own.
import { describe, expect, test } from '@jest/globals';
import type { Question } from '../../../src/contract/holds/question.ts';
import type { Hold } from '../../../src/contract/holds/hold.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { OpeningRun } from '../../../src/contract/tasks/run.ts';
import { askAgent, askDialect } from '../../../src/core/base/ids.ts';
import { questionOfAsk, questionOfToolCall } from '../../../src/core/questions/ask.ts';
import { newTask, reduce } from '../../../src/core/task/task.ts';
import type { Outcome, TaskEvent, TaskState } from '../../../src/core/task/task-state.ts';
import {
  type HoldOverrides,
  aDecideCommand,
  aRunCommand,
  aRunSource,
  after,
  aHold,
  anAnswer,
  aPrincipal,
  aRefusal,
  aTask,
  aWord,
  openedAt,
  owner,
  taskId,
} from '../../rigs/factories.ts';
import { fc, runs } from '../../rigs/properties.ts';

const plain = { question: 'Which colour?', title: null, schema: null, defaults: {} };

function read(over: Partial<Parameters<typeof questionOfAsk>[0]> = {}): Question {
  const asked = questionOfAsk({ ...plain, ...over });
  if (!asked.ok) throw new Error(asked.why);
  return asked.question;
}

const anAskRun = (questions = [read()], fingerprint = 'print:run-1', runId = 'run-1'): OpeningRun => ({
  ...aRunSource({ runId, fingerprint }),
  kind: 'ask',
  questions,
});
const objectOf = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

describe('a question of a program', () => {
  test('a question of a program without a schema asks for a text', () => {
    expect(read()).toMatchObject({ kind: 'text', title: 'Which colour?', schema: { required: ['text'] } });
  });

  test('a question of a program with a schema is a form, and with one yes/no field a confirmation', () => {
    expect(read({ schema: objectOf({ colour: { type: 'string' } }) }).kind).toBe('form');
    expect(read({ schema: objectOf({ go: { type: 'boolean' } }) }).kind).toBe('confirmation');
    expect(read({ schema: objectOf({ go: { type: 'boolean' }, why: { type: 'string' } }) }).kind).toBe('form');
  });

  test('a question of a program is titled by its first words, in one line of at most 200 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 500 }), (question) => {
        const { title, message } = read({ question });
        expect(Array.from(title).length).toBeLessThanOrEqual(200);
        expect(title).not.toMatch(/[\r\n]/);
        expect(message).toBe(question);
      }),
      { numRuns: runs(40) },
    );
    expect(read({ question: 'one\ntwo' }).title).toBe('one two');
    expect(read({ title: 'Mine' }).title).toBe('Mine');
  });

  test('a question of a program with a schema that is none, or is too much, says why it is refused', () => {
    for (const schema of [{ type: 'string' }, objectOf({ a: { pattern: 'x'.repeat(200_000) } })]) {
      expect(questionOfAsk({ ...plain, schema })).toMatchObject({ ok: false, why: expect.stringMatching(/^schema: /) });
    }
  });

  test('a question of a program may not ask for a secret, wherever in the schema it hides: the answer goes back in clear', () => {
    const hidden: JsonObject[] = [
      objectOf({ key: { type: 'string', format: 'password' } }),
      objectOf({ key: { type: 'string', writeOnly: true } }),
      objectOf({ login: objectOf({ key: { type: 'string', format: 'password' } }) }),
      objectOf({ keys: { type: 'array', items: { type: 'string', format: 'password' } } }),
      { type: 'object', properties: {}, allOf: [objectOf({ key: { type: 'string', writeOnly: true } })] },
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/k' } },
        $defs: { k: { type: 'string', format: 'password' } },
      },
    ];
    for (const schema of hidden) {
      expect(questionOfAsk({ ...plain, schema })).toMatchObject({ ok: false, why: expect.stringContaining('secret') });
    }
  });
});

describe('a tool call that a program asks about', () => {
  const call = { name: 'drop_table', args: { table: 'users' }, why: 'It is empty.', isEditable: false };

  test('a tool call that a program asks about shows its name, its arguments and why', () => {
    expect(questionOfToolCall(call, 'c-1')).toMatchObject({
      kind: 'tool_call',
      title: 'Approve drop_table?',
      message: 'It is empty.',
      tool: { callId: 'c-1', name: 'drop_table', args: { table: 'users' }, isEditable: false },
      defaults: {},
    });
  });

  test('a tool call that a program asks about offers its arguments for editing only where the program says so', () => {
    const fields = (question: Question): string[] => Object.keys(question.schema['properties'] ?? {});
    expect(fields(questionOfToolCall(call, 'c-1'))).toEqual(['approved', 'reason']);
    const editable = questionOfToolCall({ ...call, isEditable: true }, 'c-1');
    expect(fields(editable)).toEqual(['approved', 'reason', 'editedArgs']);
    expect(editable.defaults).toEqual({ editedArgs: { table: 'users' } });
  });
});

/** A task of a question alone, before its opening run is admitted. */
function aNewAsk(): TaskState {
  return newTask({
    version: 1,
    taskId,
    agent: askAgent,
    threadId: 'q-1',
    owner,
    opening: anAskRun(),
    contextId: null,
    publicUrl: 'http://127.0.0.1:8600',
    limits: { silenceMs: null, totalMs: null },
    restartOf: null,
  });
}
const opening = (): Outcome => reduce(aNewAsk(), { type: 'run', command: anAskRun() }, openedAt);

/** Its question is open. */
function asking(over: HoldOverrides = {}): { state: TaskState; hold: Hold } {
  const hold = aHold({ question: read(), canRefuse: true, ...over });
  return { state: reduce(opening().state, { type: 'holds.opened', holds: [hold] }, openedAt).state, hold };
}
const then = (state: TaskState, event: TaskEvent, now = after('2m')): Outcome => reduce(state, event, now);

describe('a task of a question alone', () => {
  // Promise Q30
  test('a task of a question alone opens its question at once, with no turn at any agent', () => {
    const { state, effects, reply } = opening();
    expect(reply).toMatchObject({ ok: true, run: { kind: 'opened' } });
    expect(effects).toEqual([{ kind: 'openHolds', openedAt }]);
    expect(state).toMatchObject({ phase: 'opening', turn: 0, a2aTaskId: null, questions: [{ dialect: askDialect }] });
    const open = asking().state;
    expect(open).toMatchObject({ phase: 'holding', status: 'NEEDS_REVIEW', holds: [{ status: 'open' }] });
  });

  // Promise Q30
  test('a task of a question alone ends DONE with the answer: no agent waits for it', () => {
    const { state, hold } = asking();
    const command = aDecideCommand(anAnswer(hold, { values: { text: 'red' } }));
    const { state: next, effects } = then(state, { type: 'decide', command });
    expect(next).toMatchObject({ phase: 'leaving', status: 'DONE', end: { kind: 'completed' }, turn: 0 });
    expect(next.holds).toMatchObject([{ status: 'decided', decision: { values: { text: 'red' } } }]);
    expect(effects).toEqual([{ kind: 'close' }]);
  });

  // Promise Q30
  test('a task of a question alone ends DONE when its question is declined', () => {
    const { state, hold } = asking();
    const { state: next, effects } = then(state, {
      type: 'decide',
      command: aDecideCommand(aRefusal(hold, 'not now')),
    });
    expect(next).toMatchObject({ phase: 'leaving', status: 'DONE', end: { kind: 'completed' } });
    expect(next.holds).toMatchObject([{ status: 'cancelled', ended: { why: 'declined' } }]);
    expect(effects).toEqual([{ kind: 'close' }]);
  });

  test('a task of a question alone waits for as many votes as its policy says, and a second decision of the same task is refused', () => {
    const { state, hold } = asking({ policy: { audience: ['user:ana', 'user:ben'], quorum: 2 } });
    const vote = (who: string): TaskEvent => ({
      type: 'decide',
      command: aDecideCommand(anAnswer(hold, { values: { text: 'red' } }), { principal: aPrincipal(who) }),
    });
    const one = then(state, vote('ana'));
    expect(one.state.phase).toBe('holding');
    const two = then(one.state, vote('ben'));
    expect(two.state).toMatchObject({ phase: 'leaving', status: 'DONE' });
    const late = aDecideCommand(anAnswer(hold, { values: { text: 'blue' } }), { principal: aPrincipal('ana') });
    expect(then(two.state, { type: 'decide', command: late }).reply).toMatchObject({ ok: false, code: 'hold_closed' });
  });

  // Promise Q30
  test('a task of a question alone fails when no answer comes in time', () => {
    const { state } = asking({ policy: { expire: { after: '1h', then: 'fail' } } });
    const { state: next } = then(state, { type: 'time.passed' }, after('1h'));
    expect(next).toMatchObject({ status: 'FAILED', end: { kind: 'failed', code: 'hold_expired' } });
    expect(next.holds).toMatchObject([{ status: 'expired' }]);
  });

  test('a task of a question alone goes its policy’s way at the deadline: rejected, cancelled, or answered by its defaults', () => {
    const expiring = (word: 'reject' | 'cancel' | 'default'): TaskState => {
      const policy = { expire: { after: '1h', then: word } };
      const { state } = asking({ question: { ...read(), defaults: { text: 'blue' } }, policy });
      return then(state, { type: 'time.passed' }, after('1h')).state;
    };
    expect(expiring('reject')).toMatchObject({ status: 'DONE', holds: [{ status: 'cancelled' }] });
    expect(expiring('cancel')).toMatchObject({ phase: 'stopping', holds: [{ status: 'expired' }] });
    expect(expiring('default')).toMatchObject({
      status: 'DONE',
      holds: [{ decision: { values: { text: 'blue' } } }],
    });
  });

  test('a task of a question alone is canceled like any other, and ends CANCELED', () => {
    const { state } = asking();
    const stopping = then(state, { type: 'cancel', by: 'ops', reason: 'enough' });
    expect(stopping.state).toMatchObject({ phase: 'stopping', holds: [{ status: 'cancelled' }] });
    const stopped: TaskEvent = { type: 'agent.stopped', state: 'canceled', message: 'no agent has a task of this' };
    expect(then(stopping.state, stopped).state).toMatchObject({ phase: 'leaving', status: 'CANCELED' });
  });

  test('a task of a question alone has no talk-back: the program that asked is not there to receive it', () => {
    const { state } = asking();
    const sent = then(state, { type: 'message', command: aWord('which shade?') });
    expect(sent.reply).toMatchObject({ ok: false, code: 'input_invalid' });
    expect(sent.state).toBe(state);
  });

  test('a task of a question alone takes no second run: the same again is known, another is refused', () => {
    const { state } = asking();
    const same = then(state, { type: 'run', command: anAskRun() });
    expect(same.reply).toMatchObject({ ok: true, run: { kind: 'opened' } });
    expect(same.state).toBe(state);
    const other = anAskRun([read({ question: 'Else?' })], 'print:other');
    expect(then(state, { type: 'run', command: other }).reply).toMatchObject({ ok: false, code: 'run_conflict' });
    const more = aRunCommand({ runId: 'run-2' });
    expect(then(state, { type: 'run', command: more }).reply).toMatchObject({ ok: false, code: 'interrupts_pending' });
  });

  test('a task of a question alone is not a message to an agent that works on the thread: it is refused and nothing is sent', () => {
    const working = reduce(aTask(), { type: 'run', command: aRunCommand() }, openedAt).state;
    const sent = then(working, { type: 'run', command: anAskRun([read()], 'print:ask', 'run-9') });
    expect(sent).toEqual({ state: working, effects: [], reply: expect.objectContaining({ ok: false, code: 'busy' }) });
  });
});
