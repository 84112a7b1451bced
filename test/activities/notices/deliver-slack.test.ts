// Questions in Slack, at a server that keeps Slack's documented rules.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { deliverNotice } from '../../../src/activities/notices/deliver-notice.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import type { NoticeInput } from '../../../src/contract/tasks/activity.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { buttonsOf, slackSecret, slackToken, startFakeSlack, type FakeSlack } from '../../rigs/surfaces/fake-slack.ts';
import { aQuestion } from '../../rigs/factories.ts';
import { aHold, decidedBy } from '../../store/stores.ts';
import { streamed } from '../../api/streamed.ts';
import { depsOf } from '../turns.ts';

let store: Store;
let slack: FakeSlack;
beforeAll(async () => {
  store = await openTestStore();
});
beforeEach(async () => {
  slack = await startFakeSlack();
  slack.people.set('U1', 'finn@example.org').set('U2', 'fay@example.org');
});
afterEach(() => slack.close());
afterAll(() => store?.close());

const yesNo = aQuestion({
  kind: 'confirmation',
  title: 'Pay 4,200 EUR?',
  message: 'To <@U9> at https://evil.example',
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

async function deliver({ holdId }: HoldRow, event: NoticeInput['event'], k = 0, from = store): Promise<void> {
  const config = ConfigSchema.parse({
    agents: { fake: { url: 'http://127.0.0.1:1/' } },
    notifications: {
      channels: { team: { type: 'slack-app', botToken: slackToken, signingSecret: slackSecret, apiUrl: slack.url } },
    },
    users: { finn: { email: 'finn@example.org' }, fay: { email: 'fay@example.org' } },
    auth: { keys: ['finn', 'fay'].map((user) => ({ user, roles: ['finance'], key: `the key of ${user}, long` })) },
  });
  const deps = depsOf(from, () => Promise.reject(new Error('no agent is asked')) as never, { config });
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  await environment.run(() => deliverNotice(deps, { holdId, event, k, channel: 'team' }));
}

test('A question is sent to each person who is asked, once, with buttons and words that are no links', async () => {
  const hold = await ask();
  await deliver(hold, 'opened');
  await deliver(hold, 'opened');
  expect(slack.messages.map(({ channel }) => channel).toSorted()).toEqual(['DU1', 'DU2']);
  const [message] = slack.messages;
  expect(buttonsOf(message ?? { blocks: [] })).toEqual(expect.arrayContaining(['yes', 'no', 'open']));
  expect(JSON.stringify(message?.blocks)).not.toContain('https://evil.example');
  expect(JSON.stringify(message?.blocks)).not.toContain('mrkdwn');
});

// Promise U4
test('What its agent streamed before a question is shown in Slack with its buttons', async () => {
  const key = { agent: 'expenses', threadId: 'streams', runId: 'asks' };
  const artifacts = await streamed(store, key, 'task-streams', { reply: 'See https://evil.example, it is due.' });
  const hold = await ask({ ...key, openedInRun: key.runId, artifacts });
  await deliver(hold, 'opened');
  const [message] = slack.messages;
  expect(buttonsOf(message ?? { blocks: [] })).toEqual(expect.arrayContaining(['yes', 'no']));
  expect(JSON.stringify(message?.blocks)).toContain('it is due.');
  expect(JSON.stringify(message?.blocks)).not.toContain('https://evil.example');
});

test('Words that grow as their addresses are taken apart are sent in more blocks, and Slack refuses none', async () => {
  await deliver(await ask({ question: { ...yesNo, message: 'x1.y1.ts '.repeat(270).trim() } }), 'opened');
  const [message] = slack.messages;
  expect(buttonsOf(message ?? { blocks: [] })).toContain('yes');
  const words = message?.blocks.map(({ text }) => text?.text ?? '').join('') ?? '';
  expect(words.split('x1[.]y1[.]ts').length - 1).toBe(270);
});

test('A message whose sending was interrupted is found by its metadata and not sent again', async () => {
  const hold = await ask();
  slack.failures.set('chat.postMessage', ['cut']);
  await expect(deliver(hold, 'opened')).rejects.toMatchObject({ type: 'notice_failed', nonRetryable: false });
  await deliver(hold, 'opened');
  expect(slack.messages).toHaveLength(2);
});

test('Messages of a question that was decided elsewhere, expired or was asked again say so and have no buttons', async () => {
  const says = { decided: 'by fay', expired: 'Expired', superseded: 'asks again' };
  for (const event of ['decided', 'expired', 'superseded'] as const) {
    const hold = await ask();
    await deliver(hold, 'opened');
    const end =
      event === 'decided'
        ? decidedBy('fay')
        : { ...decidedBy('policy:default'), status: 'withdrawn' as const, decision: null };
    const ended = { by: 'fay', at: new Date().toISOString(), why: event === 'decided' ? ('approved' as const) : event };
    await store.holds.close(hold.holdId, { ...end, ended });
    await deliver(hold, event);
    const own = slack.messages.filter(({ metadata }) => metadata.event_payload?.id?.startsWith(hold.holdId));
    expect(own).toHaveLength(2);
    for (const message of own) expect(buttonsOf(message)).toEqual(['open']);
    expect(JSON.stringify(own)).toContain(says[event]);
  }
});

test('An interrupted message is updated though its question ended before the retry', async () => {
  const hold = await ask();
  slack.failures.set('chat.postMessage', ['cut', 'cut']);
  await expect(deliver(hold, 'opened')).rejects.toThrow();
  await store.holds.close(hold.holdId, decidedBy('fay'));
  await deliver(hold, 'decided');
  await deliver(hold, 'opened');
  expect(slack.messages).toHaveLength(2);
  for (const message of slack.messages) expect(buttonsOf(message)).toEqual(['open']);
});

test('The conversation before a question is a reply in its thread, once, and no words of it are links', async () => {
  const hold = await ask();
  const messages = [
    { id: 'm1', role: 'user', content: 'Pay the florist' },
    { id: 'm2', role: 'tool', content: 'not for people' },
    { id: 'm3', role: 'assistant', content: [{ type: 'text', text: 'See https://evil.example' }] },
  ];
  const thread = { agent: 'fake', threadId: 't-1', owner: 'olga', contextId: null, state: {}, messages };
  const withThread = { ...store, threads: { ...store.threads, get: async () => thread } };
  await deliver(hold, 'opened', 0, withThread);
  await deliver(hold, 'opened', 0, withThread);
  const replies = slack.messages.filter(({ thread: of }) => of !== null);
  expect(replies).toHaveLength(2);
  expect(JSON.stringify(replies[0]?.blocks)).toContain('Pay the florist');
  expect(JSON.stringify(replies)).not.toMatch(/not for people|https:\/\//);
});

test('A reminder is a reply in the thread of the question, once', async () => {
  const hold = await ask();
  await deliver(hold, 'opened');
  await deliver(hold, 'reminder', 1);
  await deliver(hold, 'reminder', 1);
  const replies = slack.messages.filter(({ thread }) => thread !== null);
  expect(replies).toHaveLength(2);
});

test('A rate limit of Slack delays the retry, and a revoked token ends it', async () => {
  const hold = await ask();
  slack.failures.set('chat.postMessage', [429, 429]);
  await expect(deliver(hold, 'opened')).rejects.toMatchObject({ nextRetryDelay: 7000 });
  await deliver(hold, 'opened');
  expect(slack.messages).toHaveLength(2);
  const other = await ask();
  slack.failures.set('conversations.open', ['token_revoked', 'token_revoked']);
  await expect(deliver(other, 'opened')).rejects.toMatchObject({ nonRetryable: true });
});
