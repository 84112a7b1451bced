// What a caller over A2A sees of its task's question while people vote, decide, take back and let it expire.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { changeTask } from '../../../src/activities/run-log/caller-log.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { PolicySchema } from '../../../src/contract/configuration/policy.ts';
import type { Outgoing, Vote } from '../../../src/contract/holds/decision.ts';
import { planLadder } from '../../../src/core/policy/ladder.ts';
import type { HoldRow, Store, Tables, TaskRow } from '../../../src/store/store.ts';
import { aDecision, aHold, anEnd, aTask } from '../../api/rig.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { depsOf } from '../turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

const at = '2026-03-02T09:00:00.000Z';
const expiresAt = '2026-03-03T09:00:00.000Z';
let count = 0;

interface Asked {
  hold: HoldRow;
  change(work: (tables: Tables) => Promise<unknown>): Promise<void>;
  /** State and words of each status so far. */
  statuses(): Promise<string[]>;
  lastMetadata(): Promise<JsonObject>;
}

async function asked(ask: 'people' | 'caller' | 'both', policy: object = {}): Promise<Asked> {
  count += 1;
  const deps = depsOf(store, () => Promise.reject(new Error('no agent is asked')) as never);
  const task: TaskRow = await aTask(store, `standfast-a2a-${count}`, { owner: 'olga', agent: 'fake' });
  const { taskId, agent, threadId, owner, workflowId, firstExecutionRunId } = task;
  const ref = { taskId, agent, threadId, owner, workflowId, firstExecutionRunId };
  await store.callers.put({ taskId, agent, threadId, owner, contextId: 'c' }, [], at);
  const message = { messageId: 'q', role: 'ROLE_AGENT', parts: [{ text: 'Which colour?' }] };
  const status = { state: 'TASK_STATE_INPUT_REQUIRED', message };
  await store.callers.append(taskId, [{ kind: 'pause', status, metadata: {} }], { at });
  const plan = { ...planLadder('trip', PolicySchema.parse(policy), at), ...(ask === 'people' ? {} : { ask }) };
  const hold = await aHold(store, task, { audience: ['role:finance', 'owner'], plan, expiresAt });
  const change: Asked['change'] = async (work) => void (await changeTask(deps, ref, work));
  await change(() => Promise.resolve());
  const updates = async (): Promise<JsonObject[]> =>
    (await store.callers.read(taskId, 0)).flatMap(({ entry }) =>
      entry.kind === 'event' ? [Object(entry.event['statusUpdate']) as JsonObject] : [],
    );
  return {
    hold,
    change,
    async statuses() {
      return (await updates()).map((update) => {
        const { state, message: words } = Object(update['status']) as {
          state: string;
          message: { parts: JsonObject[] };
        };
        return `${state.replace('TASK_STATE_', '')} ${String(words.parts[0]?.['text'])}`;
      });
    },
    async lastMetadata() {
      const last = (await updates()).at(-1);
      const own = Object(Object(last?.['status']).message) as JsonObject;
      return { ...(Object(own['metadata']) as JsonObject), ...(Object(last?.['metadata']) as JsonObject) };
    },
  };
}

const vote = (by: string): Vote => ({
  by,
  at,
  values: {},
  reason: null,
  fingerprint: 'p',
  source: 'rest',
  seenDigest: null,
  credential: null,
  actor: null,
});
const amended = (
  { audience, asking, plan, votes }: HoldRow,
  change: { votes?: Vote[]; outgoing?: Outgoing | null },
) => ({
  audience,
  asking,
  plan,
  votes,
  ...change,
});
const amend =
  ({ hold }: Asked, change: { votes?: Vote[]; outgoing?: Outgoing | null; audience?: string[] }) =>
  (tables: Tables): Promise<unknown> =>
    tables.holds.amend(hold.holdId, { ...amended(hold, change), ...change });
const names = 'urn:standfast:a2a:hold:v1';
const about = 'finance, olga, until 2026-03-03T09:00:00.000Z: Your trip';

// Promise V8a
describe('a caller whose task’s question has a quorum', () => {
  test('a caller whose task’s question has a quorum sees each vote of people, as words and as numbers', async () => {
    const task = await asked('people', { quorum: 2 });
    await task.change(amend(task, { votes: [vote('fin')] }));
    expect(await task.statuses()).toEqual([
      `WORKING Asked ${about} (0 of 2 agreed)`,
      `WORKING Asked ${about} (1 of 2 agreed)`,
    ]);
    expect((await task.lastMetadata())[names]).toMatchObject({ holds: [{ votes: { have: 1, need: 2 } }] });
  });

  test.each(['caller', 'both'] as const)(
    'a caller whose task’s question has a quorum and may answer (%s) sees the task work once it has agreed',
    async (ask) => {
      const task = await asked(ask, { quorum: 2 });
      expect(await task.statuses()).toEqual(['INPUT_REQUIRED Which colour?']);
      await task.change(amend(task, { votes: [vote('fin')] }));
      const shown = { digest: task.hold.digest, votes: { have: 1, need: 2 } };
      expect((await task.lastMetadata())[names]).toMatchObject({ holds: [shown] });
      await task.change(amend(task, { votes: [vote('olga')] }));
      // The vote is taken back: the caller is asked again.
      await task.change(amend(task, { votes: [] }));
      expect((await task.statuses()).slice(1)).toEqual([
        'INPUT_REQUIRED Which colour?',
        `WORKING Asked ${about} (1 of 2 agreed)`,
        'INPUT_REQUIRED Which colour?',
      ]);
    },
  );
});

describe('a caller whose task’s question is decided under a grace', () => {
  // Promise V8a
  test.each(['people', 'both'] as const)(
    'a caller whose task’s question is decided under a grace is not asked meanwhile (%s), and is again when it is taken back',
    async (ask) => {
      const task = await asked(ask, { grace: '10m' });
      const [first] = await task.statuses();
      const outgoing = { decision: aDecision(), fingerprint: 'p', at: '2026-03-02T09:10:00.000Z' };
      await task.change(amend(task, { outgoing }));
      expect((await task.lastMetadata())[names]).toMatchObject({
        holds: [{ decided: { by: 'fin', sendAt: outgoing.at } }],
      });
      await task.change(amend(task, { outgoing: null }));
      await task.change(amend(task, { outgoing }));
      await task.change((tables) => tables.holds.close(task.hold.holdId, anEnd('decided', aDecision(), 'p'), null));
      const decided = 'WORKING Decided by fin, to be sent at 2026-03-02T09:10:00.000Z: Your trip';
      expect(await task.statuses()).toEqual([first, decided, first, decided, 'WORKING Approved by fin.']);
    },
  );
});

describe('a caller whose task’s question is passed on', () => {
  // Promise V8a
  test.each(['people', 'caller', 'both'] as const)(
    'a caller whose task’s question is passed on sees who is asked now (%s)',
    async (ask) => {
      const task = await asked(ask);
      await task.change(amend(task, { audience: ['role:boss'] }));
      const status = 'WORKING Asked boss, until 2026-03-03T09:00:00.000Z: Your trip';
      expect((await task.statuses()).at(-1)).toBe(status);
      expect((await task.lastMetadata())[names]).toMatchObject({ holds: [{ audience: ['role:boss'] }] });
    },
  );
});

describe('a caller whose task’s question expires', () => {
  // Promise V8a
  test.each(['people', 'caller', 'both'] as const)(
    'a caller whose task’s question expires sees that no answer came (%s), and how the task ends',
    async (ask) => {
      const task = await asked(ask);
      await task.change((tables) => tables.holds.close(task.hold.holdId, anEnd('expired'), null));
      const error = { code: 'hold_expired', message: 'no answer came in time' };
      await task.change((tables) => tables.tasks.update(task.hold.taskId, { status: 'FAILED', error }));
      expect((await task.statuses()).slice(1)).toEqual([
        'WORKING No answer came in time.',
        'FAILED no answer came in time',
      ]);
    },
  );
});
