// Agents on frameworks in JavaScript, with their real packages, called as workers call them: what they ask is read, what people
// decide is written as they take it, and what they executed is counted.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { Question } from '../../../src/contract/holds/question.ts';
import type { TurnEvent } from '../../../src/contract/tasks/turn.ts';
import { encodeAnswers, readPause } from '../../../src/wire/a2a/dialects/registry.ts';
import { aCall, collect, say, transportTo } from '../../activities/a2a-agents.ts';
import { type FrameworkAgent, hasFramework, startFrameworkAgent } from '../../rigs/agents/framework-agent.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { resolved } from '../../wire/a2a/factories.ts';

const supervisor = createSupervisor();
afterAll(() => supervisor.end());

interface Asked {
  taskId: string;
  contextId: string;
  questions: Question[];
}

/** The pause that a turn ended with; null where it ended otherwise. */
function askedIn(events: readonly TurnEvent[]): Asked | null {
  const last = events.at(-1);
  if (last?.type !== 'status' || last.state !== 'input-required') return null;
  const { a2aTaskId: taskId, contextId, message } = last;
  return { taskId, contextId, questions: readPause({ state: 'input-required', a2aTaskId: taskId, message }).questions };
}

const textIn = (events: readonly TurnEvent[]): string =>
  events
    .flatMap((event) => (event.type === 'artifact' ? event.artifact.parts : []))
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join('');

const frameworks = [
  ['langgraphjs', 'langchain', 'Approve pay?'],
  ['openaiagents', 'a2a.hitl.form', 'Pay invoice 1?'],
] as const;

describe.each(frameworks.filter(([name]) => hasFramework(name)))('an agent on %s', (framework, dialect, title) => {
  let agent: FrameworkAgent;
  beforeAll(async () => {
    agent = await startFrameworkAgent(supervisor, framework);
  });

  const turn = (text: string): Promise<TurnEvent[]> =>
    collect(transportTo(agent.url).sendStream(say(text, { messageId: crypto.randomUUID() }), aCall()));
  async function ask(text: string): Promise<Asked> {
    const asked = askedIn(await turn(text));
    if (asked === null) throw new Error(`nothing was asked of "${text}"`);
    return asked;
  }
  async function answer({ taskId, contextId, questions }: Asked, values: JsonObject[]): Promise<TurnEvent[]> {
    const answers = questions.map((question, at) => ({ question, answer: resolved(values[at] ?? {}) }));
    const written = encodeAnswers(answers);
    if (written.result !== 'ok') throw new Error('the answers cannot be carried');
    const text = written.text === null ? [] : [{ kind: 'text' as const, text: written.text, metadata: {} }];
    const message = { messageId: crypto.randomUUID(), taskId, contextId, parts: [...text, ...written.parts] };
    return collect(transportTo(agent.url).sendStream(say('', message), aCall()));
  }
  const paid = async (invoice: number): Promise<number> =>
    (await agent.executed()).filter((one) => JSON.stringify(one) === JSON.stringify([invoice, 'Miller Ltd'])).length;

  test('an agent on a framework in JavaScript has its words streamed, and its failure reported', async () => {
    const events = await turn('hello');
    expect(textIn(events)).toBe('One two three four');
    expect(events.filter(({ type }) => type === 'artifact').length).toBeGreaterThan(2);
    expect((await turn('fail')).at(-1)).toMatchObject({ type: 'status', state: 'failed' });
  });

  // Promise D8
  test('an agent on a framework in JavaScript has each call asked with its arguments, and runs what was approved', async () => {
    const asked = await ask('pay 1');
    expect(asked.questions).toMatchObject([{ dialect, kind: 'tool_call', title }]);
    expect(textIn(await answer(asked, [{ approved: true }]))).toContain('paid 1 to Miller Ltd');
    expect(await paid(1)).toBe(1);
    const both = await ask('pay 5 and 6');
    expect(both.questions).toHaveLength(2);
    await answer(both, [{ approved: true }, { approved: true }]);
    expect([await paid(5), await paid(6)]).toEqual([1, 1]);
  });

  test('an agent on a framework in JavaScript asks once more after a refusal, whose reason its model gets', async () => {
    const again = askedIn(await answer(await ask('pay 7 again'), [{ approved: false, reason: 'too dear' }]));
    expect([again?.questions.length, await paid(7)]).toEqual([1, 0]);
    if (again !== null) await answer(again, [{ approved: true }]);
    expect(await paid(7)).toBe(1);
    const refused = await answer(await ask('pay 4'), [{ approved: false, reason: 'too dear' }]);
    expect([textIn(refused), await paid(4)]).toEqual([expect.stringContaining('too dear'), 0]);
  });
});

// Promise D18
(hasFramework('langgraphjs') ? test : test.skip)(
  'LangGraph for JavaScript has the value of an interrupt asked by a form, and a choice of two words by two buttons',
  async () => {
    const agent = await startFrameworkAgent(supervisor, 'langgraphjs');
    const transport = transportTo(agent.url);
    const reply = async (asked: Asked | null, values: JsonObject): Promise<Asked | null> => {
      if (asked === null) throw new Error('nothing was asked');
      const written = encodeAnswers(asked.questions.map((question) => ({ question, answer: resolved(values) })));
      if (written.result !== 'ok') throw new Error('the answer cannot be carried');
      const text = written.text === null ? [] : [{ kind: 'text' as const, text: written.text, metadata: {} }];
      const message = { taskId: asked.taskId, contextId: asked.contextId, parts: [...text, ...written.parts] };
      const sent = say('', { ...message, messageId: crypto.randomUUID() });
      return askedIn(await collect(transport.sendStream(sent, aCall())));
    };
    const form = askedIn(await collect(transport.sendStream(say('a trip'), aCall())));
    expect(form?.questions).toMatchObject([{ kind: 'form', title: 'How long is the trip?' }]);
    const choice = await reply(form, { days: 3, window: null });
    expect(choice?.questions).toMatchObject([{ kind: 'confirmation', title: 'Book 3 days?' }]);
    expect(await reply(choice, { result: 'yes' })).toBeNull();
    expect(await agent.executed()).toEqual([['trip', { days: 3, window: null }, 'yes']]);
  },
);

// Promise D8
(hasFramework('langgraphjs') ? test : test.skip)(
  'LangChain for JavaScript runs a call with the arguments that a person changed, and none of a pause in which one is refused',
  async () => {
    const agent = await startFrameworkAgent(supervisor, 'langgraphjs');
    const decide = async (text: string, decisions: JsonObject[]): Promise<unknown[]> => {
      const transport = transportTo(agent.url);
      const asked = askedIn(await collect(transport.sendStream(say(text), aCall())));
      const answers = (asked?.questions ?? []).map((question, at) => ({
        question,
        answer: resolved(decisions[at] ?? {}),
      }));
      const written = encodeAnswers(answers);
      if (written.result !== 'ok' || asked === null) throw new Error('it was not asked, or cannot be answered');
      const { taskId, contextId } = asked;
      const message = { messageId: crypto.randomUUID(), taskId, contextId, parts: written.parts };
      await collect(transport.sendStream(say('', message), aCall()));
      return agent.executed();
    };
    const edited = { approved: true, editedArgs: { invoice: 20, to: 'Miller Ltd' } };
    expect(await decide('pay 3', [edited])).toEqual([[20, 'Miller Ltd']]);
    expect(await decide('pay 8 and 9', [{ approved: true }, { approved: false }])).toEqual([[20, 'Miller Ltd']]);
  },
);
