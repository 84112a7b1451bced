import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { formatTask } from '../../../src/cli/operate/show-text.ts';
import type { TaskView } from '../../../src/contract/tasks/task.ts';
import type { TaskQueryView } from '../../../src/workflows/messages.ts';
import type { TaskRow } from '../../../src/store/store.ts';
import { PolicySchema } from '../../../src/contract/configuration/policy.ts';
import { planLadder } from '../../../src/core/policy/ladder.ts';
import { aQuestion } from '../../rigs/factories.ts';
import { aHold, aTask, bearer, fakeTasks, freshThread, type Rig } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const rig = describeApi();
let keyed: Rig;
beforeAll(async () => {
  keyed = await rig.another({ withKeys: true });
});
beforeEach(() => void Object.assign(rig.tasks, fakeTasks()));

const get = (url: string) => rig.app.inject({ method: 'GET', url });
const cancel = (id: string) => rig.app.inject({ method: 'POST', url: `/api/tasks/${id}/cancel` });
interface List {
  items: { id: string; status: string }[];
  nextCursor: string | null;
}

const viewOf = (task: TaskRow, change: Partial<TaskQueryView> = {}): TaskQueryView => ({
  taskId: task.taskId,
  agent: task.agent,
  threadId: task.threadId,
  owner: task.owner,
  a2aTaskId: task.a2aTaskId,
  contextId: null,
  status: 'IN_PROGRESS',
  phase: 'turn',
  turn: 1,
  resumes: 0,
  parkedSince: null,
  away: null,
  pauseMessageId: null,
  asking: null,
  note: null,
  runId: 'r1',
  holds: [],
  past: [],
  error: null,
  ...change,
});

describe('the list of tasks', () => {
  // Promise CO13
  test('the list of tasks filters by status, whatever the case, repeated or with commas', async () => {
    const done = await aTask(rig.store, freshThread(), { status: 'DONE', agent: 'travel' });
    const failed = await aTask(rig.store, freshThread(), { status: 'FAILED', agent: 'travel' });
    await aTask(rig.store, freshThread(), { status: 'IN_PROGRESS', agent: 'travel' });
    const ids = async (query: string) =>
      (await get(`/api/tasks?agent=travel&${query}`))
        .json<List>()
        .items.map((item) => item.id)
        .toSorted();
    const both = [done.taskId, failed.taskId].toSorted();
    expect(await ids('status=done,Failed')).toEqual(both);
    expect(await ids('status=DONE&status=failed')).toEqual(both);
    expect(await ids('status=DONE')).toEqual([done.taskId]);
    expect(await ids('status=')).toHaveLength(3);
  });

  test.each([
    'status=waiting',
    'status=DONE,x',
    'limit=0',
    'stuck=maybe',
    'limit=many',
    'cursor=nonsense',
    'agent=No%20Agent',
    'agent=a&agent=b',
  ])('the list of tasks refuses %s', async (query) => {
    const response = await get(`/api/tasks?${query}`);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'input_invalid', errors: [{ path: query.split('=')[0] }] });
  });

  test('the list of tasks has with stuck=true only those of the reader that do not go on, with since when and why', async () => {
    const since = '2026-01-01T00:00:00.000Z';
    const stuckOf = async (owner: string, agent = 'travel'): Promise<TaskRow> => {
      const task = await aTask(rig.store, freshThread(), { owner, agent, status: 'IN_PROGRESS' });
      await rig.store.tasks.stuck(task.taskId, { cause: 'agent_away', since, why: 'it answered HTTP 503' });
      return task;
    };
    const [annas, theirs, expenses] = [
      await stuckOf('anna'),
      await stuckOf('another'),
      await stuckOf('anna', 'expenses'),
    ];
    const over = await stuckOf('anna');
    const back = await stuckOf('anna');
    await rig.store.tasks.update(over.taskId, { status: 'DONE' });
    await rig.store.tasks.stuck(back.taskId, null);
    await aTask(rig.store, freshThread(), { owner: 'anna', agent: 'travel', status: 'IN_PROGRESS' });
    const read = async (who: 'anna' | 'op', query: string) =>
      (await keyed.app.inject({ method: 'GET', url: `/api/tasks?${query}`, headers: bearer(who) }))
        .json<{ items: TaskView[] }>()
        .items.map(({ id, stuck }) => [id, stuck?.since]);
    const found = (...tasks: TaskRow[]) => expect.arrayContaining(tasks.map(({ taskId }) => [taskId, since]));
    expect(await read('anna', 'stuck=true')).toEqual(found(annas, expenses));
    expect(await read('anna', 'stuck=true')).toHaveLength(2);
    expect(await read('op', 'stuck=true')).toEqual(found(annas, theirs, expenses));
    expect(await read('anna', 'stuck=true&agent=expenses')).toEqual([[expenses.taskId, since]]);
    expect((await read('anna', 'stuck=false')).length).toBeGreaterThan(2);
    for (const { taskId } of [annas, theirs, expenses]) await rig.store.tasks.stuck(taskId, null);
    expect(await read('op', 'stuck=true')).toEqual([]);
  });

  test('the list of tasks is read page by page', async () => {
    for (const day of [1, 2, 3]) {
      await aTask(rig.store, freshThread(), {
        owner: 'pager',
        at: `2026-01-0${day}T00:00:00.000Z`,
        status: 'CANCELED',
      });
    }
    const seen: string[] = [];
    let query = '/api/tasks?status=CANCELED&limit=2';
    for (;;) {
      const page = (await get(query)).json<List>();
      seen.push(...page.items.map((item) => item.id));
      if (page.nextCursor === null) break;
      query = `/api/tasks?status=CANCELED&limit=2&cursor=${encodeURIComponent(page.nextCursor)}`;
    }
    expect(seen).toHaveLength(3);
    expect(new Set(seen).size).toBe(3);
  });

  test('the list of tasks shows a caller their own tasks, and an operator all', async () => {
    const mine = await aTask(rig.store, freshThread(), { owner: 'ben' });
    const ids = async (who: 'anna' | 'ben' | 'op') =>
      (await keyed.app.inject({ method: 'GET', url: '/api/tasks?limit=200', headers: bearer(who) }))
        .json<List>()
        .items.map((item) => item.id);
    expect(await ids('ben')).toEqual([mine.taskId]);
    expect(await ids('anna')).not.toContain(mine.taskId);
    expect(await ids('op')).toContain(mine.taskId);
  });
});

describe('one task', () => {
  // Promise D17
  test('one task has each result of a tool that had to be asked about once, and a terminal names it', async () => {
    const task = await aTask(rig.store, freshThread(), { status: 'DONE' });
    const first = { tool: 'pay', callId: 'c-1' };
    await rig.store.tasks.recordUndecided(task, [first]);
    await rig.store.tasks.recordUndecided(task, [first, { tool: 'pay', callId: 'c-2' }]);
    const view = (await get(`/api/tasks/${task.taskId}`)).json<TaskView>();
    expect(view.undecided).toEqual([first, { tool: 'pay', callId: 'c-2' }]);
    expect(formatTask(view)).toContain(
      'undecided:    pay ran without a decision (call c-1)\n              pay ran without a decision (call c-2)',
    );
  });

  test('one task is read from its workflow while it runs', async () => {
    const task = await aTask(rig.store, freshThread());
    const hold = await aHold(rig.store, task);
    rig.tasks.query = async () => ({
      kind: 'answer',
      value: viewOf(task, { status: 'USER_INPUT_RECEIVED', contextId: 'c1' }),
    });
    const response = await get(`/api/tasks/${task.taskId}`);
    expect(response.json()).toEqual({
      id: task.taskId,
      agent: 'expenses',
      threadId: task.threadId,
      a2aTaskId: task.a2aTaskId,
      contextId: 'c1',
      status: 'USER_INPUT_RECEIVED',
      error: null,
      holds: [hold.holdId],
      createdAt: task.createdAt,
      updatedAt: expect.any(String),
      workflowId: task.workflowId,
      temporalUrl: `http://127.0.0.1:8233/namespaces/default/workflows/${encodeURIComponent(task.workflowId)}/first-${task.taskId}/history`,
      title: '',
      quotation: null,
      owner: 'local',
      restartOf: null,
      restartedAs: null,
      stuck: null,
      artifacts: [],
    });
  });

  test('one task that its workflow has ended is not shown as stuck, though its row is behind', async () => {
    const task = await aTask(rig.store, freshThread());
    await rig.store.tasks.stuck(task.taskId, { cause: 'agent_away', why: 'refused', since: task.createdAt });
    rig.tasks.query = async () => ({ kind: 'answer', value: viewOf(task) });
    expect((await get(`/api/tasks/${task.taskId}`)).json()).toMatchObject({ stuck: { cause: 'agent_away' } });
    rig.tasks.query = async () => ({ kind: 'answer', value: viewOf(task, { status: 'DONE' }) });
    expect((await get(`/api/tasks/${task.taskId}`)).json()).toMatchObject({ status: 'DONE', stuck: null });
  });

  test('one task is read from its row, marked stale, when Temporal cannot be asked', async () => {
    const task = await aTask(rig.store, freshThread());
    expect((await get(`/api/tasks/${task.taskId}`)).json()).toMatchObject({ status: 'IN_PROGRESS', stale: true });
  });

  test('one task that has ended is read from its row, without a call to its workflow', async () => {
    const error = { code: 'hold_expired', message: 'nobody answered' };
    const task = await aTask(rig.store, freshThread(), { status: 'FAILED', error });
    const view = (await get(`/api/tasks/${task.taskId}`)).json<object>();
    expect(view).toMatchObject({ status: 'FAILED', error });
    expect(view).not.toHaveProperty('stale');
    expect(rig.tasks.calls).toEqual([]);
  });

  test('one task is not_found, also for strangers who are asked nothing', async () => {
    expect((await get('/api/tasks/nobody')).json()).toMatchObject({ code: 'not_found' });
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    const status = async (who: 'ben' | 'fin' | 'op') =>
      (await keyed.app.inject({ method: 'GET', url: `/api/tasks/${task.taskId}`, headers: bearer(who) })).statusCode;
    expect(await status('ben')).toBe(404);
    expect(await status('op')).toBe(200);
    expect(await status('fin')).toBe(404);
    await aHold(rig.store, task, { audience: ['role:finance'] });
    expect(await status('fin')).toBe(200);
  });
});

describe('cancelling a task', () => {
  test('cancelling a task is 200 with the task once its end shows', async () => {
    const task = await aTask(rig.store, freshThread());
    rig.tasks.cancel = async () => {
      await rig.store.tasks.update(task.taskId, { status: 'CANCELED' });
      return { kind: 'answer', value: null };
    };
    const response = await cancel(task.taskId);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ id: task.taskId, status: 'CANCELED' });
  });

  test('cancelling a task is 202 with the task while the agent has not answered', async () => {
    const task = await aTask(rig.store, freshThread());
    rig.tasks.cancel = async () => ({ kind: 'answer', value: null });
    rig.tasks.query = async () => ({ kind: 'answer', value: viewOf(task) });
    const response = await cancel(task.taskId);
    expect(response.statusCode).toBe(202);
    expect(response.json()).toMatchObject({ status: 'IN_PROGRESS' });
  });

  test('cancelling a task that has ended changes nothing, without a call to its workflow', async () => {
    const task = await aTask(rig.store, freshThread(), { status: 'DONE' });
    const response = await cancel(task.taskId);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ status: 'DONE' });
    expect(rig.tasks.calls).toEqual([]);
  });

  // Promise W29
  test.each([
    ['is open all the same ends that execution', 'RUNNING', ['DONE']],
    ['has closed does nothing', 'COMPLETED', []],
  ])('cancelling a task that ended a while ago and whose execution %s', async (_what, status, ended) => {
    const task = await aTask(rig.store, freshThread(), { status: 'DONE' });
    await rig.store.tasks.update(task.taskId, { status: 'DONE' });
    rig.setNow(new Date(Date.now() + 120_000).toISOString());
    const statuses: string[] = [];
    rig.tasks.describe = async () => ({ kind: 'answer', value: { status } });
    rig.tasks.end = async (_task, how) => {
      statuses.push(how);
      return { kind: 'answer', value: null };
    };
    expect((await cancel(task.taskId)).statusCode).toBe(200);
    rig.setNow(null);
    expect(statuses).toEqual(ended);
  });

  test('cancelling a task is engine_unavailable when Temporal is away', async () => {
    const task = await aTask(rig.store, freshThread());
    rig.tasks.cancel = async () => ({ kind: 'unanswered', by: 'engine' });
    expect((await cancel(task.taskId)).json()).toMatchObject({ code: 'engine_unavailable', status: 503 });
  });

  test('cancelling a task is for the owner and operators, not for everyone who may read it', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna', status: 'DONE' });
    await aHold(rig.store, task, { audience: ['role:finance'], status: 'decided' });
    const status = async (who: 'anna' | 'fin') =>
      (await keyed.app.inject({ method: 'POST', url: `/api/tasks/${task.taskId}/cancel`, headers: bearer(who) }))
        .statusCode;
    expect(await status('anna')).toBe(200);
    expect(await status('fin')).toBe(403);
  });
});

describe('the inbox', () => {
  test('the inbox shows what a caller is asked or owns, and says whether they may decide', async () => {
    const travel = () => aTask(rig.store, freshThread(), { owner: 'anna', agent: 'travel' });
    const asked = await aHold(rig.store, await travel(), { audience: ['role:finance'] });
    const other = await aHold(rig.store, await travel(), { audience: ['user:ben'] });
    const inbox = async (who: 'anna' | 'ben' | 'fin') => {
      const response = await keyed.app.inject({
        method: 'GET',
        url: '/api/holds?status=OPEN&agent=travel',
        headers: bearer(who),
      });
      const { items } = response.json<{ items: { id: string; mayDecide: boolean }[] }>();
      return new Map(items.map((item) => [item.id, item.mayDecide]));
    };
    expect(await inbox('fin')).toEqual(new Map([[asked.holdId, true]]));
    expect(await inbox('ben')).toEqual(new Map([[other.holdId, true]]));
    expect(await inbox('anna')).toEqual(
      new Map([
        [asked.holdId, false],
        [other.holdId, false],
      ]),
    );
  });

  test('the inbox gives one question whole, by hold id or interrupt id', async () => {
    const task = await aTask(rig.store, freshThread());
    const hold = await aHold(rig.store, task, {
      expiresAt: '2027-01-01T00:00:00.000Z',
      nextStep: { at: '2026-12-31T00:00:00.000Z', do: 'escalate', to: ['role:lead'] },
    });
    const byId = await get(`/api/holds/${hold.holdId}`);
    expect(byId.json()).toMatchObject({
      id: hold.holdId,
      interruptId: hold.interruptId,
      taskId: task.taskId,
      agent: 'expenses',
      threadId: task.threadId,
      kind: 'form',
      title: 'Your trip',
      hasOwnTitle: true,
      lead: null,
      message: 'Where and when?',
      schema: hold.question.schema,
      defaults: {},
      changed: false,
      decides: null,
      context: {
        conversation: `/api/tasks/${task.taskId}/chat`,
        artifacts: [],
        toolArgs: {},
        data: [],
        files: [],
        dialectDigest: expect.stringMatching(/^sha256:/),
      },
      supersedes: null,
      asking: false,
      votes: { have: 0, need: 1, by: [] },
      status: 'open',
      audience: ['owner'],
      exclude: [],
      openedAt: hold.openedAt,
      expiresAt: '2027-01-01T00:00:00.000Z',
      dueAt: '2027-01-01T00:00:00.000Z',
      extensions: [],
      nextStep: { at: '2026-12-31T00:00:00.000Z', do: 'escalate', to: ['role:lead'] },
      digest: hold.digest,
      mayDecide: true,
      mayDiscuss: true,
      mayExtend: true,
      mayNudge: false,
      nudges: [],
      outgoing: null,
      graceMs: null,
      snoozedUntil: null,
      policy: 'default',
      requester: 'local',
      alsoRequesters: [],
      reassign: 'anyone',
      requireDigest: false,
      claim: null,
      reassignAsks: [],
      pause: { index: 1, count: 1, holdIds: [expect.any(String)] },
      ladder: [{ at: '2027-01-01T00:00:00.000Z', do: 'expire', to: [], replace: false, doneAt: null }],
      supervisors: [],
      moves: [],
      expires: { at: '2027-01-01T00:00:00.000Z', then: 'fail', clock: 'wall' },
      onReject: 'cancels',
      supersededBy: null,
      ended: null,
      secretPaths: [],
      draft: null,
      danger: false,
      links: [],
      errors: {},
      tool: null,
      dialect: 'a2a.hitl.form',
      version: 1,
      decision: null,
      forMe: true,
      requiredLeft: 1,
      verdict: null,
      headline: 'Your trip',
      quotation: null,
      values: [],
      about: 'Where and when?',
    });
    expect((await get(`/api/holds/${hold.interruptId}`)).json()).toEqual(byId.json());
  });

  test("the inbox finds an operator's question by the id that carries our own task id", async () => {
    const hold = await aHold(rig.store, await aTask(rig.store, freshThread()), { kind: 'operator' });
    expect((await get(`/api/holds/${hold.interruptId}`)).json()).toMatchObject({ id: hold.holdId, kind: 'operator' });
  });

  test('the inbox shows the rule that chose a question’s policy to those who may decide and to operators alone', async () => {
    const plan = planLadder('director', PolicySchema.parse({}), new Date().toISOString());
    const rule = { number: 2, when: { data: 'amount > 1000' } };
    const hold = await aHold(rig.store, await aTask(rig.store, freshThread(), { owner: 'anna' }), {
      audience: ['role:finance'],
      plan: { ...plan, rule },
      question: { ...aQuestion(), stated: { risk: 'high' } },
    });
    const seen = async (who: 'anna' | 'fin' | 'op') =>
      (await keyed.app.inject({ method: 'GET', url: `/api/holds/${hold.holdId}`, headers: bearer(who) })).json();
    expect(await seen('fin')).toMatchObject({ mayDecide: true, policy: 'director', rule, stated: { risk: 'high' } });
    expect(await seen('op')).toMatchObject({ mayDecide: false, rule });
    const requesters = await seen('anna');
    expect(requesters).toMatchObject({ mayDecide: false, policy: 'director', stated: { risk: 'high' } });
    expect(requesters).not.toHaveProperty('rule');
  });

  test('the inbox hides a question from those it is not for', async () => {
    const hold = await aHold(rig.store, await aTask(rig.store, freshThread(), { owner: 'anna' }), {
      audience: ['role:finance'],
    });
    const status = async (who: 'ben' | 'op') =>
      (await keyed.app.inject({ method: 'GET', url: `/api/holds/${hold.holdId}`, headers: bearer(who) })).statusCode;
    expect(await status('ben')).toBe(404);
    expect(await status('op')).toBe(200);
  });
});
