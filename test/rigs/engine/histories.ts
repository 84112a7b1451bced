// The stories whose histories are kept (test/workflows/histories) and replayed against every change of the workflow.
import type { FakeAgent } from '../agents/agent.ts';
import { turnTiming } from '../../../src/activities/timing.ts';
import { createA2aCaller } from '../agents/a2a-caller.ts';
import { anna, answer, bob, refusal } from './engine.ts';
import type { Core, CoreOptions } from './engine.ts';
import type { TaskCase } from './task-case.ts';
import { waitFor } from '../wait-for.ts';

/** Waits until no activity of the task runs. */
const isLetGo = (task: TaskCase): Promise<boolean> =>
  waitFor(
    async () => ((await task.handle.describe()).raw.pendingActivities ?? []).length === 0,
    20_000,
    'the turn to be parked',
  );

/** Plays one story to its end on a running core. */
type Story = (core: Core, agent: FakeAgent) => Promise<TaskCase>;

const soon = { firstMs: 150, maxMs: 400 };

export const recordingOptions: CoreOptions = {
  dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': '60' },
  // Nothing is known of `unproven`, so what it does not show proves nothing.
  agents: {
    climbing: { policy: 'climbing' },
    unproven: {},
    both: { policy: 'both' },
    quiet: { limits: { silence: '2s' } },
    called: { policy: 'called' },
    alone: { policy: 'alone' },
    // No server listens there; each has one story, as a circuit that opened stays open for the next.
    absent: { url: 'http://127.0.0.1:9/' },
    missing: { url: 'http://127.0.0.1:9/' },
  },
  policies: {
    climbing: {
      audience: ['role:finance'],
      ladder: [
        { after: '300ms', remind: true },
        { after: '700ms', escalate: ['role:finance-lead'] },
      ],
      expire: { after: '1500ms', then: 'fail' },
    },
    both: { audience: ['role:finance', 'role:finance-lead'], quorum: 2 },
    alone: {
      audience: ['agent:missing'],
      calendar: { zone: 'Europe/Berlin', hours: 'Mon-Sun 00:00-24:00' },
      ladder: [{ after: '500ms', remind: true, every: '700ms' }],
      expire: { after: '1s', then: 'keep-open' },
    },
    called: { ladder: [{ after: '300ms', escalate: ['agent:absent'] }], notify: ['nowhere'] },
  },
  config: {
    agentOutage: '2s',
    notifications: {
      giveUpAfter: '2s',
      channels: { nowhere: { type: 'slack', url: 'http://127.0.0.1:9/' } },
    },
  },
  timing: {
    parkAfterMs: 800,
    watch: { ...turnTiming.watch, everyMs: 100, againMs: 300, turn: soon, pause: soon, auth: soon, confirm: soon },
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
  async 'delivery-unknown'({ engine }, agent) {
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
  async quorum({ engine }) {
    const task = await engine.open('form => complete', { agent: 'both' });
    const hold = await task.asked();
    await task.decide(answer(hold, { colour: 'red' }), anna);
    await task.amend({ hold: hold.holdId, kind: 'withdraw-vote' }, anna);
    await task.run('vote', { resume: [answer(hold, { colour: 'green' })] }, anna);
    await task.decide(answer(hold, { colour: 'green' }), bob);
    return task;
  },
  async 'talk-back'({ engine }, agent) {
    const task = await engine.open('form => gate talking; form => complete');
    const old = await task.asked(1);
    await task.say('Why?');
    await agent.atGate('talking');
    const waiting = task.decide(answer(old, { colour: 'red' }));
    await agent.openGate('talking');
    await waiting;
    await task.decide(answer(await task.asked(2), { colour: 'green' }));
    return task;
  },
  async 'talk-failed'({ engine }, agent) {
    await agent.arm({ do: 'status', status: 503, match: 'unheard', times: 1000 });
    const task = await engine.open('form => complete');
    const hold = await task.asked();
    await task.say('unheard');
    await task.runEnded(`standfast-${task.taskId}-talk-2`);
    await task.decide(answer(hold, { colour: 'green' }));
    return task;
  },
  async 'withdrawn-by-agent'({ engine }, agent) {
    const task = await engine.open('form => stream 3 1; complete');
    await task.asked();
    const caller = await createA2aCaller(agent.url);
    await caller.send('green', { taskId: (await task.row()).a2aTaskId ?? '' });
    return task;
  },
  async 'waiting-turn'({ engine }, agent) {
    const task = await engine.open('gate silent; stream 2 1; complete');
    await agent.atGate('silent');
    await isLetGo(task);
    await agent.openGate('silent');
    return task;
  },
  async 'agent-silent'({ engine }) {
    return engine.open('gate mum; complete', { agent: 'quiet' });
  },
  async 'called-in-vain'({ engine }) {
    const task = await engine.open('form => complete', { agent: 'called' });
    const hold = await task.asked();
    const isNoted = async (): Promise<boolean> => (await task.details()).includes('supervisor: agent:absent');
    await waitFor(isNoted, 20_000, 'the supervisor not to be reached');
    await task.decide(answer(hold, { colour: 'green' }));
    return task;
  },

  /** An agent is asked as the question opens, and fails; reminders come by a calendar until somebody answers. */
  async 'agent-alone'({ engine }) {
    const task = await engine.open('form => complete', { agent: 'alone' });
    const hold = await waitFor(
      async () => {
        const row = await task.hold();
        return row.stepsTaken >= 3 && row.plan.supervisors?.[0]?.doneAt != null ? row : undefined;
      },
      20_000,
      'three reminders, and the agent to have failed',
    );
    await task.decide(answer(hold, { colour: 'green' }));
    return task;
  },
};
