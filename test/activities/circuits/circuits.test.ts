// Circuits as two workers know them, an agent that is probed, and what is logged of it.
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createSlots } from '../../../src/activities/circuits/slots.ts';
import { createCircuits, type KnownCircuits } from '../../../src/activities/circuits/circuits.ts';
import { tendCircuits, type TendDeps } from '../../../src/activities/circuits/tend-circuits.ts';
import { turnTiming } from '../../../src/activities/timing.ts';
import { warnEachMinute } from '../../../src/activities/warn-each-minute.ts';
import type { A2aTransport } from '../../../src/activities/a2a/a2a-transport.ts';
import type { WaitingMessage } from '../../../src/store/ports/circuits.ts';
import type { Store } from '../../../src/store/store.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const quiet = (): void => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const slots = createSlots(4);
const timing = {
  circuit: { ...turnTiming.circuit, everyMs: 5, probeEveryMs: 5, wokenMs: 5, wakeEveryMs: 5, leaseMs: 50 },
};
let store: Store;
let first: KnownCircuits;
let second: KnownCircuits;

beforeAll(async () => {
  store = await openTestStore();
  [first, second] = [1, 2].map(() => createCircuits({ store, log, timing: timing.circuit, slots })) as [
    KnownCircuits,
    KnownCircuits,
  ];
});
afterAll(() => store?.close());

const messageOf = (agent: string, n: number, hasAnswers = false): WaitingMessage => ({
  key: `${agent}-${n}`,
  taskId: `${agent}-${n}`,
  agent,
  workflowId: `w-${agent}-${n}`,
  firstExecutionRunId: 'x',
  resumes: n,
  hasAnswers,
});

/** What the first worker does for all circuits. */
const tendingOf = (transport: A2aTransport, signalMoved: TendDeps['engine']['signalMoved']) =>
  tendCircuits({ store, circuits: first, engine: { signalMoved }, transportOf: () => transport, timing, log });

// Promise W5b
test('while no agent is away a worker reads the circuits every fifth time, and each time while one is', async () => {
  const list = jest.fn<Store['circuits']['list']>().mockResolvedValue([]);
  const circuits = createCircuits({ store: { circuits: { list } as never }, log, timing: turnTiming.circuit, slots });
  for (let n = 0; n < 10; n += 1) await circuits.refresh();
  expect(list).toHaveBeenCalledTimes(2);
  list.mockResolvedValue([{ agent: 'a', state: 'open', cause: '', failures: 1, since: '', awayMs: 0, dueInMs: 1 }]);
  for (let n = 0; n < 10; n += 1) await circuits.refresh();
  expect(list.mock.calls.length).toBeGreaterThanOrEqual(2 + 6);
});

describe('the circuit of an agent, at several workers', () => {
  test('an agent that one worker meets away is asked by no other worker, once that has read the circuits', async () => {
    await first.failed('shared', 'network');
    expect(await first.passage('shared', 'a')).toMatchObject({ goes: false, cause: 'network' });
    await second.refresh();
    expect(await second.passage('shared', 'b')).toMatchObject({ goes: false });
    await second.taken('shared');
    expect(await second.passage('shared', 'b')).toEqual({ goes: true, isTrial: false });
    // The first one reads again what it knows as open.
    expect(await first.passage('shared', 'a')).toEqual({ goes: true, isTrial: false });
  });

  test('an agent that another worker met away has a share of slots of its own when it is back', async () => {
    const agent = 'frozen';
    for (let held = 0; held < 2; held += 1) expect(slots.enter(agent)).not.toBeNull();
    expect(slots.enter(agent)).toBeNull();
    await first.failed(agent, 'unanswered');
    // Of this worker, which only reads it.
    const own = createSlots(4);
    for (let held = 0; held < 2; held += 1) own.enter(agent);
    const third = createCircuits({ store, log, timing: timing.circuit, slots: own });
    await third.refresh();
    await first.taken(agent);
    for (const one of [slots, own]) expect(one.enter(agent)).not.toBeNull();
    await first.apply(agent, { type: 'drained' });
  });

  test('a message that begins to wait when its agent is back is not left to be woken', async () => {
    await first.failed('late', 'network');
    expect(await first.wait(messageOf('late', 1))).toBe(true);
    await first.taken('late');
    expect(await second.wait(messageOf('late', 2))).toBe(false);
  });

  test('a message of a task that ended while it waited keeps no circuit open', async () => {
    const agent = 'ended';
    const task = { ...messageOf(agent, 1), threadId: 't-ended', owner: 'local' };
    await store.tasks.put(task, new Date().toISOString());
    await store.tasks.update(task.taskId, { status: 'CANCELED' });
    await first.failed(agent, 'network');
    await first.wait(messageOf(agent, 1));
    const transport = { ping: () => Promise.resolve() } as unknown as A2aTransport;
    const signalMoved = (): Promise<void> => Promise.reject(new Error('there is no such execution'));
    const tending = tendingOf(transport, signalMoved);
    tending.start();
    try {
      await waitFor(async () => (await store.circuits.get(agent)) === null, 20_000, 'the circuit to be closed');
    } finally {
      await tending.stop();
    }
  });

  // Promise W5b
  test('an agent that is away is probed again while another one answers no probe', async () => {
    const pings = { hanging: 0, refusing: 0 };
    const transportOf = (agent: string): A2aTransport =>
      ({
        ping: async ({ signal }: { signal: AbortSignal }) => {
          pings[agent as keyof typeof pings] += 1;
          if (agent === 'refusing') throw new TypeError('fetch failed');
          if (!signal.aborted) await once(signal, 'abort');
          throw signal.reason;
        },
        classify: () => ({ kind: 'not-sent', what: 'network', wasTaken: false, message: 'refused' }),
      }) as unknown as A2aTransport;
    for (const agent of Object.keys(pings)) await first.failed(agent, 'network');
    const engine = { signalMoved: () => Promise.resolve() };
    const tending = tendCircuits({ store, circuits: first, engine, transportOf, timing, log });
    tending.start();
    try {
      await waitFor(() => pings.refusing > 3, 20_000, 'the other agent to be probed');
      expect(pings.hanging).toBe(1);
    } finally {
      await tending.stop();
      for (const agent of Object.keys(pings)) {
        await first.taken(agent);
        await first.apply(agent, { type: 'drained' });
      }
    }
  });

  // Promise W5b
  test('an agent that is away is probed by no message, one message tries when it is back, and then all are woken, also where that fails once', async () => {
    const agent = 'probed';
    let isUp = false;
    let pings = 0;
    const woken: number[] = [];
    let failures = 0;
    const transport = {
      ping: () => {
        pings += 1;
        return isUp ? Promise.resolve() : Promise.reject(new TypeError('fetch failed'));
      },
      classify: () => ({ kind: 'not-sent', what: 'network', wasTaken: false, message: 'refused' }),
    } as unknown as A2aTransport;
    const signalMoved = async (id: string, _run: string, { watchVersion }: { watchVersion: number }): Promise<void> => {
      // Others' messages wait in the same database.
      if (!id.startsWith(`w-${agent}-`)) return;
      // Temporal is away for a moment.
      if (watchVersion === 2 && (failures += 1) === 1) throw new Error('the signal did not arrive');
      woken.push(watchVersion);
      // The first that is woken has its message taken.
      await first.taken(agent);
    };
    await first.failed(agent, 'network');
    for (const n of [1, 2, 3]) await first.wait(messageOf(agent, n, n === 3));
    const tending = tendingOf(transport, signalMoved);
    tending.start();
    try {
      await waitFor(() => pings > 3, 20_000, 'the agent to be probed');
      expect(woken).toEqual([]);
      isUp = true;
      await waitFor(async () => (await store.circuits.get(agent)) === null, 20_000, 'the circuit to be closed');
      expect(woken[0]).toBe(3);
      expect(new Set(woken)).toEqual(new Set([1, 2, 3]));
      expect((await store.circuits.countWaiting())[agent]).toBeUndefined();
    } finally {
      await tending.stop();
    }
  });
});

test('an agent that fails again and again is warned of once a minute, with how often that was', () => {
  const warned: object[] = [];
  const own = { debug: quiet, warn: (values: object) => void warned.push(values) };
  for (const seconds of [0, 1, 2, 59, 61])
    warnEachMinute(own, { agent: 'a', taskId: 't' }, 'it failed', seconds * 1_000);
  warnEachMinute(own, { agent: 'b' }, 'it failed', 2_000);
  warnEachMinute(own, { agent: 'a' }, 'it broke', 2_000);
  expect(warned).toEqual([
    { agent: 'a', taskId: 't' },
    { agent: 'a', taskId: 't', times: 4 },
    { agent: 'b' },
    { agent: 'a' },
  ]);
});
