// Frameworks that ask over A2A, each with its own server and newest packages, a scripted model, and tools that
// count what they execute. A framework whose packages cannot be installed is left out by name (scripts/framework-agents.mjs).
import { describe, expect, test } from '@jest/globals';
import { checkAgent } from '../../../src/cli/doctor/doctor-agent.ts';
import { AgentConfigSchema } from '../../../src/contract/configuration/agent-config.ts';
import {
  type FrameworkAgent,
  hasFramework,
  startFrameworkAgent,
  startLangGraphServer,
} from '../../rigs/agents/framework-agent.ts';
import { openEgress } from '../../rigs/open-egress.ts';
import { interruptsOf, textsOf } from '../../rigs/streams/agui.ts';
import type { WireEvent } from '../../rigs/streams/sse-stream.ts';
import { decided, ended, holdsOf, longMs, openHold, waitForTask } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const agents = new Map<string, FrameworkAgent>();

const wordsOf = (events: readonly WireEvent[]): string => [...textsOf(events).values()].join('\n');
const agentOf = (name: string): FrameworkAgent => {
  const agent = agents.get(name);
  if (agent === undefined) throw new Error(`${name} was not started`);
  return agent;
};
const ask = async (agent: string, threadId: string, text: string): Promise<WireEvent[]> =>
  ended(await up.run(agent, { threadId, text }, longMs), 'interrupt');
const say = async (agent: string, threadId: string, text: string): Promise<WireEvent[]> =>
  ended(await up.run(agent, { threadId, text }, longMs), 'success');
const resume = async (agent: string, threadId: string, asked: WireEvent[], payloads: object[]): Promise<WireEvent[]> =>
  ended(
    await up.run(
      agent,
      {
        threadId,
        resume: interruptsOf(asked).map(({ id }, index) => ({
          interruptId: id,
          status: 'resolved' as const,
          payload: payloads[index] ?? {},
        })),
      },
      longMs,
    ),
    'success',
  );
const paid = async (agent: string, invoice: number): Promise<number> =>
  (await agentOf(agent).executed()).filter((one) => JSON.stringify(one) === JSON.stringify([invoice, 'Miller Ltd']))
    .length;

const { supervisor, up, startAgain } = startProduct(async () => {
  const lines: string[] = [];
  for (const name of ['strands', 'agentstack', 'fasta2a'] as const) {
    if (!hasFramework(name)) continue;
    agents.set(name, await startFrameworkAgent(supervisor, name));
    lines.push(`  ${name}: { url: '${agentOf(name).url}' }`);
  }
  if (hasFramework('langgraph')) {
    const server = await startLangGraphServer(supervisor);
    agents.set('langgraph', server);
    for (const graph of ['reviewed', 'one-by-one', 'asks', 'both', 'typed', 'form'])
      lines.push(`  ${graph}: { url: '${server.graph(graph)}' }`);
    lines.push(`  root: { url: '${server.url}/' }`);
  }
  return `agents:\n${lines.join('\n')}\n`;
});

const langgraph = hasFramework('langgraph') ? describe : describe.skip;

langgraph('LangGraph Server', () => {
  test('LangGraph Server streams its text as one message, and says nothing of its own at the end', async () => {
    const events = await say('reviewed', 'talk', 'hello');
    expect([...textsOf(events).values()].map((text) => text.trim())).toEqual(['One two three four']);
    const deltas = events.filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT');
    expect(deltas.length).toBeGreaterThan(2);
  });

  test('LangGraph Server named by its root ends a run with the address to use, as doctor names it', async () => {
    const { url } = agentOf('langgraph');
    const hint = `a LangGraph server: use ${url}/a2a/<assistant id>`;
    const { events } = await up.run('root', { threadId: 'root', text: 'hello' }, longMs);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', message: expect.stringContaining(hint) });
    const config = AgentConfigSchema.parse({ url: `${url}/` });
    await expect(checkAgent('root', config, openEgress)).rejects.toThrow(hint);
  });

  test('LangGraph Server has a tool call approved as it is, and it runs once', async () => {
    const asked = await ask('reviewed', 'approve', 'pay 1');
    expect(await openHold(up, 'reviewed', 'approve')).toMatchObject({
      title: 'Approve pay?',
      kind: 'tool_call',
      context: { toolArgs: { invoice: 1, to: 'Miller Ltd' } },
    });
    const events = await resume('reviewed', 'approve', asked, [{ approved: true }]);
    expect(wordsOf(events)).toContain('paid 1 to Miller Ltd');
    expect(wordsOf(events)).not.toContain('Task completed successfully');
    expect(await paid('langgraph', 1)).toBe(1);
  });

  test('LangGraph Server runs a call with the arguments that a person changed', async () => {
    const asked = await ask('reviewed', 'edit', 'pay 2');
    await resume('reviewed', 'edit', asked, [{ approved: true, editedArgs: { invoice: 20, to: 'Miller Ltd' } }]);
    expect([await paid('langgraph', 2), await paid('langgraph', 20)]).toEqual([0, 1]);
  });

  test('LangGraph Server tells its model why a call was refused, and does not run it', async () => {
    const asked = await ask('reviewed', 'reject', 'pay 3');
    const events = await resume('reviewed', 'reject', asked, [{ approved: false, reason: 'too dear' }]);
    expect(wordsOf(events)).toContain('too dear');
    expect(await paid('langgraph', 3)).toBe(0);
  });

  test('LangGraph Server has two calls of one review decided one by one', async () => {
    const asked = await ask('reviewed', 'two', 'pay 4 and 5');
    await resume('reviewed', 'two', asked, [{ approved: true }, { approved: false, reason: 'no' }]);
    expect([await paid('langgraph', 4), await paid('langgraph', 5)]).toEqual([1, 0]);
  });

  test('LangGraph Server has calls asked that its stream ends without, because another ran at the same time', async () => {
    const asked = await ask('one-by-one', 'aside', 'pay 7 and 9 and look');
    expect((await holdsOf(up, 'one-by-one', 'aside')).map(({ title }) => title)).toEqual([
      'Approve pay?',
      'Approve pay?',
    ]);
    await resume('one-by-one', 'aside', asked, [{ approved: true }, { approved: true }]);
    expect([await paid('langgraph', 7), await paid('langgraph', 9)]).toEqual([1, 1]);
  });

  test('LangGraph Server shows the value of an interrupt whole, and resumes the graph with the words of the answer', async () => {
    const asked = await ask('asks', 'colour', 'go');
    const hold = await openHold(up, 'asks', 'colour');
    expect(hold).toMatchObject({ title: 'Which colour?', kind: 'text' });
    expect(hold.message).toContain('the bike shed');
    expect(wordsOf(await resume('asks', 'colour', asked, [{ text: 'green' }]))).toContain('colour "green"');
  });

  // Promise D18
  test('LangGraph Server has a response_schema asked as a form, and its graph gets the model of it', async () => {
    const asked = await ask('typed', 'typed', 'go');
    expect(await openHold(up, 'typed', 'typed')).toMatchObject({ title: 'How long is the trip?', kind: 'form' });
    expect(wordsOf(await resume('typed', 'typed', asked, [{ days: 3, seat: null }]))).toContain('trip of 3');
    expect(await agentOf('langgraph').executed()).toContainEqual(['typed', 'Trip', 3, null]);
  });

  // Promise D18
  test('LangGraph Server has a form in an interrupt asked with two buttons, and its graph gets the values', async () => {
    const asked = await ask('form', 'form', 'go');
    expect(await openHold(up, 'form', 'form')).toMatchObject({ title: 'Go on?', kind: 'confirmation' });
    expect(wordsOf(await resume('form', 'form', asked, [{ approved: false }]))).toContain('{"approved": false}');
  });

  test('LangGraph Server has all interrupts of a pause asked and answered, though its stream tells one', async () => {
    const asked = await ask('both', 'both', 'go');
    expect((await holdsOf(up, 'both', 'both')).map(({ title }) => title).toSorted()).toEqual(['first?', 'second?']);
    const titles = (await holdsOf(up, 'both', 'both')).toSorted((a, b) => (a.interruptId < b.interruptId ? -1 : 1));
    const answers = interruptsOf(asked).map(({ id }) => ({
      text: `to ${titles.find(({ interruptId }) => interruptId === id)?.title}`,
    }));
    await resume('both', 'both', asked, answers);
    const executed = (await agentOf('langgraph').executed()).map((one) => JSON.stringify(one));
    expect(executed).toEqual(expect.arrayContaining(['["first","to first?"]', '["second","to second?"]']));
  });

  test('LangGraph Server keeps its question over a kill -9 of Standfast, and the call runs once', async () => {
    await ask('reviewed', 'killed', 'pay 6');
    const before = await openHold(up, 'reviewed', 'killed');
    await up.process.kill9();
    await startAgain();
    expect(await openHold(up, 'reviewed', 'killed')).toMatchObject({ id: before.id, context: before.context });
    await decided(up, before.id, { status: 'resolved', values: { approved: true } });
    expect((await waitForTask(up, before.taskId, 'DONE', 'FAILED')).status).toBe('DONE');
    expect(await paid('langgraph', 6)).toBe(1);
  });
});

const strands = hasFramework('strands') ? describe : describe.skip;

strands('AWS Strands', () => {
  test('AWS Strands streams its text as one message', async () => {
    expect([...textsOf(await say('strands', 'talk', 'hello')).values()]).toEqual(['One two three four']);
  });

  test('AWS Strands has each of its interrupts asked whole by the form of its reason, and a call runs once', async () => {
    const asked = await ask('strands', 'two', 'pay 7 and 8');
    const holds = await holdsOf(up, 'strands', 'two');
    expect(holds.map(({ title }) => title)).toEqual(['Pay invoice 7 to Miller Ltd?', 'Pay invoice 8 to Miller Ltd?']);
    expect(holds[0]?.message).toContain('Miller Ltd');
    const events = await resume('strands', 'two', asked, [
      { approved: true },
      { approved: false, reason: 'no, too dear' },
    ]);
    expect(wordsOf(events)).toContain('not paid: no, too dear');
    expect([await paid('strands', 7), await paid('strands', 8)]).toEqual([1, 0]);
  });

  test.each([
    ['document', 'application/pdf', ['document', 'file-2', 'pdf', 4]],
    ['image', 'image/png', ['image', null, 'png', 4]],
  ])('AWS Strands gets a file without a name: %s', async (type, mimeType, expected) => {
    const file = { type, source: { type: 'data', value: Buffer.from('file').toString('base64'), mimeType } };
    const messages = [{ id: `u-${type}`, role: 'user', content: [{ type: 'text', text: 'hello' }, file] }];
    ended(await up.run('strands', { threadId: type, messages }, longMs), 'success');
    expect(await agentOf('strands').executed()).toContainEqual(expected);
  });
});

const agentstack = hasFramework('agentstack') ? describe : describe.skip;

agentstack('Agent Stack', () => {
  test.each([
    ['approved', { approved: true }, 'paid 42', 1],
    ['refused', { approved: false }, 'not paid', 0],
  ])('Agent Stack has a tool call shown with its arguments and %s', async (how, payload, result, times) => {
    const before = await paid('agentstack', 42);
    const asked = await ask('agentstack', how, 'pay 42');
    expect(await openHold(up, 'agentstack', how)).toMatchObject({
      title: 'Approve pay?',
      kind: 'tool_call',
      context: { toolArgs: { invoice: 42, to: 'Miller Ltd' } },
    });
    expect(wordsOf(await resume('agentstack', how, asked, [payload]))).toContain(result);
    expect((await paid('agentstack', 42)) - before).toBe(times);
  });

  test('Agent Stack has its form shown with its fields of each type, and gets their values', async () => {
    const asked = await ask('agentstack', 'form', 'trip');
    expect(await openHold(up, 'agentstack', 'form')).toMatchObject({ title: 'Trip', kind: 'form' });
    const given = { city: 'Bern', day: '2026-12-01', by: 'rail', agree: true, extras: ['bike'] };
    const passport = 'https://files.example/passport.pdf';
    const events = await resume('agentstack', 'form', asked, [{ ...given, seat: ['quiet'], passport }]);
    expect(wordsOf(events)).toContain('"city": "Bern"');
    expect(await agentOf('agentstack').executed()).toContainEqual([
      {
        ...given,
        seat: { window: false, quiet: true },
        passport: [{ uri: passport, name: null, mime_type: null }],
      },
    ]);
  });

  test('Agent Stack gets a form’s values where only what must be is filled in', async () => {
    const asked = await ask('agentstack', 'bare', 'trip');
    await resume('agentstack', 'bare', asked, [{ city: 'Bern' }]);
    expect(await agentOf('agentstack').executed()).toContainEqual([
      expect.objectContaining({ city: 'Bern', day: null }),
    ]);
  });
});

const fasta2a = hasFramework('fasta2a') ? describe : describe.skip;

fasta2a('pydantic-ai behind fasta2a', () => {
  // Promise D16
  test('pydantic-ai behind fasta2a, whose approvals cannot be given over A2A, is shown with its calls as not executed', async () => {
    const events = await say('fasta2a', 'pending', 'pay 1 and 2');
    expect(wordsOf(events)).toContain('wait for approval');
    expect(wordsOf(events)).toContain('- pay {"invoice": 2, "to": "Miller Ltd"}');
    expect([await paid('fasta2a', 1), await paid('fasta2a', 2)]).toEqual([0, 0]);
  });
});
