// Who is notified of what about a question, over real sinks.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type * as z from 'zod';
import { deliverNotice } from '../../../src/activities/notices/deliver-notice.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import type { NoticeCause, NoticeInput } from '../../../src/contract/tasks/activity.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { aHold, after, aQuestion, owner, taskId, type HoldOverrides } from '../../rigs/factories.ts';
import { startHttpSink, startMailSink, type HttpSink, type MailSink } from '../../rigs/sinks.ts';
import { depsOf } from '../turns.ts';

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
  const row: HoldRow = {
    ...hold,
    taskId,
    agent: 'fake',
    threadId: 't-1',
    owner,
    openedInRun: 'run-1',
    carriedByRun: null,
    card: {},
    updatedAt: hold.openedAt,
    claim: null,
    reassignAsks: [],
    stepsDone: [],
    moves: [],
    version: 1,
    artifacts: [],
    attachments: [],
    ...over,
  };
  await store.holds.putOnce([row]);
  return row;
}

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
        mail: { type: 'mail', server: mail.server, from: 'holdpoint@example.org' },
        slack: { type: 'slack', url: slack.url },
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

async function deliver(
  config: ReturnType<typeof configOf>,
  { holdId }: HoldRow,
  event: NoticeInput['event'],
  { k = 0, channel = 'mail', cause }: { k?: number; channel?: string; cause?: NoticeCause } = {},
): Promise<string[]> {
  const deps = depsOf(store, () => Promise.reject(new Error('no agent is asked')) as never, { config });
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  mail.got.length = 0;
  await environment.run(() => deliverNotice(deps, { holdId, event, k, channel, ...(cause && { cause }) }));
  return mail.got.map(({ to }) => to.join(',').replace('@example.org', '')).toSorted();
}

const fourEyes = { audience: ['role:finance', 'owner'], exclude: ['requester' as const] };

describe('a requester whom the policy keeps from deciding', () => {
  test('is not asked to decide, and is notified how it ended', async () => {
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

  test('leaves out whoever stands in for them', async () => {
    const config = configOf({ olga: { away: { delegate: 'user:finn' } } });
    expect(await deliver(config, await aRow({ policy: fourEyes }), 'opened')).toEqual(['fay']);
  });

  test('is not called by a channel of their own either, though it tells them of the end', async () => {
    const config = configOf({ olga: { notify: ['slack'] } }, []);
    const row = await aRow({ policy: fourEyes });
    await deliver(config, row, 'opened', { channel: 'slack' });
    expect(slack.got).toEqual([]);
    const over = await aRow({ policy: fourEyes, status: 'decided' });
    await deliver(config, over, 'decided', { channel: 'slack' });
    expect(slack.got).toHaveLength(1);
  });

  test('does not silence a channel that the policy names too, nor one of somebody who may decide', async () => {
    const row = await aRow({ policy: fourEyes });
    await deliver(configOf({ olga: { notify: ['slack'] } }, ['slack']), row, 'opened', { channel: 'slack' });
    expect(slack.got).toHaveLength(1);
    const other = await aRow({ policy: { ...fourEyes, audience: ['owner', 'user:finn'] } });
    const both = configOf({ olga: { notify: ['slack'] }, finn: { notify: ['slack'] } }, []);
    await deliver(both, other, 'opened', { channel: 'slack' });
    expect(slack.got).toHaveLength(2);
  });
});

describe('a call for an answer', () => {
  test('goes not to who has agreed already', async () => {
    const vote = {
      by: 'finn',
      at: after('1h'),
      values: {},
      reason: null,
      fingerprint: 'print',
      source: 'page' as const,
      seenDigest: null,
      credential: null,
      actor: null,
    };
    const row = await aRow({ policy: { audience: ['role:finance'], quorum: 2 }, votes: [vote] });
    expect(await deliver(configOf(), row, 'reminder')).toEqual(['fay', 'olga']);
  });

  test('goes to who stands in for somebody asked by name, not for one of a role', async () => {
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

  test('goes not to who was asked by a step and is asked no more', async () => {
    const ladder = [{ after: '2h', escalate: ['role:lead', 'user:finn'] }];
    const row = await aRow({ policy: { audience: ['owner'], ladder }, audience: ['role:lead'] });
    expect(await deliver(configOf(), row, 'escalation')).toEqual(['lena']);
  });
});

describe('a question that is passed on', () => {
  test('notifies those to whom it goes, not who has passed it on, nor who was asked before', async () => {
    const row = await aRow({ policy: { audience: ['owner'] }, audience: ['role:finance', 'user:dora', 'user:lena'] });
    const cause = { by: 'finn', to: ['role:finance', 'user:dora'], note: null };
    expect(await deliver(configOf(), row, 'reassigned', { k: 3, cause })).toEqual(['dora', 'fay', 'olga']);
  });
});

describe('a request that others be asked', () => {
  const cause = { by: 'olga', to: [], note: 'Finance is away' };

  test('notifies those who can pass the question on: those asked, and operators', async () => {
    const row = await aRow({ policy: { audience: ['role:finance'], exclude: ['requester'] } });
    expect(await deliver(configOf(), row, 'reassign-asked', { cause })).toEqual(['fay', 'finn', 'otto']);
    const vote = {
      by: 'finn',
      at: after('1h'),
      values: {},
      reason: null,
      fingerprint: 'print',
      source: 'page' as const,
      seenDigest: null,
      credential: null,
      actor: null,
    };
    const voted = await aRow({ policy: { audience: ['user:finn'], quorum: 2 }, votes: [vote] });
    expect(await deliver(configOf(), voted, 'reassign-asked', { cause })).toEqual(['finn', 'otto']);
  });

  test('of each person is sent once, with their note only where the channel shows reasons', async () => {
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

  test('carries no link to decide by', async () => {
    const schema = { type: 'object', properties: { go: { type: 'boolean' } } };
    const question = aQuestion({ kind: 'confirmation', schema });
    const row = await aRow({ question, policy: { audience: ['user:finn'] } });
    const config = configOf();
    Object.assign(config.notifications.channels['mail'] ?? {}, { decideLinks: true });
    await deliver(config, row, 'opened');
    expect(mail.got[0]?.raw).toContain('/decide/');
    await deliver(config, row, 'reassign-asked', { cause });
    expect(mail.got).toHaveLength(2);
    for (const { raw } of mail.got) expect(raw).not.toContain('/decide/');
  });
});
