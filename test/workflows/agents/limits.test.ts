// An agent that never answers is bounded.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { turnTiming } from '../../../src/activities/timing.ts';
import { cancelsOf } from '../../rigs/agents/agent-facts.ts';
import { answer, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
let core: Core;
const quick = { firstMs: 200, maxMs: 400 };

beforeAll(async () => {
  core = await startCore(supervisor, {
    agents: {
      quiet: { limits: { silence: '2s' } },
      slow: { limits: { total: '6s' } },
      timely: { limits: { total: '50m' } },
    },
    timing: {
      parkAfterMs: 500,
      watch: {
        ...turnTiming.watch,
        everyMs: 100,
        againMs: 300,
        turn: quick,
        pause: quick,
        auth: quick,
        confirm: quick,
      },
    },
  });
});
afterAll(() => (core === undefined ? supervisor.end() : core.stop()));

describe('an agent that takes too long', () => {
  test.concurrent('an agent that takes too long is reported to operators, with its last message', async () => {
    const task = await core.engine.open('gate told-of; complete');
    const isReported = async (): Promise<boolean> =>
      (await task.details()).includes('the agent has sent nothing since');
    await waitFor(isReported, 20_000, 'the silence in the current details');
    expect(await task.handle.query('task')).toMatchObject({ phase: 'turn', parkedSince: expect.any(String) });
    await core.agent.openGate('told-of');
    await task.status('DONE');
  });

  test.concurrent.each([
    ['says nothing for longer than its limit', 'quiet', 'gate mum; complete'],
    ['works for longer than its limit in all', 'slow', 'stream 2000 20; complete'],
  ])(
    'an agent that takes too long and %s is asked to stop, and its task fails with agent_silent',
    async (_, agent, script) => {
      const task = await core.engine.open(script, { agent });
      const { error, a2aTaskId } = await task.status('FAILED');
      expect(error).toMatchObject({ code: 'agent_silent' });
      expect(await task.closed()).toBe('FAILED');
      expect(await cancelsOf(core.agent, a2aTaskId)).not.toEqual([]);
      expect((await task.log()).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'agent_silent' });
    },
  );

  test.concurrent('an agent that takes too long is not the agent whose people take their time', async () => {
    const task = await core.engine.open('form => complete', { agent: 'timely' });
    const hold = await task.asked();
    await task.quiet();
    // The timer that runs is that of the question, a day away.
    const timers = (await task.history()).filter(({ eventType }) => eventType === 'EVENT_TYPE_TIMER_STARTED');
    const timer = timers.at(-1)?.['timerStartedEventAttributes'];
    const { startToFireTimeout } = timer as { startToFireTimeout: { seconds: string } };
    expect(Number(startToFireTimeout.seconds)).toBeGreaterThan(3600);
    await task.decide(answer(hold, { colour: 'green' }));
    await task.status('DONE');
  });
});
