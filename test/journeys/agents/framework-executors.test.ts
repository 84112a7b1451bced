// Agents on frameworks in JavaScript, with their real packages, called as workers call them: what they ask is read, what people
// decide is written as they take it, and what they executed is counted.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { TurnEvent } from '../../../src/contract/tasks/turn.ts';
import { aCall, answer, ask, type AskedTurn, askedIn, collect, say, transportTo } from '../../activities/a2a-agents.ts';
import { type FrameworkAgent, hasFramework, startFrameworkAgent } from '../../rigs/agents/framework-agent.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';

const supervisor = createSupervisor();
afterAll(() => supervisor.end());

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

  const turn = (text: string): Promise<TurnEvent[]> => collect(transportTo(agent.url).sendStream(say(text), aCall()));
  const askFor = (text: string): Promise<AskedTurn> => ask(transportTo(agent.url), text);
  const decide = (asked: AskedTurn, values: JsonObject[]): Promise<TurnEvent[]> =>
    answer(transportTo(agent.url), asked, values);
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
    const asked = await askFor('pay 1');
    expect(asked.questions).toMatchObject([{ dialect, kind: 'tool_call', title }]);
    expect(textIn(await decide(asked, [{ approved: true }]))).toContain('paid 1 to Miller Ltd');
    expect(await paid(1)).toBe(1);
    const both = await askFor('pay 5 and 6');
    expect(both.questions).toHaveLength(2);
    await decide(both, [{ approved: true }, { approved: true }]);
    expect([await paid(5), await paid(6)]).toEqual([1, 1]);
  });

  test('an agent on a framework in JavaScript asks once more after a refusal, whose reason its model gets', async () => {
    const again = askedIn(await decide(await askFor('pay 7 again'), [{ approved: false, reason: 'too dear' }]));
    expect([again?.questions.length, await paid(7)]).toEqual([1, 0]);
    if (again !== null) await decide(again, [{ approved: true }]);
    expect(await paid(7)).toBe(1);
    const refused = await decide(await askFor('pay 4'), [{ approved: false, reason: 'too dear' }]);
    expect([textIn(refused), await paid(4)]).toEqual([expect.stringContaining('too dear'), 0]);
  });
});

// Promise D18
(hasFramework('langgraphjs') ? test : test.skip)(
  'LangGraph for JavaScript has the value of an interrupt asked by a form, and a choice of two words by two buttons',
  async () => {
    const agent = await startFrameworkAgent(supervisor, 'langgraphjs');
    const transport = transportTo(agent.url);
    const form = await ask(transport, 'a trip');
    expect(form.questions).toMatchObject([{ kind: 'form', title: 'How long is the trip?' }]);
    const choice = askedIn(await answer(transport, form, [{ days: 3, window: null }]));
    if (choice === null) throw new Error('no choice was asked');
    expect(choice.questions).toMatchObject([{ kind: 'confirmation', title: 'Book 3 days?' }]);
    expect(askedIn(await answer(transport, choice, [{ result: 'yes' }]))).toBeNull();
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
      await answer(transport, await ask(transport, text), decisions);
      return agent.executed();
    };
    const edited = { approved: true, editedArgs: { invoice: 20, to: 'Miller Ltd' } };
    expect(await decide('pay 3', [edited])).toEqual([[20, 'Miller Ltd']]);
    expect(await decide('pay 8 and 9', [{ approved: true }, { approved: false }])).toEqual([[20, 'Miller Ltd']]);
  },
);
