// A Mastra agent behind Mastra's own A2A server, with its newest packages, a scripted model, and tools that count what they
// execute. Left out by name where its packages cannot be installed (scripts/framework-agents.mjs).
import { describe, expect, test } from '@jest/globals';
import { type FrameworkAgent, hasFramework, startFrameworkAgent } from '../../rigs/agents/framework-agent.ts';
import { interruptsOf, textsOf } from '../../rigs/streams/agui.ts';
import type { WireEvent } from '../../rigs/streams/sse-stream.ts';
import { ended, longMs, openHold } from '../setting.ts';
import { startProduct } from '../start-product.ts';

let agent: FrameworkAgent | null = null;
const { supervisor, up } = startProduct(async () => {
  if (hasFramework('mastra')) agent = await startFrameworkAgent(supervisor, 'mastra');
  return `agents:\n  mastra: { url: '${agent?.url ?? 'http://127.0.0.1:9/'}' }\n`;
});

const wordsOf = (events: readonly WireEvent[]): string => [...textsOf(events).values()].join('\n');
const executed = async (): Promise<unknown[]> => (await agent?.executed()) ?? [];
const say = async (threadId: string, text: string, end: string): Promise<WireEvent[]> =>
  ended(await up.run('mastra', { threadId, text }, longMs), end);
async function answer(threadId: string, asked: WireEvent[], given: object): Promise<WireEvent[]> {
  const [{ id: interruptId } = { id: '' }] = interruptsOf(asked);
  const resume = [{ interruptId, status: 'resolved' as const, payload: {}, ...given }];
  return ended(await up.run('mastra', { threadId, resume }, longMs), 'success');
}

(hasFramework('mastra') ? describe : describe.skip)('Mastra', () => {
  test('Mastra is reached by the card of its agent, and its words are one message', async () => {
    const events = await say('talk', 'hello', 'success');
    // The first is its server's own.
    const texts = [...textsOf(events).values()].map((text) => text.trim());
    expect(texts).toEqual(['Generating response...', 'One two three four']);
    expect(events.filter(({ type }) => type === 'TEXT_MESSAGE_START')).toHaveLength(2);
  });

  // Promise D19
  test('Mastra has a call that requires approval asked with its name and arguments, and it runs once', async () => {
    const asked = await say('approve', 'pay 1', 'interrupt');
    expect(await openHold(up, 'mastra', 'approve')).toMatchObject({
      title: 'Approve pay?',
      kind: 'tool_call',
      context: { toolArgs: { invoice: 1, to: 'Miller Ltd' } },
    });
    expect(wordsOf(await answer('approve', asked, { payload: { approved: true } }))).toContain('paid 1');
    expect((await executed()).filter((one) => JSON.stringify(one) === '[1,"Miller Ltd"]')).toHaveLength(1);
  });

  // Promise D19
  test('Mastra tells its model why a call was refused, and does not run it', async () => {
    const asked = await say('refuse', 'pay 2', 'interrupt');
    const no = { status: 'cancelled', payload: { reason: 'too dear' } };
    expect(wordsOf(await answer('refuse', asked, no))).toContain('too dear');
    expect(JSON.stringify(await executed())).not.toContain('[2,');
  });

  // Promise D18, D19
  test('Mastra has a tool that suspends itself asked by the form of its resumeSchema', async () => {
    const asked = await say('form', 'a trip', 'interrupt');
    expect(await openHold(up, 'mastra', 'form')).toMatchObject({ title: 'How long is the trip?', kind: 'form' });
    await answer('form', asked, { payload: { days: 2, seat: null } });
    expect(await executed()).toContainEqual(['booked', 'Rome', { days: 2, seat: null }]);
  });
});
