// One list of what waits for a person, at times of their own, over real sinks.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type * as z from 'zod';
import { deliverNotice } from '../../../src/activities/notices/deliver-notice.ts';
import { sendDigest } from '../../../src/activities/notices/send-digest.ts';
import type { ActivityDeps } from '../../../src/activities/deps.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import type { DigestStart, NoticeInput } from '../../../src/contract/tasks/activity.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { aQuestion } from '../../rigs/factories.ts';
import { startMailSink, type MailSink } from '../../rigs/sinks.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { startFakePush, vapidKeys, type FakePush } from '../../rigs/surfaces/fake-push.ts';
import { slackSecret, slackToken, startFakeSlack, type FakeSlack } from '../../rigs/surfaces/fake-slack.ts';
import {
  startFakeTeams,
  teamsAppId,
  teamsPassword,
  teamsTenant,
  type FakeTeams,
} from '../../rigs/surfaces/fake-teams.ts';
import { aHold, decidedBy } from '../../store/stores.ts';
import { depsOf } from '../turns.ts';

const vapid = vapidKeys();
const channels = ['mail', 'slack', 'bot', 'push'] as const;
let store: Store;
let mail: MailSink;
let slack: FakeSlack;
let teams: FakeTeams;
let push: FakePush;
let now: Date;
let started: DigestStart[];
let day = 0;
beforeAll(async () => {
  store = await openTestStore();
});
beforeEach(async () => {
  mail = await startMailSink();
  slack = await startFakeSlack();
  slack.people.set('U1', 'finn@example.org').set('U2', 'fay@example.org');
  teams = await startFakeTeams();
  push = await startFakePush(vapid.publicKey);
  // Each test on a day of its own.
  day += 10;
  now = new Date(Date.now() - (Date.now() % 86_400_000) + day * 86_400_000 + 10 * 3_600_000);
  started = [];
  seen = { slack: 0, bot: 0 };
  for (const user of ['finn', 'fay']) {
    const value = { serviceUrl: `${teams.url}/emea/`, conversation: `with ${user}` };
    await store.personal.put({ user, kind: 'conversation', name: 'bot', value });
    const device = { ...push.device(`${user}'s`).subscription, label: 'a browser', session: null, signedIn: null };
    await store.personal.put({ user, kind: 'push', name: `${user}'s`, value: device });
  }
});
afterEach(async () => {
  for (const one of await store.deliveries.onDigest('finn')) await store.deliveries.ended(one);
  await Promise.all([mail, slack, teams, push].map((one) => one.close()));
});
afterAll(() => store?.close());

type User = NonNullable<z.input<typeof ConfigSchema>['users']>[string];
const digest = { zone: 'UTC', at: ['09:00', '16:00'] };

/** finn gets digests at nine and four, fay each message at once; it is ten o’clock. */
function depsWith(finn: Partial<User> = { digest }): ActivityDeps {
  const bot = {
    type: 'teams-bot',
    appId: teamsAppId,
    appPassword: teamsPassword,
    tenant: teamsTenant,
    tokenUrl: `${teams.url}/token`,
    openIdUrl: `${teams.url}/openid`,
    services: [teams.url],
  };
  const config = ConfigSchema.parse({
    agents: { fake: { url: 'http://127.0.0.1:1/' } },
    egress: { allow: ['127.0.0.0/8'] },
    notifications: {
      channels: {
        mail: { type: 'mail', server: mail.server, from: 'standfast@example.org' },
        slack: { type: 'slack-app', botToken: slackToken, signingSecret: slackSecret, apiUrl: slack.url },
        bot,
        push: { type: 'push', ...vapid, subject: 'mailto:ops@example.org' },
      },
    },
    users: { finn: { email: 'finn@example.org', ...finn }, fay: { email: 'fay@example.org' } },
    auth: { keys: ['finn', 'fay'].map((user) => ({ user, roles: ['finance'], key: `the key of ${user}, long` })) },
  });
  const deps = depsOf(store, () => Promise.reject(new Error('no agent is asked')) as never, { config });
  const startDigest = async (start: DigestStart): Promise<boolean> => {
    if (!started.some(({ at }) => at === start.at)) started.push(start);
    return true;
  };
  return { ...deps, engine: { ...deps.engine, startDigest }, now: () => now };
}

const run = <T>(work: () => Promise<T>): Promise<T> => {
  const info = { scheduledTimestampMs: Date.now(), scheduleToCloseTimeoutMs: 10 * 86_400_000 };
  return new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') }).run(work);
};

async function ask(title: string, hours = 48): Promise<HoldRow> {
  const expiresAt = new Date(now.getTime() + hours * 3_600_000).toISOString();
  const question = aQuestion({ title, links: [], tool: null });
  const hold = aHold({ audience: ['role:finance'], question, attachments: [], artifacts: [], expiresAt });
  await store.holds.putOnce([hold]);
  return hold;
}

async function deliver(deps: ActivityDeps, { holdId }: HoldRow, event: NoticeInput['event'], k = 0): Promise<void> {
  for (const channel of channels) await run(() => deliverNotice(deps, { holdId, event, k, channel }));
}

let seen = { slack: 0, bot: 0 };

/** What finn got since this was last asked. */
function finns(): Record<(typeof channels)[number], string[]> {
  const got = {
    mail: mail.got.filter(({ to }) => to.includes('finn@example.org')).map(({ raw }) => raw),
    slack: slack.messages
      .slice(seen.slack)
      .filter(({ channel }) => channel === 'DU1')
      .map((one) => JSON.stringify(one.blocks)),
    bot: teams.activities
      .slice(seen.bot)
      .filter(({ conversation }) => conversation === 'with finn')
      .map(({ card }) => JSON.stringify(card)),
    push: push.received.filter(({ device }) => device === "finn's").map(({ message }) => JSON.stringify(message)),
  };
  seen = { slack: slack.messages.length, bot: teams.activities.length };
  mail.got.length = 0;
  push.received.length = 0;
  return got;
}
const none = { mail: [], slack: [], bot: [], push: [] };

async function sendAt(deps: ActivityDeps, start: DigestStart | undefined): Promise<void> {
  if (start === undefined) throw new Error('no digest was started');
  now = new Date(start.at);
  await run(() => sendDigest(deps, start));
}

test('A person with digests gets one message that lists what waits, on each channel, and others theirs at once', async () => {
  const deps = depsWith();
  await deliver(deps, await ask('Pay the baker?', 60), 'opened');
  await deliver(deps, await ask('Pay the florist?'), 'opened');
  expect(slack.messages.map(({ channel }) => channel)).toEqual(['DU2', 'DU2']);
  expect(mail.got.map(({ to }) => to)).toEqual([['fay@example.org'], ['fay@example.org']]);
  expect(finns()).toEqual(none);
  expect(started.map(({ at }) => at.slice(11, 16))).toEqual(['16:00']);
  await sendAt(deps, started[0]);
  for (const messages of Object.values(finns())) {
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain('2 questions wait for you');
    // What ends first is first.
    expect(messages[0]?.replaceAll('=\r\n', '')).toMatch(/Pay the florist\?.*Pay the baker\?/s);
  }
});

test('A digest is sent once, whatever restarts happen while it is sent', async () => {
  const deps = depsWith();
  await deliver(deps, await ask('Pay the florist?'), 'opened');
  const [first] = started;
  finns();
  slack.failures.set('chat.postMessage', ['cut']);
  await expect(sendAt(deps, first)).rejects.toMatchObject({ type: 'notice_failed', nonRetryable: false });
  await sendAt(deps, first);
  await sendAt(depsWith(), first);
  const got = finns();
  expect(Object.fromEntries(Object.entries(got).map(([channel, messages]) => [channel, messages.length]))).toEqual({
    mail: 1,
    slack: 1,
    bot: 1,
    push: 1,
  });
});

test('A digest lists a question again for as long as it waits, and then what became of it, once', async () => {
  const deps = depsWith();
  const hold = await ask('Pay the florist?');
  await deliver(deps, hold, 'opened');
  await sendAt(deps, started[0]);
  finns();
  expect(started.map(({ at }) => at.slice(11, 16))).toEqual(['16:00', '09:00']);
  await sendAt(deps, started[1]);
  expect(finns().mail[0]).toContain('1 question waits for you');
  await store.holds.close(hold.holdId, decidedBy('fay'));
  await deliver(deps, hold, 'decided');
  expect(finns().mail).toEqual([]);
  await sendAt(deps, started[2]);
  const { mail: mails, ...elsewhere } = finns();
  expect(mails).toHaveLength(1);
  expect(mails[0]?.replaceAll('=\r\n', '')).toContain('Approved by fay');
  expect(elsewhere).toEqual({ slack: [], bot: [], push: [] });
  // Nothing waits any more.
  expect(started).toHaveLength(3);
});

test('A question that would expire before the next digest is sent at once, and so is its reminder', async () => {
  const deps = depsWith();
  const hold = await ask('Pay the florist?', 3);
  await deliver(deps, hold, 'opened');
  for (const messages of Object.values(finns())) expect(messages).toHaveLength(1);
  await deliver(deps, hold, 'reminder', 1);
  const { mail: mails, push: pushed } = finns();
  expect([mails.length, pushed.length]).toEqual([1, 1]);
  expect(started).toEqual([]);
});

test('A digest that falls outside the hours of its person is sent when they begin', async () => {
  const deps = depsWith({ digest, hours: { zone: 'UTC', hours: 'Mon-Sun 10:30-15:00' } });
  await deliver(deps, await ask('Pay the florist?'), 'opened');
  // 16:00 and the next 09:00 are both moved to the next day's 10:30; today's 09:00 to today's.
  expect(started.map(({ at }) => at.slice(11, 16))).toEqual(['10:30']);
  await sendAt(deps, started[0]);
  expect(started.map(({ at }) => at.slice(11, 16))).toEqual(['10:30', '10:30']);
  expect(finns().mail).toHaveLength(1);
});

test('A worker that was away sends the latest digest alone', async () => {
  const deps = depsWith();
  await deliver(deps, await ask('Pay the florist?'), 'opened');
  finns();
  const [missed] = started;
  now = new Date(Date.parse(missed?.at ?? '') + 18 * 3_600_000);
  await run(() => sendDigest(deps, missed ?? { user: '', at: '' }));
  expect(finns()).toEqual(none);
  expect(started.map(({ at }) => at.slice(11, 16))).toEqual(['16:00', '09:00']);
});

test('A person who chose to be notified at once has no digests', async () => {
  const deps = depsWith({ digest: 'off' });
  await deliver(deps, await ask('Pay the florist?'), 'opened');
  for (const messages of Object.values(finns())) expect(messages).toHaveLength(1);
  expect(started).toEqual([]);
});
