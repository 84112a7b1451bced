import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TaskState } from '@a2a-js/sdk';
import { type A2aCaller, createA2aCaller, emptyTurn, note } from '../rigs/agents/a2a-caller.ts';
import { type FakeAgent, startFakeAgent } from '../rigs/agents/agent.ts';
import { createSupervisor } from '../rigs/process/supervisor.ts';
import { eventually, waitFor } from '../rigs/wait-for.ts';

const supervisor = createSupervisor();
let agent: FakeAgent;
let caller: A2aCaller;
beforeAll(async () => {
  agent = await startFakeAgent(supervisor);
  caller = await createA2aCaller(agent.url);
});
afterAll(() => supervisor.end());

const tokens = (count: number): string => Array.from({ length: count }, (_, index) => `t${index + 1} `).join('');

describe('the scripted agent', () => {
  test('the scripted agent does what the first text says, turn by turn', async () => {
    const first = await caller.send('stream 5 1; form => data; complete all done');
    expect(first.texts.get('reply')).toBe(tokens(5));
    expect(first.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(first.data.map((data) => data['formId'])).toEqual(['form-1-1']);
    const second = await caller.send([{ data: { hello: 1 } }], { taskId: first.taskId });
    expect(second.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  test.each([
    ['complete', TaskState.TASK_STATE_COMPLETED],
    ['fail it broke', TaskState.TASK_STATE_FAILED],
    ['reject no', TaskState.TASK_STATE_REJECTED],
    ['cancel', TaskState.TASK_STATE_CANCELED],
    ['ask', TaskState.TASK_STATE_INPUT_REQUIRED],
    ['pause', TaskState.TASK_STATE_INPUT_REQUIRED],
    ['odd-form', TaskState.TASK_STATE_INPUT_REQUIRED],
    ['twin-form same', TaskState.TASK_STATE_INPUT_REQUIRED],
    ['stream 2 0; leave', TaskState.TASK_STATE_WORKING],
    ['state; leave', TaskState.UNRECOGNIZED],
    ['any other text', TaskState.TASK_STATE_COMPLETED],
  ])('the scripted agent ends the turn of "%s" in state %s', async (text, state) => {
    const turn = await caller.send(text);
    expect(turn.error).toBeNull();
    expect(turn.state).toBe(state);
  });

  test('the scripted agent takes a script as JSON in the text or in a data part', async () => {
    const fields = [{ name: 'x', type: 'integer' }];
    const script = { turns: [[{ do: 'form', formId: 'f-9', fields }], [{ do: 'echo' }]] };
    expect((await caller.send(JSON.stringify(script))).data[0]).toMatchObject({ formId: 'f-9', fields });
    const asked = await caller.send([{ data: script }]);
    expect(asked.data[0]).toMatchObject({ formId: 'f-9', fields });
    const echoed = await caller.send([{ data: { values: { x: 3 } } }], { taskId: asked.taskId });
    expect(JSON.parse(echoed.texts.get('echo') ?? '')).toEqual([{ data: { values: { x: 3 } } }]);
  });

  test('the scripted agent asks several forms in one pause, and replies without a task', async () => {
    const asked = await caller.send('forms 3');
    expect(asked.data.map((data) => data['formId'])).toEqual(['form-1-1', 'form-1-2', 'form-1-3']);
    expect((await caller.send('message hi')).events.map((event) => event.payload?.$case)).toEqual(['message']);
  });

  test('the scripted agent sends an artifact of 3 MiB', async () => {
    const turn = await caller.send('big 3');
    expect(turn.texts.get('big')?.length).toBe(3 * 1024 * 1024);
  });
});

describe('the ledger', () => {
  test('the ledger holds each message before the agent acts on it, over kill -9', async () => {
    const own = await startFakeAgent(supervisor);
    const toOwn = await createA2aCaller(own.url);
    const asked = await toOwn.send('ask', { messageId: 'm-1' });
    await own.kill9();
    await own.restart();
    const done = await toOwn.send('because', { messageId: 'm-2', taskId: asked.taskId });
    expect(done.state).toBe(TaskState.TASK_STATE_COMPLETED);
    await toOwn.client.cancelTask({ tenant: '', id: asked.taskId, metadata: {} }).catch(() => undefined);
    expect((await own.messages()).map((entry) => entry.messageId)).toEqual(['m-1', 'm-2']);
    expect((await own.ledger()).at(-1)).toMatchObject({ method: 'CancelTask', taskId: asked.taskId, reached: true });
  });

  test('the ledger names requests of HTTP+JSON and of 0.3 alike', async () => {
    const rest = await createA2aCaller(agent.url, 'HTTP+JSON');
    const { taskId } = await rest.send('complete', { messageId: 'rest-1' });
    await rest.getTask(taskId);
    const [sent, read] = (await agent.ledger()).slice(-2);
    expect(sent).toMatchObject({ method: 'SendStreamingMessage', messageId: 'rest-1' });
    expect(read).toMatchObject({ method: 'GetTask', taskId });

    const old = await startFakeAgent(supervisor, { settings: { protocol: '0.3' } });
    const toOld = await createA2aCaller(old.url);
    expect(toOld.client.protocolVersion).toBe('0.3');
    expect((await toOld.send('form', { messageId: 'old-1' })).state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(await old.messages()).toMatchObject([{ method: 'SendStreamingMessage', messageId: 'old-1' }]);
  });
});

describe('faults', () => {
  test.each([
    [{ do: 'status', status: 503, retryAfter: 1 } as const, /503/],
    [{ do: 'html' } as const, /Content-Type/],
    [{ do: 'rpc-error', code: -32603, message: 'oops' } as const, /oops/],
    [{ do: 'destroy' } as const, /fetch failed/],
    [{ do: 'body', body: '{"jsonrpc":' } as const, /./],
  ])('a fault, %j, answers in place of the agent, and once', async (fault, message) => {
    await agent.arm(fault);
    const before = (await agent.messages()).length;
    expect((await caller.send('complete')).error?.message).toMatch(message);
    expect((await agent.messages()).length).toBe(before);
    expect((await caller.send('complete')).state).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  test.each(['cut', 'end', 'half'] as const)('a stream broken by "%s" goes on inside the agent', async (how) => {
    const broken = await caller.send(`stream 5 1; ${how}; stream 5 1 second; complete`);
    expect(broken.texts.get('reply')).toBe(tokens(5));
    expect(broken.texts.has('second')).toBe(false);
    expect(broken.error === null).toBe(how !== 'cut');
    const task = await waitFor(
      async () => {
        const now = await caller.getTask(broken.taskId);
        return now.status?.state === TaskState.TASK_STATE_COMPLETED && now;
      },
      5_000,
      'the task to be completed',
    );
    expect(task.artifacts[1]?.parts.length).toBe(5);
  });

  test('a silent stream, an answer without headers: both wait until the caller gives up, the message has arrived', async () => {
    await agent.arm({ do: 'mute', after: 3 }, { do: 'delay-headers' });
    const silent = await caller.send('stream 5 1', { messageId: 'mute-1', signal: AbortSignal.timeout(400) });
    expect(silent.events.length).toBe(3);
    expect(silent.error?.name).toBe('TimeoutError');
    const held = await caller.send('complete', { messageId: 'held-1', signal: AbortSignal.timeout(400) });
    expect(held.events).toEqual([]);
    const arrived = (await agent.messages()).map((entry) => entry.messageId);
    expect(arrived.slice(-2)).toEqual(['mute-1', 'held-1']);
  });

  test('an answer dropped before its headers leaves the message in the task', async () => {
    await agent.arm({ do: 'drop-response' });
    const lost = await caller.send('complete', { messageId: 'lost-1' });
    expect(lost.error?.message).toBe('fetch failed');
    const isStored = async (): Promise<boolean> => {
      const tasks = await caller.listTasks();
      return tasks.some((task) => task.history.some((message) => message.messageId === 'lost-1'));
    };
    await waitFor(isStored, 3_000, 'the message in a history');
  });

  test('headers held back for a while come with everything behind them', async () => {
    await agent.arm({ do: 'delay-headers', ms: 200 });
    const turn = await caller.send('stream 3 1; complete');
    expect(turn.texts.get('reply')).toBe(tokens(3));
    expect(turn.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });
});

describe('settings and gates', () => {
  test('history and the list of tasks can be kept back, also after a restart', async () => {
    const shy = await startFakeAgent(supervisor);
    const toShy = await createA2aCaller(shy.url);
    await shy.set({ hideHistory: true, noListTasks: true });
    await shy.kill9();
    await shy.restart();
    const { taskId } = await toShy.send('ask');
    expect((await toShy.getTask(taskId)).history).toEqual([]);
    await expect(toShy.listTasks()).rejects.toThrow('cannot be listed');
  });

  test('a turn waits at its gate, is played again after kill -9, and can be read by resubscription', async () => {
    const own = await startFakeAgent(supervisor);
    const toOwn = await createA2aCaller(own.url);
    const cut = toOwn.send('stream 5 1; gate g; stream 5 1 second; complete');
    await own.atGate('g');
    await own.kill9();
    await cut;
    await own.restart();
    await own.atGate('g');
    // Its id may not have reached the caller before the end.
    const { id: taskId } = await waitFor(async () => (await toOwn.listTasks())[0], 3_000, 'the task in the list');
    const turn = emptyTurn();
    const reading = (async () => {
      for await (const event of toOwn.client.resubscribeTask({ tenant: '', id: taskId })) note(turn, event);
    })();
    await waitFor(() => turn.events.length > 0, 3_000, 'the snapshot');
    await own.openGate('g');
    await reading;
    expect(turn.texts.get('second')).toBe(tokens(5));
    expect(turn.state).toBe(TaskState.TASK_STATE_COMPLETED);
    // Readers of a turn that is played again get an event while it is being stored: the last one may be stored later.
    await eventually(async () => {
      const task = await toOwn.getTask(taskId);
      expect(task.artifacts.map((artifact) => artifact.parts.length)).toEqual([5, 5]);
    });
  });
});
