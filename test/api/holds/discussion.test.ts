import { describe, expect, test } from '@jest/globals';
import { maxComments, type CommentsView, type HoldView } from '../../../src/contract/holds/hold.ts';
import type { InboxCounts } from '../../../src/contract/views/inbox.ts';
import { mentionsIn } from '../../../src/api/holds/mentions.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { aDecision, aHold, anEnd, aTask, bearer, fakeTasks, freshThread, keyConfig } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const people = Object.fromEntries(['fin', 'op', 'anna', 'ben'].map((id) => [id, bearer(id as 'fin')]));
const carl = { authorization: 'Bearer carl-of-finance-as-well' };

const key = { user: 'carl', roles: ['finance'], key: 'carl-of-finance-as-well' };
const rig = describeApi({ config: { auth: { keys: [...keyConfig, key] } } });

const asked = async (): Promise<HoldRow> =>
  aHold(rig.store, await aTask(rig.store, freshThread(), { owner: 'anna' }), { audience: ['role:finance'] });

function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, headers: object | undefined, payload?: object) {
  return rig.app.inject({ method, url, headers: { ...headers }, ...(payload === undefined ? {} : { payload }) });
}
const of = (hold: HoldRow, what: string): string => `/api/holds/${hold.holdId}/${what}`;

async function forMe(headers: object | undefined): Promise<{ ids: string[]; count: number }> {
  const { items, totals } = (await call('GET', '/api/holds?view=forMe&limit=200', headers)).json<{
    items: HoldView[];
    totals: InboxCounts;
  }>();
  return { ids: items.map(({ id }) => id), count: totals.forMe };
}

describe('a question that somebody wants to be reminded of', () => {
  const later = (ms = 3_600_000): string => new Date(Date.now() + ms).toISOString();

  // Promise Q73
  test('a question that somebody wants to be reminded of is out of their “For me” and its number until then, and stays in those of others', async () => {
    const hold = await asked();
    const before = await forMe(people['fin']);
    expect(before.ids).toContain(hold.holdId);
    const until = later();
    const snoozed = (await call('PUT', of(hold, 'snooze'), people['fin'], { until })).json<HoldView>();
    expect(snoozed).toMatchObject({ snoozedUntil: until, forMe: false, mayDecide: true, expiresAt: hold.expiresAt });
    const after = await forMe(people['fin']);
    expect(after.ids).not.toContain(hold.holdId);
    expect(after.count).toBe(before.count - 1);
    expect((await forMe(carl)).ids).toContain(hold.holdId);
    const others = (await call('GET', of(hold, '').slice(0, -1), carl)).json<HoldView>();
    expect(others).toMatchObject({ snoozedUntil: null, forMe: true });
  });

  // Promise Q73
  test('a question that somebody wants to be reminded of is there again as soon as they say so, or its time has come', async () => {
    const hold = await asked();
    await call('PUT', of(hold, 'snooze'), people['fin'], { until: later() });
    expect((await call('DELETE', of(hold, 'snooze'), people['fin'])).json()).toMatchObject({ forMe: true });
    await rig.store.snoozes.put({
      holdId: hold.holdId,
      principal: 'fin',
      until: new Date(Date.now() - 1).toISOString(),
    });
    expect((await forMe(people['fin'])).ids).toContain(hold.holdId);
    expect(await rig.store.snoozes.takeDue()).toContain(hold.holdId);
    expect(await rig.store.snoozes.takeDue()).toEqual([]);
  });

  test.each([later(-1_000), '2999-01-01T00:00:00Z'])(
    'a question that somebody wants to be reminded of is not put off until %s',
    async (until) => {
      const response = await call('PUT', of(await asked(), 'snooze'), people['fin'], { until });
      expect(response.statusCode).toBe(400);
    },
  );

  test('a question that somebody wants to be reminded of is not put off once it is over', async () => {
    const hold = await asked();
    await rig.store.holds.close(hold.holdId, anEnd('decided', aDecision(), 'p'));
    const response = await call('PUT', of(hold, 'snooze'), people['fin'], { until: later() });
    expect(response.json()).toMatchObject({ code: 'hold_closed' });
  });
});

describe('what those who may decide say to each other', () => {
  // Promise Q74
  test('what those who may decide say to each other is kept with the question in order, also after its end, and seen by them alone', async () => {
    const hold = await asked();
    await call('POST', of(hold, 'comments'), people['fin'], { text: ' Is this the old supplier? ' });
    const view = (await call('POST', of(hold, 'comments'), carl, { text: 'Yes.' })).json<CommentsView>();
    expect(view.items.map(({ by, text }) => [by, text])).toEqual([
      ['fin', 'Is this the old supplier?'],
      ['carl', 'Yes.'],
    ]);
    await rig.store.holds.close(hold.holdId, anEnd('decided', aDecision(), 'p'));
    expect((await call('GET', of(hold, 'comments'), people['op'])).json<CommentsView>().items).toHaveLength(2);
    // The requester sees the question and not the comments on it; a stranger sees neither.
    const statuses = ['anna', 'ben'].map(async (who) => call('GET', of(hold, 'comments'), people[who]));
    expect((await Promise.all(statuses)).map(({ statusCode }) => statusCode)).toEqual([403, 404]);
    const requesters = (await call('GET', of(hold, '').slice(0, -1), people['anna'])).json<HoldView>();
    expect(requesters.mayDiscuss).toBe(false);
  });

  // Promise Q74
  test('what those who may decide say to each other goes along when the agent asks the question again', async () => {
    const [old, now] = [await asked(), await asked()];
    await call('POST', of(old, 'comments'), people['fin'], { text: 'I asked them.' });
    await rig.store.holds.inherit(now.holdId, old.holdId);
    expect((await call('GET', of(now, 'comments'), carl)).json()).toMatchObject({ items: [{ text: 'I asked them.' }] });
  });

  // Promise Q74
  test('what those who may decide say to each other notifies those named, by the question’s channels and their own, and no one without a part in it', async () => {
    rig.config.users = { carl: { notify: ['carl-chat'] }, ben: { notify: ['ben-chat'] } };
    const hold = await asked();
    const sent: unknown[] = [];
    Object.assign(rig.tasks, fakeTasks());
    rig.tasks.notify = async (...args) => {
      sent.push(args);
      return { kind: 'answer', value: null };
    };
    const text = '@carl and @ben: please look, x@carl.example';
    const { items } = (await call('POST', of(hold, 'comments'), people['fin'], { text })).json<CommentsView>();
    expect(items[0]).toMatchObject({ mentions: ['carl'] });
    const cause = { by: 'fin', to: ['user:carl'], note: text };
    const id = items[0]?.id;
    expect(sent).toEqual([
      [
        `notice/${hold.holdId}/mentioned-${id}`,
        expect.objectContaining({ event: 'mentioned', k: id, cause, channels: ['carl-chat'] }),
      ],
    ]);
    rig.config.users = {};
  });

  test('what those who may decide say to each other is kept although no channel can notify them', async () => {
    rig.config.users = { carl: { notify: ['carl-chat'] } };
    const hold = await asked();
    rig.tasks.notify = async () => ({ kind: 'unanswered', by: 'engine' });
    const response = await call('POST', of(hold, 'comments'), people['fin'], { text: 'Hello @carl' });
    expect(response.json()).toMatchObject({ items: [{ text: 'Hello @carl' }] });
    rig.config.users = {};
  });

  test('what those who may decide say to each other is no longer taken when more of it would not be shown', async () => {
    const hold = await asked();
    const comment = { holdId: hold.holdId, by: 'fin', text: 'And another thing.', mentions: [] };
    for (let n = 0; n < maxComments; n += 1) await rig.store.comments.add(comment);
    const response = await call('POST', of(hold, 'comments'), people['fin'], { text: 'One too many' });
    expect(response.json()).toMatchObject({ status: 400, code: 'input_invalid' });
    expect(await rig.store.comments.ofHold(hold.holdId)).toHaveLength(maxComments);
  });

  test('what those who may decide say to each other is refused where it is empty', async () => {
    const response = await call('POST', of(await asked(), 'comments'), people['fin'], { text: '  ' });
    expect(response.json()).toMatchObject({ code: 'input_invalid' });
  });
});

test.each([
  ['@anna, look', ['anna']],
  ['(@ann) @anna', ['ann', 'anna']],
  ['@annabel a@anna', []],
  ['@anna@example.org!', ['anna@example.org']],
])('a comment “%s” names %j', (text, named) => {
  expect(mentionsIn(text, ['ann', 'anna', 'anna@example.org']).toSorted()).toEqual(named);
});
