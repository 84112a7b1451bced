// Whatever an answer comes through, other arguments in it are judged again, and refused where the call is not editable.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { type DecisionSource, decisionSources } from '../../../src/contract/holds/decision.ts';
import type { Hold } from '../../../src/contract/holds/hold.ts';
import type { Principal } from '../../../src/contract/base/principal.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { temporalOperatorId } from '../../../src/core/policy/audience.ts';
import { supervisorPrincipal } from '../../../src/core/task/supervisors.ts';
import { reduce } from '../../../src/core/task/task.ts';
import type { Outcome, TaskEvent, TaskState } from '../../../src/core/task/task-state.ts';
import {
  aDecideCommand,
  after,
  aHold,
  anAnswer,
  aPrincipal,
  aQuestion,
  aResume,
  aTask,
  aWord,
} from '../../rigs/factories.ts';

type EventOf = (hold: Hold, values: JsonObject) => TaskEvent;

const decides =
  (source: DecisionSource, principal: Principal = aPrincipal()): EventOf =>
  (hold, values) => ({
    type: 'decide',
    command: aDecideCommand(anAnswer(hold, { values }), { principal, source, receivedAt: after('2m') }),
  });

const sources = decisionSources.filter((one) => one !== 'grant');

const judge = { agent: 'judge', call: -1, at: after('1m'), until: after('1h'), doneAt: null, why: null };

/** How an answer gets in by each of them; a new source is one more. A grant gives a yes alone, as it opens. */
const entries: Record<Exclude<DecisionSource, 'grant'>, EventOf> = {
  rest: decides('rest'),
  page: decides('page'),
  bulk: decides('bulk'),
  link: decides('link'),
  slack: decides('slack'),
  teams: decides('teams'),
  push: decides('push'),
  mcp: decides('mcp'),
  signal: decides('signal', { id: temporalOperatorId, roles: ['operator'], isSuper: true }),
  agent: decides('agent', supervisorPrincipal('judge')),
  resume: (hold, values) => ({ type: 'run', command: aResume([anAnswer(hold, { values })]) }),
  chat: (_hold, values) => ({ type: 'message', command: aWord(JSON.stringify(values)) }),
  clock: () => ({ type: 'time.passed' }),
};

const asked = (isEditable: boolean): Hold => {
  const question = aQuestion({
    kind: 'tool_call',
    tool: { callId: 'c-1', name: 'pay', args: { amount: 900 }, isEditable },
    // An agent's own form may take whatever it likes.
    schema: { type: 'object', properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } } },
    defaults: isEditable ? { editedArgs: { amount: 900 } } : {},
  });
  const hold = aHold({ question, audience: ['owner', 'agent:judge'] });
  const judging = { rules: [{ when: { data: 'amount > 1000' }, policy: 'director' }], policy: 'team', chosen: 'team' };
  return { ...hold, plan: { ...hold.plan, policy: 'team', judging, supervisors: [judge] } };
};
const enter = (eventOf: EventOf, isEditable: boolean, values: JsonObject): { before: TaskState; outcome: Outcome } => {
  const hold = asked(isEditable);
  const before = aTask({ phase: 'holding', holds: [hold] });
  return { before, outcome: reduce(before, eventOf(hold, values), after('3m')) };
};
const decided = ({ state }: Outcome): unknown[] =>
  [
    ...state.holds.flatMap(({ decision, outgoing, votes }) => [decision, outgoing?.decision ?? null, ...votes]),
    ...(state.send.kind === 'answers' ? state.send.answers.map(({ closed }) => closed.decision) : []),
  ].filter((one) => one !== null);

/** Words ask the agent, and the clock has no answer of its own here. */
const takeNoValues = new Set<DecisionSource>(['chat', 'clock']);

describe('an answer that edits a call', () => {
  // Promise Y33, Y34a
  test.each(sources)(
    'an answer that edits a call so that it comes under another policy decides nothing by %s',
    (source) => {
      const { outcome } = enter(entries[source], true, { approved: true, editedArgs: { amount: 900_000 } });
      expect(decided(outcome)).toEqual([]);
      if (takeNoValues.has(source)) return;
      expect(outcome.state).toMatchObject({
        phase: 'opening',
        holds: [{ status: 'withdrawn' }],
        questions: [{ tool: { args: { amount: 900_000 } } }],
      });
    },
  );

  // Promise Y34, Y34a
  test.each(sources)('an answer that edits a call that is not editable is refused by %s', (source) => {
    const { before, outcome } = enter(entries[source], false, { approved: true, editedArgs: { amount: 900 } });
    expect(decided(outcome)).toEqual([]);
    if (takeNoValues.has(source)) return;
    expect(outcome.reply).toMatchObject({ ok: false, code: 'payload_invalid' });
    expect(outcome.state.holds).toEqual(before.holds);
  });

  test.each(sources.filter((source) => !takeNoValues.has(source)))(
    'an answer that takes a call as it is decides by %s',
    (source) => {
      expect(decided(enter(entries[source], true, { approved: true }).outcome)).not.toEqual([]);
    },
  );

  // Promise Y34a
  test('an answer that edits a call has no other way to the workflow than those that are tested here', () => {
    const root = new URL('../../../src/', import.meta.url);
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const having = (pattern: RegExp): string[] =>
      files.filter((file) => pattern.test(readFileSync(new URL(file, root), 'utf8'))).toSorted();
    expect(having(/\bapplyAnswers\(/u)).toEqual([
      'core/task/hold-close.ts',
      'core/task/on-decide.ts',
      'core/task/on-message.ts',
      'core/task/on-run.ts',
    ]);
    // Pages, REST, bulk, links, Slack, Teams and push have one function of the api; after a restore an operator's process gives
    // the proved answer of the row again.
    expect(having(/\btasks\.decide\(/u)).toEqual(['api/holds/decide.ts', 'cli/run/engine.ts']);
    expect(having(/type: 'decide'/u)).toEqual([
      'core/task/on-decide.ts',
      'core/task/task-state.ts',
      'workflows/handlers.ts',
    ]);
    expect(having(/\bas JudgedAnswers\b/u)).toEqual(['core/task/edited-call.ts']);
  });
});
