import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { turnTiming } from '../../../src/activities/timing.ts';
import { versionAtPause } from '../../../src/activities/watch/watch-probe.ts';
import { createWatcher, type WatchDeps } from '../../../src/activities/watch/watch-tasks.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import type { Watch } from '../../../src/store/ports/tasks.ts';
import type { Store } from '../../../src/store/store.ts';
import { createScriptedAgent, type ScriptedAgent } from '../../rigs/agents/scripted-agent.ts';
import { waitFor } from '../../rigs/wait-for.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

const boundMs = 5_000;
const pace = { firstMs: 20, maxMs: 60 };

interface Signal {
  workflowId: string;
  firstExecutionRunId: string;
  kind: string;
  watchVersion: number;
}
interface Case {
  agents: Map<string, ScriptedAgent>;
  /** Polls each agent's task. */
  probes: Map<string, number>;
  signals: Signal[];
  warnings: string[];
  deps: WatchDeps;
  watcher(): { stop(): Promise<void> };
}

const watched: string[] = [];
const running = new Set<() => Promise<void>>();
afterEach(async () => {
  for (const stop of running) await stop();
  for (const taskId of watched.splice(0)) await store.tasks.unwatch(taskId);
});

function aCase(over: Partial<WatchDeps> = {}): Case {
  const agents = new Map<string, ScriptedAgent>();
  const probes = new Map<string, number>();
  const signals: Signal[] = [];
  const warnings: string[] = [];
  const quiet = (): void => undefined;
  const deps: WatchDeps = {
    store,
    engine: {
      namespace: 'default',
      signalOther: () => Promise.reject(new Error('no workflow is signalled here')),
      requestCancel: () => Promise.resolve(),
      signalDelivered: () => Promise.resolve(),
      signalMoved: (workflowId, firstExecutionRunId, news) => {
        signals.push({ workflowId, firstExecutionRunId, ...news });
        return Promise.resolve();
      },
      startPush: () => Promise.resolve(),
      startDigest: () => Promise.resolve(true),
      endBefore: () => Promise.resolve(),
      decideAgain: () => Promise.resolve(null),
      listOpen: () => Promise.resolve([]),
      listClosed: () => Promise.resolve([]),
      listAll: () => Promise.resolve([]),
      history: () => Promise.reject(new Error('no history is known here')),
      lackedKey: () => Promise.resolve(null),
      firstRunOf: () => Promise.reject(new Error('no execution is known here')),
      view: () => Promise.reject(new Error('no workflow is asked here')),
      describe: () => Promise.resolve({ state: 'gone' }),
    },
    transportOf(name) {
      const agent = agents.get(name);
      if (agent === undefined) throw new Error(`no agent ${name}`);
      return {
        ...agent.transport,
        getTask: (...args) => {
          probes.set(name, (probes.get(name) ?? 0) + 1);
          return agent.transport.getTask(...args);
        },
      };
    },
    now: () => new Date(),
    log: { debug: quiet, info: quiet, error: quiet, warn: (_facts, message) => void warnings.push(message) },
    timing: {
      ...turnTiming,
      callMs: 300,
      watch: { ...turnTiming.watch, everyMs: 20, againMs: 50, turn: pace, pause: pace, auth: pace, confirm: pace },
    },
    ...over,
  };
  return {
    agents,
    probes,
    signals,
    warnings,
    deps,
    watcher() {
      const leaving = new AbortController();
      const { ended } = createWatcher(deps, { signal: leaving.signal });
      const stop = async (): Promise<void> => {
        running.delete(stop);
        leaving.abort();
        await ended;
      };
      running.add(stop);
      return { stop };
    },
  };
}

let count = 0;

/** An open task whose agent asks something, and is watched from now on. */
async function aPause(theCase: Case, more: Partial<Watch> = {}): Promise<{ agent: ScriptedAgent; watch: Watch }> {
  count += 1;
  const name = more.agent ?? `agent-${count}`;
  const a2aTaskId = `a2a-${count}`;
  const agent = createScriptedAgent(a2aTaskId);
  agent.state('input-required', 'Which?');
  theCase.agents.set(name, agent);
  const taskId = `00000000-0000-5000-8000-${String(count).padStart(12, '0')}`;
  const [workflowId, firstExecutionRunId] = [`a2a/${name}/t-${count}`, `x-${count}`];
  const ref = { taskId, agent: name, threadId: `t-${count}`, workflowId, firstExecutionRunId, owner: 'local' };
  await store.tasks.put(ref, new Date().toISOString());
  const watch: Watch = {
    taskId,
    agent: name,
    workflowId,
    firstExecutionRunId,
    a2aTaskId,
    kind: 'pause',
    watchVersion: 1,
    seen: versionAtPause(agent.task().message?.messageId ?? null),
    probes: 0,
    ...more,
  };
  await store.tasks.update(taskId, { a2aTaskId: watch.a2aTaskId });
  await store.tasks.watch(watch, 0);
  watched.push(taskId);
  return { agent, watch };
}

const probesOf = (theCase: Case, name: string, atLeast: number): Promise<boolean> =>
  waitFor(() => (theCase.probes.get(name) ?? 0) >= atLeast, boundMs, `${atLeast} looks at ${name}`);
const signalsOf = (theCase: Case, watch: Watch): Signal[] =>
  theCase.signals.filter(({ workflowId }) => workflowId === watch.workflowId);

describe('the watcher', () => {
  test('the watcher tells the workflow that the agent has moved, again and again until nothing is watched any more', async () => {
    const theCase = aCase();
    const { agent, watch } = await aPause(theCase, { watchVersion: 3 });
    theCase.watcher();
    await probesOf(theCase, watch.agent, 3);
    expect(theCase.signals).toEqual([]);
    agent.state('working');
    await waitFor(() => theCase.signals.length >= 2, boundMs, 'two signals');
    const { workflowId, firstExecutionRunId } = watch;
    expect(theCase.signals[0]).toEqual({ workflowId, firstExecutionRunId, kind: 'pause', watchVersion: 3 });
    await store.tasks.unwatch(watch.taskId);
    const signalled = theCase.signals.length;
    const other = await aPause(theCase);
    await probesOf(theCase, other.watch.agent, 5);
    expect(signalsOf(theCase, watch).length).toBeLessThanOrEqual(signalled + 1);
  });

  test('the watcher tells of a task that the agent does not know any more', async () => {
    const theCase = aCase();
    const { agent, watch } = await aPause(theCase);
    const gone = Object.assign(new Error('gone'), { what: 'task-not-found' });
    agent.transport.getTask = () => Promise.reject(gone);
    agent.transport.classify = () => ({
      kind: 'final',
      what: 'task-not-found',
      wasTaken: false,
      message: 'no such task',
    });
    theCase.watcher();
    await waitFor(() => signalsOf(theCase, watch).length > 0, boundMs, 'a signal');
  });

  test('the watcher polls at once what was pushed', async () => {
    const slow = { firstMs: 60_000, maxMs: 60_000 };
    const theCase = aCase();
    theCase.deps.timing = { ...theCase.deps.timing, watch: { ...theCase.deps.timing.watch, pause: slow } };
    const { agent, watch } = await aPause(theCase);
    theCase.watcher();
    await probesOf(theCase, watch.agent, 1);
    agent.state('completed');
    await store.tasks.watchNow(watch.agent, watch.a2aTaskId);
    await waitFor(() => signalsOf(theCase, watch).length > 0, boundMs, 'a signal');
  });

  // Promise W8
  test('the watcher polls each task once at a time, however many workers watch', async () => {
    const theCase = aCase();
    const { agent, watch } = await aPause(theCase);
    let [now, most] = [0, 0];
    const { getTask } = agent.transport;
    agent.transport.getTask = async (...args) => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return getTask(...args);
    };
    for (const _ of [1, 2, 3]) theCase.watcher();
    await probesOf(theCase, watch.agent, 10);
    expect(most).toBe(1);
  });

  // Promise W9
  test('the watcher never takes a failing probe for news, and warns once', async () => {
    const theCase = aCase();
    const { agent, watch } = await aPause(theCase);
    const { getTask } = agent.transport;
    let fails = 0;
    agent.transport.getTask = () => {
      fails += 1;
      return Promise.reject(new TypeError('fetch failed'));
    };
    theCase.watcher();
    await waitFor(() => fails >= 2, boundMs, 'two failing probes');
    expect(theCase.signals).toEqual([]);
    expect(theCase.warnings).toHaveLength(1);
    agent.state('completed');
    agent.transport.getTask = getTask;
    await waitFor(() => signalsOf(theCase, watch).length > 0, 10_000, 'a signal');
  });

  test('the watcher spares an agent that hangs, and polls the others meanwhile', async () => {
    const theCase = aCase();
    const hanging = await Promise.all(Array.from({ length: 40 }, () => aPause(theCase, { agent: 'hanging' })));
    const hung = theCase.agents.get('hanging');
    if (hung === undefined) throw new Error('no agent');
    hung.transport.getTask = (_id, _options, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    const { agent, watch } = await aPause(theCase);
    agent.state('completed');
    theCase.watcher();
    await waitFor(() => signalsOf(theCase, watch).length > 0, boundMs, 'a signal of the other agent');
    expect(hanging).toHaveLength(40);
    // At most as many at once as there is room for.
    expect(theCase.probes.get('hanging')).toBeLessThanOrEqual(40);
    expect(theCase.warnings).toHaveLength(1);
  });

  // Promise W10
  test('the watcher goes on when the database is back', async () => {
    const theCase = aCase();
    let isAway = true;
    const { dueWatches } = store.tasks;
    const tasks = {
      ...store.tasks,
      dueWatches: (...args: Parameters<typeof dueWatches>): ReturnType<typeof dueWatches> =>
        isAway ? Promise.reject(new Error('no database')) : dueWatches(...args),
    };
    theCase.deps.store = { tasks };
    const { agent, watch } = await aPause(theCase);
    agent.state('completed');
    theCase.watcher();
    await waitFor(() => theCase.warnings.length > 0, boundMs, 'a warning');
    isAway = false;
    await waitFor(() => signalsOf(theCase, watch).length > 0, boundMs, 'a signal');
    expect(theCase.warnings).toHaveLength(1);
  });

  // Promise W10
  test('signals again when Temporal did not receive it', async () => {
    const theCase = aCase();
    const { agent, watch } = await aPause(theCase);
    agent.state('completed');
    let tries = 0;
    const { signalMoved } = theCase.deps.engine;
    theCase.deps.engine = {
      ...theCase.deps.engine,
      signalMoved: (...args) => {
        tries += 1;
        return tries < 3 ? Promise.reject(new Error('no Temporal')) : signalMoved(...args);
      },
    };
    theCase.watcher();
    await waitFor(() => signalsOf(theCase, watch).length > 0, boundMs, 'a signal');
    expect(tries).toBeGreaterThanOrEqual(3);
  });

  test('the watcher drops what is left of an ended task, whose thread may have another one by now', async () => {
    const theCase = aCase();
    const { agent, watch } = await aPause(theCase);
    await store.tasks.update(watch.taskId, { status: 'DONE' });
    agent.state('completed');
    theCase.watcher();
    const isDropped = async (): Promise<boolean> => {
      await store.tasks.watchNow(watch.agent, watch.a2aTaskId);
      return (theCase.probes.get(watch.agent) ?? 0) > 0 && (await dueOf(watch)).length === 0;
    };
    await waitFor(isDropped, boundMs, 'the watch to be gone');
    expect(theCase.signals).toEqual([]);
  });

  // Promise W8
  test('the watcher polls pauses more seldom where more are parked than may be polled', async () => {
    const theCase = aCase();
    const { timing } = theCase.deps;
    const watch = { ...timing.watch, pause: { firstMs: 60_000, maxMs: 60_000 }, mostPerSecond: 0.001 };
    theCase.deps.timing = { ...timing, watch };
    const delays: number[] = [];
    const probed: typeof store.tasks.probed = (one, seen, inMs) => {
      delays.push(inMs);
      return store.tasks.probed(one, seen, inMs);
    };
    theCase.deps.store = { tasks: { ...store.tasks, probed } };
    const { watch: parked } = await aPause(theCase);
    theCase.watcher();
    await waitFor(() => delays.length === 1, boundMs, 'the first poll');
    await store.tasks.watchNow(parked.agent, parked.a2aTaskId);
    await waitFor(() => delays.length === 2, boundMs, 'the second poll');
    // Each is put off by at most a tenth more or less.
    expect(delays[0]).toBeLessThan(70_000);
    expect(delays[1]).toBeGreaterThan(100_000);
  });

  test('the watcher that stops hands back what it was polling', async () => {
    const theCase = aCase();
    const { agent, watch } = await aPause(theCase);
    let isAsked = false;
    agent.transport.getTask = (_id, _options, { signal }) => {
      isAsked = true;
      // As a request does, also one that is made after the end.
      return new Promise((_resolve, reject) => {
        const abort = (): void => reject(signal.reason as Error);
        if (signal.aborted) abort();
        else signal.addEventListener('abort', abort);
      });
    };
    theCase.deps.timing = { ...theCase.deps.timing, callMs: 60_000 };
    const { stop } = theCase.watcher();
    await waitFor(() => isAsked, boundMs, 'a probe');
    await stop();
    // The database rounds the moment to the next millisecond; without the handing back it were due after the lease.
    let due: Watch[] = [];
    await waitFor(async () => (due = await dueOf(watch)).length > 0, boundMs, 'the watch to be due');
    expect(due).toMatchObject([{ taskId: watch.taskId, seen: watch.seen }]);
  });
});

const dueOf = async (watch: Watch): Promise<Watch[]> =>
  (await store.tasks.dueWatches(100, 60_000)).filter(({ taskId }) => taskId === watch.taskId);
