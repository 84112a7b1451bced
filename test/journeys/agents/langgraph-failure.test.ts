// A tool of a real LangGraph agent that fails after people approved its call. Skipped where there is no Python.
import { expect, test } from '@jest/globals';
import { interruptsOf } from '../../rigs/streams/agui.ts';
import { hasPython, startGraphAgent } from '../../rigs/agents/python-agent.ts';
import { ended, longMs } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const { supervisor, up } = startProduct(
  async () => `agents: { batched: { url: '${(await startGraphAgent(supervisor, 'batched')).url}' } }`,
);

// Promise D7
(hasPython ? test : test.skip)(
  'an agent on LangGraph whose approved tool fails tells the failure, and no approval is shown as its result',
  async () => {
    const text = `call delete_file ${JSON.stringify({ path: '/missing' })}`;
    const asked = ended(await up.run('batched', { threadId: 'fails', text }, longMs), 'interrupt');
    const resume = interruptsOf(asked).map(({ id }) => ({
      interruptId: id,
      status: 'resolved' as const,
      payload: { approved: true },
    }));
    const run = await up.run('batched', { threadId: 'fails', resume });
    expect(run.events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'agent_failed' });
    expect(JSON.stringify(run.events)).toContain('no such file: /missing');
    const result = run.events.find(({ type, toolCallId }) => type === 'TOOL_CALL_RESULT' && toolCallId === 'call-1-1');
    expect(result?.['content']).toContain('reported no result');
  },
);
