// Who is notified of what about a question, over real sinks.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type * as z from 'zod';
import { deliverNotice } from '../../../src/activities/notices/deliver-notice.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import type { NoticeCause, NoticeInput } from '../../../src/contract/tasks/activity.ts';
import { decisionOf } from '../../../src/core/answers/decision.ts';
import { askerChannel, withCallback } from '../../../src/core/questions/ask.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import {
  aDecideCommand,
  after,
  aHold,
  aHoldRow,
  anAnswer,
  aPrincipal,
  aQuestion,
  type HoldOverrides,
  openedAt,
  owner,
  taskId,
} from '../../rigs/factories.ts';
import { aProvedDecision, closeSent } from '../../rigs/proofs.ts';
import { startHttpSink, startMailSink, type HttpSink, type MailSink } from '../../rigs/sinks.ts';
import { depsOf } from '../turns.ts';
import { withDigest } from '../../store/rows.ts';
import { decidedBy } from '../../store/stores.ts';
import { askDialect } from '../../../src/core/base/ids.ts';

let store: Store;
let mail: MailSink;
let slack: HttpSink;
beforeAll(async () => {
  store = await openTestStore();
});
beforeEach(async () => {
  mail = await startMailSink();
  slack = await startHttpSink();
});
afterEach(async () => {
  await mail.close();
  await slack.close();
});
afterAll(() => store?.close());

let count = 0;
async function aRow(requests: HoldOverrides, over: Partial<HoldRow> = {}): Promise<HoldRow> {
  count += 1;
  const hold = aHold({ n: count, ...requests });
  const row = withDigest(aHoldRow({ ...hold, agent: 'fake', ...over }));
  await store.holds.putOnce([row]);
  return row;
}

const whsec = `whsec_${Buffer.from('a secret of enough bytes').toString('base64')}`;

type Users = z.input<typeof ConfigSchema>['users'];

/** olga opens threads and is of finance herself, as finn and fay are; lena leads. */
function configOf(users: Users = {}, policyNotify: string[] = ['mail']): ReturnType<typeof ConfigSchema.parse> {
  const emails = Object.fromEntries(
    ['olga', 'finn', 'fay', 'lena', 'dora', 'otto'].map((name) => [
      name,
      { email: `${name}@example.org`, ...(users as Record<string, object>)[name] },
    ]),
  );
  const key = (user: string, ...roles: string[]): object => ({ user, roles, key: `the key of ${user}, long` });
  return ConfigSchema.parse({
    agents: { fake: { url: 'http://127.0.0.1:1/' } },
    policies: { finance: { notify: policyNotify } },
    notifications: {
      channels: {
        mail: { type: 'mail', server: mail.server, from: 'standfast@example.org' },
        slack: { type: 'slack', url: slack.url },
        teams: { type: 'teams', url: slack.url },
        hook: { type: 'webhook', url: slack.url, secret: whsec },
        events: { type: 'webhook', url: slack.url, secret: whsec, format: 'cloudevents' },
      },
    },
    users: emails,
    auth: {
      keys: [
        key('otto', 'operator'),
        key('olga', 'finance'),
        key('finn', 'finance'),
        key('fay', 'finance'),
        key('lena', 'lead'),
        key('dora'),
      ],
    },
  });
}

type Sent = { k?: number; cause?: NoticeCause };

async function deliver(
  config: ReturnType<typeof configOf>,
  { holdId }: HoldRow,
  event: NoticeInput['event'],
  { k = 0, channel = 'mail', cause, at = openedAt }: Partial<Record<'channel' | 'at', string>> & Sent = {},
): Promise<string[]> {
  const noAgent = (): never => Promise.reject(new Error('no agent is asked')) as never;
  const deps = { ...depsOf(store, noAgent, { config }), now: () => new Date(at) };
  const info = { scheduledTimestampMs: Date.now(), scheduleToCloseTimeoutMs: 10 * 86_400_000 };
  const environment = new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });
  mail.got.length = 0;
  await environment.run(() => deliverNotice(deps, { holdId, event, k, channel, ...(cause && { cause }) }));
  return mail.got.map(({ to }) => to.join(',').replace('@example.org', '')).toSorted();
}

const fourEyes = { audience: ['role:finance', 'owner'], exclude: ['requester' as const] };

describe('a requester whom the policy keeps from deciding', () => {
  // Promise Q62
  test('a requester whom the policy keeps from deciding is not asked to decide, and is notified how it ended', async () => {
    const ladder = [
      { after: '1h', remind: true as const },
      { after: '2h', escalate: ['role:finance', 'role:lead', 'user:olga'] },
    ];
    const row = await aRow({ policy: { ...fourEyes, ladder } });
    expect(await deliver(configOf(), row, 'opened')).toEqual(['fay', 'finn']);
    expect(await deliver(configOf(), row, 'reminder')).toEqual(['fay', 'finn']);
    const escalated = await aRow({
      policy: { ...fourEyes, ladder },
      audience: ['role:finance', 'owner', 'role:lead', 'user:olga'],
    });
    expect(await deliver(configOf(), escalated, 'escalation', { k: 1 })).toEqual(['fay', 'finn', 'lena']);
    const over = await aRow({ policy: fourEyes, status: 'decided' });
    expect(await deliver(configOf(), over, 'decided')).toEqual(['fay', 'finn', 'olga']);
  });

  // Promise Q62
  test('a requester whom the policy keeps from deciding leaves out those who stand in for them', async () => {
    const config = configOf({ olga: { away: { delegate: 'user:dora' } } });
    expect(await deliver(config, await aRow({ policy: fourEyes }), 'opened')).toEqual(['fay', 'finn']);
  });

  // Promise Q62
  test('a requester whom the policy keeps from deciding is not called by a channel of their own either, though it tells them of the end', async () => {
    const config = configOf({ olga: { notify: ['slack'] } }, []);
    const row = await aRow({ policy: fourEyes });
    await deliver(config, row, 'opened', { channel: 'slack' });
    expect(slack.got).toEqual([]);
    const over = await aRow({ policy: fourEyes, status: 'decided' });
    await deliver(config, over, 'decided', { channel: 'slack' });
    expect(slack.got).toHaveLength(1);
  });

  test('a requester whom the policy keeps from deciding does not silence a channel that the policy names too, nor one of somebody who may decide', async () => {
    const row = await aRow({ policy: fourEyes });
    await deliver(configOf({ olga: { notify: ['slack'] } }, ['slack']), row, 'opened', { channel: 'slack' });
    expect(slack.got).toHaveLength(1);
    const other = await aRow({ policy: { ...fourEyes, audience: ['owner', 'user:finn'] } });
    const both = configOf({ olga: { notify: ['slack'] }, finn: { notify: ['slack'] } }, []);
    await deliver(both, other, 'opened', { channel: 'slack' });
    expect(slack.got).toHaveLength(2);
  });
});

describe('a person', () => {
  const hours = (day: string): { zone: string; hours: string } => ({ zone: 'UTC', hours: `${day} 00:00-24:00` });
  const today = new Date(openedAt).toLocaleDateString('en', { weekday: 'short', timeZone: 'UTC' });
  const another = today === 'Wed' ? 'Fri' : 'Wed';

  test('a person is notified of the events that they chose', async () => {
    const config = configOf({ finn: { events: ['decided'] } });
    const row = await aRow({ policy: { audience: ['role:finance'] } });
    expect(await deliver(config, row, 'opened')).toEqual(['fay', 'olga']);
    await store.holds.close(row.holdId, decidedBy('fay'));
    expect(await deliver(config, row, 'decided')).toEqual(['fay', 'finn', 'olga']);
  });

  test('a person who did not choose the end of a question is not notified of it, though they were called', async () => {
    const config = configOf({ finn: { events: ['opened'] }, fay: { events: ['opened'] } });
    const row = await aRow({ policy: { audience: ['role:finance'] } });
    expect(await deliver(config, row, 'opened')).toEqual(['fay', 'finn', 'olga']);
    // Fay is replaced, and finn may decide to the end.
    await store.holds.amend(row.holdId, { audience: ['user:finn'] });
    await store.holds.close(row.holdId, decidedBy('finn'));
    expect(await deliver(config, row, 'decided')).toEqual(['olga']);
  });

  test('a person with hours of their own is notified in them, and keeps no others waiting', async () => {
    const row = await aRow({ policy: { audience: ['role:finance'] } });
    const later = configOf({ finn: { hours: hours(another) } });
    const failure = deliver(later, row, 'opened');
    await expect(failure).rejects.toMatchObject({ type: 'notice_failed', nonRetryable: false });
    await expect(failure).rejects.toMatchObject({ nextRetryDelay: expect.any(Number) });
    expect(mail.got.map(({ to }) => to.join())).toEqual(expect.not.arrayContaining(['finn@example.org']));
    expect(mail.got).toHaveLength(2);
    expect(await deliver(configOf({ finn: { hours: hours(today) } }), row, 'opened')).toEqual(['finn']);
  });
});

const unsigned = { source: 'page' as const, seenDigest: null, credential: null, actor: null };

describe('a call for an answer', () => {
  // Promise Q63
  test('a call for an answer does not go to who has agreed already', async () => {
    const vote = { ...unsigned, by: 'finn', at: after('1h'), values: {}, reason: null, fingerprint: 'print' };
    const row = await aRow({ policy: { audience: ['role:finance'], quorum: 2 }, votes: [vote] });
    expect(await deliver(configOf(), row, 'reminder')).toEqual(['fay', 'olga']);
  });

  // Promise Q80
  test('a call for an answer that comes late is not sent once the time to answer is up', async () => {
    const row = await aRow({ policy: { audience: ['user:finn'], expire: { after: '2h' } } });
    expect(await deliver(configOf(), row, 'reminder', { at: after('1h') })).toEqual(['finn']);
    expect(await deliver(configOf(), row, 'reminder', { k: 1, at: after('3h') })).toEqual([]);
  });

  test('a call for an answer goes to who stands in for somebody asked by name, not for one of a role', async () => {
    const config = configOf({ finn: { away: { delegate: 'user:dora' } } });
    expect(await deliver(config, await aRow({ policy: { audience: ['user:finn'] } }), 'opened')).toEqual([
      'dora',
      'finn',
    ]);
    expect(await deliver(config, await aRow({ policy: { audience: ['role:finance'] } }), 'opened')).toEqual([
      'fay',
      'finn',
      'olga',
    ]);
  });

  test('a call for an answer does not go to who was asked by a step and is asked no more', async () => {
    const ladder = [{ after: '2h', escalate: ['role:lead', 'user:finn'] }];
    const row = await aRow({ policy: { audience: ['owner'], ladder }, audience: ['role:lead'] });
    expect(await deliver(configOf(), row, 'escalation')).toEqual(['lena']);
  });
});

describe('a question that is passed on', () => {
  test('a question that is passed on notifies those to whom it goes, not who has passed it on, nor who was asked before', async () => {
    const row = await aRow({ policy: { audience: ['owner'] }, audience: ['role:finance', 'user:dora', 'user:lena'] });
    const cause = { by: 'finn', to: ['role:finance', 'user:dora'], note: null };
    expect(await deliver(configOf(), row, 'reassigned', { k: 3, cause })).toEqual(['dora', 'fay', 'olga']);
  });
});

describe('a nudge', () => {
  test('a nudge notifies again who may decide now and has not agreed, never who nudged', async () => {
    const row = await aRow({ policy: { audience: ['role:finance'], exclude: ['requester'] } });
    const nudged = (k: number) => deliver(configOf(), row, 'nudged', { k, cause: { by: 'olga', to: [], note: null } });
    await deliver(configOf(), row, 'opened');
    expect([await nudged(0), await nudged(0), await nudged(1)]).toEqual([['fay', 'finn'], [], ['fay', 'finn']]);
  });
});

describe('a request that others be asked', () => {
  const cause = { by: 'olga', to: [], note: 'Finance is away' };

  // Promise Q64
  test('a request that others be asked notifies those who can pass the question on: those asked, and operators', async () => {
    const row = await aRow({ policy: { audience: ['role:finance'], exclude: ['requester'] } });
    expect(await deliver(configOf(), row, 'reassign-asked', { cause })).toEqual(['fay', 'finn', 'otto']);
    const vote = { ...unsigned, by: 'finn', at: after('1h'), values: {}, reason: null, fingerprint: 'print' };
    const voted = await aRow({ policy: { audience: ['user:finn'], quorum: 2 }, votes: [vote] });
    expect(await deliver(configOf(), voted, 'reassign-asked', { cause })).toEqual(['finn', 'otto']);
  });

  test('a request that others be asked is sent once for each person, with their note only where the channel shows reasons', async () => {
    const row = await aRow({ policy: { audience: ['user:finn'] } });
    const config = configOf();
    await deliver(config, row, 'reassign-asked', { cause });
    expect(await deliver(config, row, 'reassign-asked', { cause })).toEqual([]);
    expect(await deliver(config, row, 'reassign-asked', { cause: { ...cause, by: 'dora' } })).toEqual(['finn', 'otto']);
    expect(mail.got.some(({ raw }) => raw.includes('Finance is away'))).toBe(false);
    Object.assign(config.notifications.channels['slack'] ?? {}, { show: ['reason'] });
    await deliver(config, row, 'reassign-asked', { cause, channel: 'slack' });
    expect(slack.got[0]?.body).toContain('olga: Finance is away');
  });
  const schema = { type: 'object', properties: { go: { type: 'boolean' } } };
  const yesNo = (change: object = {}): HoldOverrides => ({
    question: aQuestion({ kind: 'confirmation', schema, defaults: {}, ...change }),
    policy: { audience: ['user:finn'] },
  });
  const withLinks = (): ReturnType<typeof configOf> => {
    const config = configOf();
    Object.assign(config.notifications.channels['mail'] ?? {}, { decideLinks: true });
    return config;
  };
  test('a request that others be asked carries no link to decide by', async () => {
    await deliver(withLinks(), await aRow(yesNo()), 'reassign-asked', { cause });
    expect(mail.got.map(({ raw }) => raw.includes('/decide/'))).toEqual([false, false]);
  });
  const lies = { id: 'a', name: 'a', digest: 'sha256:a' };
  test.each([
    [true, 'one whose agent streamed text before it', {}, [{ ...lies, textLength: 40 }]],
    [false, 'one with more text than its page shows', { message: 'x'.repeat(4_001) }, []],
    [false, 'one with an artifact that is more than text', {}, [{ ...lies, textLength: 40 }, lies]],
  ])('the mail that asks carries a link to decide by (%s): %s', async (hasLink, _what, change, artifacts) => {
    await deliver(withLinks(), await aRow(yesNo(change), { artifacts }), 'opened');
    expect(mail.got[0]?.raw).toContain('/holds/');
    expect(mail.got[0]?.raw.includes('/decide/')).toBe(hasLink);
  });
});

const endedBy = (by: string): Partial<HoldRow> => {
  const { entry } = aDecideCommand(anAnswer());
  const decision = decisionOf(entry, aPrincipal(by), after('1m'), {
    source: 'rest',
    digest: 'd',
  });
  return { status: 'decided', decision, ended: { by, at: after('1m'), why: 'approved' } };
};

describe('mails about one question', () => {
  const headerOf = (raw: string, name: string): string[] =>
    (new RegExp(`^${name}:\\s*(.*(?:\\r?\\n\\s.*)*)`, 'im').exec(raw)?.[1] ?? '').match(/<[^>]+>/g) ?? [];

  test('mails about one question are a thread that ends with what became of it, and say that replies are not read', async () => {
    const question = aQuestion({ title: 'Trip?', message: 'm' });
    const row = await aRow({ question, policy: { audience: ['user:finn'], ladder: [{ after: '1h', remind: true }] } });
    const raws: string[] = [];
    for (const event of ['opened', 'reminder', 'decided'] as const) {
      if (event === 'decided') await store.holds.close(row.holdId, decidedBy('fay'));
      await deliver(configOf(), row, event);
      raws.push(mail.got.find(({ to }) => to.join().startsWith('finn'))?.raw ?? '');
    }
    const [first = '', second = '', last = ''] = raws;
    const ids = raws.flatMap((raw) => headerOf(raw, 'message-id'));
    expect(new Set(ids).size).toBe(3);
    expect(headerOf(first, 'references')).toEqual([]);
    expect(headerOf(second, 'in-reply-to')).toEqual([ids[0]]);
    expect(headerOf(last, 'references')).toEqual(ids.slice(0, 2));
    expect(first).toContain('Subject: Trip? (fake)');
    expect(first.replaceAll(/=\r?\n/g, '')).toMatch(/Next: remind at \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    for (const words of ['Subject: Re: Trip? (fake)', 'by fay']) expect(last).toContain(words);
    for (const raw of raws) expect(raw.replaceAll(/=\r?\n/g, '')).toContain('Replies to this mail are not read');
  });

  test('mails about a question that is asked again go on in the thread of the one before', async () => {
    const before = await aRow({ policy: { audience: ['user:finn'] } });
    await deliver(configOf(), before, 'opened');
    const [id] = headerOf(mail.got[0]?.raw ?? '', 'message-id');
    const again = await aRow({ policy: { audience: ['user:finn'] } }, { supersedes: before.holdId });
    await deliver(configOf(), again, 'opened');
    expect(headerOf(mail.got[0]?.raw ?? '', 'in-reply-to')).toEqual([id]);
  });

  test('mails about one question tell the end to those who were replaced as well, without contents', async () => {
    const row = await aRow({ policy: { audience: ['user:finn'] } });
    const config = configOf();
    Object.assign(config.notifications.channels['mail'] ?? {}, { show: ['message'] });
    await deliver(config, row, 'opened');
    expect(mail.got[0]?.raw).toContain('The agent says');
    await store.holds.amend(row.holdId, { audience: ['user:lena'] });
    await store.holds.close(row.holdId, decidedBy('lena'));
    expect(await deliver(config, row, 'decided')).toEqual(['finn', 'lena', 'olga']);
    const [finns, lenas] = ['finn', 'lena'].map((name) => mail.got.find(({ to }) => to.join().startsWith(name))?.raw);
    expect(lenas).toContain('The agent says');
    expect(finns).not.toContain('The agent says');
    expect(finns).toMatch(/by lena/);
  });
});

test('A workflow of Teams gets a card for each event, once, and the last one says how the question ended', async () => {
  for (const event of ['decided', 'expired'] as const) {
    slack.got.length = 0;
    const row = await aRow({ policy: { audience: ['user:finn'] } });
    await deliver(configOf(), row, 'opened', { channel: 'teams' });
    const ended = { by: 'policy:finance', at: after('8h'), why: 'expired' as const };
    const expired = { ...decidedBy('policy:finance'), status: 'expired' as const, decision: null, ended };
    await store.holds.close(row.holdId, event === 'decided' ? decidedBy('fay') : expired);
    for (let n = 0; n < 2; n += 1) await deliver(configOf(), row, event, { channel: 'teams' });
    expect(slack.got).toHaveLength(2);
    expect(slack.got[0]?.body).toContain('needs an answer');
    expect(slack.got[1]?.body).toContain(event === 'decided' ? 'by fay' : 'Expired');
    for (const { body } of slack.got) expect(body).not.toContain('Action.Execute');
  }
});

describe('a webhook', () => {
  const policy = { audience: ['role:finance'], ladder: [{ after: '1h', remind: true as const }] };

  test('a webhook carries what names the question, its task and step, and by whom and how it ended', async () => {
    const open = await aRow({ policy });
    await deliver(configOf(), open, 'opened', { channel: 'hook' });
    const data = { holdId: open.holdId, taskId, requester: owner, audience: ['role:finance'], digest: open.digest };
    const unended = { outcome: null, by: null, at: null, then: null, policy: open.plan.policy };
    const body = { type: 'hold.opened', data: { ...data, ...unended, step: { do: 'remind' } } };
    expect(JSON.parse(slack.got[0]?.body ?? '')).toMatchObject(body);
    const over = await aRow({ policy }, endedBy('fay'));
    await deliver(configOf(), over, 'decided', { channel: 'hook' });
    expect(JSON.parse(slack.got[1]?.body ?? '')).toMatchObject({
      data: { outcome: 'answered', by: 'fay', at: after('1m') },
    });
    const ended = { by: 'policy:finance', at: after('8h'), why: 'expired' as const };
    const late = await aRow({ policy }, { status: 'expired', ended });
    await deliver(configOf(), late, 'expired', { channel: 'hook' });
    expect(JSON.parse(slack.got[2]?.body ?? '')).toMatchObject({
      data: { outcome: 'expired', then: late.plan.then, by: 'policy:finance' },
    });
  });

  test('a webhook is a CloudEvent where its channel says so', async () => {
    const row = await aRow({ policy });
    await deliver(configOf(), row, 'opened', { channel: 'events' });
    const [{ headers, body } = { headers: {} as Record<string, string>, body: '{}' }] = slack.got;
    expect(headers['content-type']).toBe('application/cloudevents+json');
    expect(JSON.parse(body)).toMatchObject({
      specversion: '1.0',
      id: headers['webhook-id'],
      type: 'standfast.hold.opened',
      subject: row.holdId,
      time: row.updatedAt,
      datacontenttype: 'application/json',
      data: { holdId: row.holdId, status: 'open' },
    });
  });
});

describe('a program that is notified of the end of its question', () => {
  const asked = { allow: ['127.0.0.1/32'] };
  const withKeys = (egress: object): ReturnType<typeof configOf> => ConfigSchema.parse({ ...configOf(), egress });

  test('a program that is notified of the end of its question gets its own id and how it ended, and not the answer', async () => {
    const question = withCallback(aQuestion({ dialect: askDialect }), { url: slack.url, id: 'pay-1' });
    const open = await aRow({ question }, { audience: ['role:finance'] });
    const decision = aProvedDecision(open, { by: aPrincipal('finn', 'finance'), at: after('1m'), source: 'rest' });
    const ended = { by: 'finn', at: after('1m'), why: 'approved' as const };
    const end = { status: 'decided' as const, answerFingerprint: null, supersededBy: null };
    await closeSent(store, open.holdId, { ...end, votes: [], decision, ended });
    const row = (await store.holds.get(open.holdId))!;
    await deliver(withKeys(asked), row, 'decided', { channel: askerChannel });
    const [{ headers, body } = { headers: {}, body: '{}' }] = slack.got;
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': `msg_${row.holdId}.ended` });
    const data = { id: 'pay-1', version: 1, holdId: row.holdId, status: 'answered' };
    expect(JSON.parse(body)).toEqual({ type: 'ask.ended', timestamp: row.updatedAt, data });
  });

  test('a program that is notified of the end of its question is not reached at an address of this network that egress does not allow', async () => {
    const question = withCallback(aQuestion({ dialect: askDialect }), { url: slack.url, id: 'pay-1' });
    const row = await aRow({ question }, { status: 'expired' });
    await expect(deliver(withKeys({}), row, 'expired', { channel: askerChannel })).rejects.toThrow('@asker');
    expect(slack.got).toEqual([]);
  });
});
