// The stories whose histories are kept (test/workflows/histories) and replayed against every change of the workflow.
import type { FakeAgent } from './agent.ts';
import { answer, refusal } from './engine.ts';
import type { Core, CoreOptions } from './engine.ts';
import type { TaskCase } from './task-case.ts';
import { waitFor } from './wait-for.ts';

/** Plays one story to its end on a running core. */
type Story = (core: Core, agent: FakeAgent) => Promise<TaskCase>;

export const recordingOptions: CoreOptions = {
  dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': '60' },
  // Nothing is known of `unproven`, so what it does not show proves nothing.
  agents: { climbing: { policy: 'climbing' }, unproven: {} },
  policies: {
    climbing: {
      audience: ['role:finance'],
      ladder: [
        { after: '300ms', remind: true },
        { after: '700ms', escalate: ['role:finance-lead'] },
      ],
      expire: { after: '1500ms', then: 'fail' },
    },
  },
};

export const stories: Record<string, Story> = {
  async 'park-and-answer'({ engine }) {
    const task = await engine.open('stream 5 5; form => stream 3; data; complete');
    await task.decide(answer(await task.asked(), { colour: 'green' }));
    return task;
  },
  async 'ladder-to-expiry'({ engine }) {
    return engine.open('form => complete', { agent: 'climbing' });
  },
  async cancel({ engine }) {
    const task = await engine.open('form => complete');
    await task.asked();
    await task.handle.cancel();
    return task;
  },
  async 'cancel-while-streaming'({ engine }, agent) {
    const task = await engine.open('stream 3 1; gate streaming; complete');
    await agent.atGate('streaming');
    await task.handle.cancel();
    return task;
  },
  async 'declined-question'({ engine }) {
    const task = await engine.open('form => complete');
    await task.decide(refusal(await task.asked(), 'not us'));
    return task;
  },
  async 'continue-as-new'({ engine }) {
    const task = await engine.open('form => complete');
    const { interruptId } = await task.asked();
    await task.signal({ interruptId, values: { colour: 'blue' } });
    const isLong = async (): Promise<boolean> => {
      await task.signal('nonsense');
      const { raw } = await task.handle.describe();
      return raw.workflowExecutionInfo?.execution?.runId !== task.firstExecutionRunId;
    };
    await waitFor(isLong, 20_000, 'the next execution of the chain');
    await task.signal({ interruptId, values: { colour: 'green' } });
    return task;
  },
  async 'parallel-holds'({ engine }) {
    const task = await engine.open('forms 3 => form => complete');
    await task.asked(3);
    await task.decide(answer(await task.asked(1), { colour: 'green' }));
    await task.decide(answer(await task.asked(2), { colour: 'blue' }));
    const rest = [answer(await task.asked(2), { colour: 'red' }), answer(await task.asked(3), { colour: 'red' })];
    await task.run('rest', { resume: rest });
    await task.decide(answer(await task.asked(4), { colour: 'green' }));
    return task;
  },
  async 'in-doubt'({ engine }, agent) {
    await agent.arm({ do: 'destroy', match: 'lost-on-its-way' });
    const task = await engine.open('say lost-on-its-way; complete', { agent: 'unproven' });
    await task.decide(answer(await task.asked(), { choice: 'send_again' }));
    return task;
  },
  async 'injected-message'({ engine }, agent) {
    const task = await engine.open('stream 2 1; gate injected; complete');
    await agent.atGate('injected');
    await task.run('more', { message: 'by the way' });
    await task.runEnded('more');
    await agent.openGate('injected');
    return task;
  },
};
