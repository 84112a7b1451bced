// Questions in Teams by a bot, at a server that keeps the Bot Connector's documented rules.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { deliverNotice } from '../../../src/activities/notices/deliver-notice.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import type { NoticeInput } from '../../../src/contract/tasks/activity.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import {
  startFakeTeams,
  teamsAppId,
  teamsPassword,
  teamsTenant,
  verbsOf,
  type FakeTeams,
} from '../../rigs/surfaces/fake-teams.ts';
import { aQuestion } from '../../rigs/factories.ts';
import { aHold, decidedBy } from '../../store/stores.ts';
import { depsOf } from '../turns.ts';

let store: Store;
let teams: FakeTeams;
beforeAll(async () => {
  store = await openTestStore();
});
beforeEach(async () => {
  teams = await startFakeTeams();
  for (const user of ['finn', 'fay']) {
    const value = { serviceUrl: `${teams.url}/emea/`, conversation: `with ${user}` };
    await store.personal.put({ user, kind: 'conversation', name: 'bot', value });
  }
});
afterEach(() => teams.close());
afterAll(() => store?.close());

const yesNo = aQuestion({
  kind: 'confirmation',
  title: 'Pay 4,200 EUR?',
  message: '**now** at https://evil.example',
  defaults: {},
  links: [],
  tool: null,
  schema: { type: 'object', properties: { go: { type: 'boolean' } }, required: ['go'] },
});

async function ask(change: Partial<HoldRow> = {}): Promise<HoldRow> {
  const hold = aHold({ audience: ['role:finance'], question: yesNo, attachments: [], artifacts: [], ...change });
  await store.holds.putOnce([hold]);
  return hold;
}

async function deliver({ holdId }: HoldRow, event: NoticeInput['event'], services = [teams.url]): Promise<void> {
  const bot = {
    type: 'teams-bot',
    appId: teamsAppId,
    appPassword: teamsPassword,
    tenant: teamsTenant,
    tokenUrl: `${teams.url}/token`,
    openIdUrl: `${teams.url}/openid`,
    services,
  };
  const config = ConfigSchema.parse({
    agents: { fake: { url: 'http://127.0.0.1:1/' } },
    notifications: { channels: { bot } },
    auth: { keys: ['finn', 'fay'].map((user) => ({ user, roles: ['finance'], key: `the key of ${user}, long` })) },
  });
  const deps = depsOf(store, () => Promise.reject(new Error('no agent is asked')) as never, { config });
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  await environment.run(() => deliverNotice(deps, { holdId, event, k: 0, channel: 'bot' }));
}

test('A card with buttons is sent to each person who is asked, once, and no words of it are Markdown or links', async () => {
  const hold = await ask();
  await deliver(hold, 'opened');
  await deliver(hold, 'opened');
  expect(teams.faults).toEqual([]);
  expect(teams.activities.map(({ conversation }) => conversation).toSorted()).toEqual(['with fay', 'with finn']);
  const card = teams.activities[0]?.card ?? null;
  expect(verbsOf(card)).toEqual(['yes', 'no']);
  expect(card?.refresh).toMatchObject({ action: { type: 'Action.Execute', verb: 'refresh' } });
  expect(JSON.stringify(card)).not.toContain('https://evil.example');
  expect(JSON.stringify(card)).not.toContain('"TextBlock"');
});

test('A card that would be larger than Teams takes has no contents and leads to the page', async () => {
  await deliver(await ask({ question: { ...yesNo, message: 'a\n'.repeat(1_200) } }), 'opened');
  expect(teams.activities).toHaveLength(2);
  expect(verbsOf(teams.activities[0]?.card ?? null)).toEqual([]);
  expect(JSON.stringify(teams.activities[0]?.card)).toContain('on its own page');
});

test('Cards of a question that was decided elsewhere, expired or was asked again say so and have no buttons', async () => {
  const says = { decided: 'by fay', expired: 'Expired', superseded: 'asks again' };
  for (const event of ['decided', 'expired', 'superseded'] as const) {
    teams.activities.length = 0;
    const hold = await ask();
    await deliver(hold, 'opened');
    const end =
      event === 'decided'
        ? decidedBy('fay')
        : { ...decidedBy('policy:default'), status: 'withdrawn' as const, decision: null };
    await store.holds.close(hold.holdId, {
      ...end,
      ended: { by: 'fay', at: new Date().toISOString(), why: event === 'decided' ? ('approved' as const) : event },
    });
    await deliver(hold, event);
    expect(teams.activities).toHaveLength(2);
    for (const { card } of teams.activities) {
      expect(verbsOf(card)).toEqual([]);
      expect(JSON.stringify(card)).toContain(says[event]);
    }
  }
});

test('A connector that is busy is tried again when it asks for it, and who got a card gets no other', async () => {
  const hold = await ask();
  teams.failures.push(429);
  await expect(deliver(hold, 'opened')).rejects.toMatchObject({ nonRetryable: false, nextRetryDelay: 7_000 });
  await deliver(hold, 'opened');
  expect(teams.activities.map(({ conversation }) => conversation).toSorted()).toEqual(['with fay', 'with finn']);
});

test('The token of the bot goes to no service that is not configured', async () => {
  const hold = await ask();
  await expect(deliver(hold, 'opened', ['https://smba.trafficmanager.net'])).rejects.toMatchObject({
    nonRetryable: true,
  });
  expect(teams.tokens).toBe(0);
});
