// What leaves Standfast about a question, to a real mail server and real HTTP sinks: when, to whom, how often, and no word more.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { Webhook } from 'standardwebhooks';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { type StandfastClient } from '../../rigs/product/standfast.ts';
import { mailPartsOf } from '../../rigs/mail-parts.ts';
import { startHttpSink, startMailSink, type HttpSink, type MailSink } from '../../rigs/sinks.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { decided, ended, holdsOf, longMs, openHold, readHold, waitForTask, waitForWorkflow } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const keys = {
  requester: 'key-of-requester-1234',
  finn: 'key-of-finn-1234',
  fay: 'key-of-fay-12345',
  lena: 'key-of-lena-1234',
  ollie: 'key-of-ollie-123',
};
const secret = `whsec_${Buffer.from('a secret of enough bytes').toString('base64')}`;
const hitlUri = 'https://kagent.dev/extensions/hitl/v1';

let fake: FakeAgent;
let slack: HttpSink;
let busySlack: HttpSink;
let hook: HttpSink;
let loud: HttpSink;
let mail: MailSink;
let lateMail: MailSink | null = null;
let latePort: number;
const as = (who: keyof typeof keys): StandfastClient => up.as(keys[who]);

const configText = (): string => `
agents:
  quick: { url: '${fake.url}', policy: quick, title: Quick }
  patient: { url: '${fake.url}', policy: patient }
  busy: { url: '${fake.url}', policy: busy }
  late: { url: '${fake.url}', policy: late }
  eyes: { url: '${fake.url}', policy: eyes }
policies:
  quick:
    audience: ['role:finance']
    ladder: [{ after: 4s, remind: true }, { after: 10s, escalate: ['role:lead'] }]
    expire: { after: 25s, then: fail }
    notify: [slack, mail, hook, loud]
  patient: { audience: ['role:finance'], notify: [mail, slack, hook, loud] }
  busy: { audience: ['role:finance'], notify: [busy-slack] }
  late: { audience: ['user:finn'], notify: [late-mail] }
  eyes: { audience: ['role:finance', 'owner'], exclude: [requester], quorum: 2, notify: [mail] }
notifications:
  giveUpAfter: 10m
  channels:
    slack: { type: slack, url: '${slack.url}' }
    busy-slack: { type: slack, url: '${busySlack.url}', on: [opened] }
    mail: { type: mail, server: '${mail.server}', from: standfast@example.org, decideLinks: true }
    late-mail: { type: mail, server: 'smtp://127.0.0.1:${latePort}', from: standfast@example.org }
    hook: { type: webhook, url: '${hook.url}', secret: '${secret}' }
    loud: { type: webhook, url: '${loud.url}', secret: '${secret}', show: [message, toolArgs, values, reason] }
users:
  requester: { email: requester@example.org }
  finn: { email: finn@example.org }
  fay: { email: fay@example.org }
  lena: { email: lena@example.org }
  ollie: { email: ollie@example.org }
auth:
  keys:
    - { user: requester, key: '${keys.requester}' }
    - { user: finn, roles: [finance], key: '${keys.finn}' }
    - { user: fay, roles: [finance], key: '${keys.fay}' }
    - { user: lena, roles: [lead], key: '${keys.lena}' }
    - { user: ollie, roles: [operator], key: '${keys.ollie}' }
`;

const { supervisor, up, startAgain } = startProduct(async () => {
  fake = await startFakeAgent(supervisor);
  [slack, busySlack, hook, loud] = [
    await startHttpSink(),
    await startHttpSink(),
    await startHttpSink(),
    await startHttpSink(),
  ];
  mail = await startMailSink();
  latePort = await supervisor.freePort();
  return configText();
});
afterAll(async () => {
  const sinks = [slack, busySlack, hook, loud, mail, ...(lateMail === null ? [] : [lateMail])];
  await Promise.all(sinks.map((sink) => sink.close()));
});

const script = (...turns: object[][]): string => JSON.stringify({ turns });
const thanks = { do: 'complete', text: 'thanks' };
const yesNo = (title: string): object => ({
  do: 'form',
  title,
  description: 'canary-message',
  fields: [{ name: 'go', label: 'Go', type: 'boolean', required: true }],
});
const toolCall = (title: string): object => {
  const tools = [{ id: 'call-1', call_id: 'call-1', name: title, args: { to: 'canary-args' } }];
  const metadata = { [hitlUri]: { type: 'tool_approval_request', hint: 'canary-message', tools } };
  return { do: 'pause', parts: [{ text: 'canary-message' }], message: { extensions: [hitlUri], metadata } };
};

async function ask(who: keyof typeof keys, agent: string, title: string, step = yesNo(title)): Promise<HoldView> {
  ended(await as(who).run(agent, { threadId: title, text: script([step], [thanks]) }, longMs), 'interrupt');
  return openHold(as(who), agent, title);
}

interface Mail {
  to: string;
  text: string;
}
const mailsAbout = (title: string, sink = mail): Mail[] =>
  sink.got.flatMap(({ to, raw }) => {
    const { text } = mailPartsOf(raw);
    return text.includes(`“${title}”`) ? [{ to: to.join(','), text }] : [];
  });
const waitForMails = (title: string, words: string, count: number, sink = mail): Promise<Mail[]> =>
  waitFor(
    () => {
      const mails = mailsAbout(title, sink).filter(({ text }) => text.includes(words));
      return mails.length >= count ? mails : undefined;
    },
    longMs,
    `${count} mails "${title} ${words}"`,
  );
const tosOf = (mails: Mail[]): string[] => mails.map(({ to }) => to.replace('@example.org', '')).toSorted();
const linkIn = ({ text }: Mail): string | null => /https?:\/\/\S+\/decide\/\S+/.exec(text)?.[0] ?? null;

/** Bodies of a webhook about a question, each with its signature checked. */
function hooksAbout(sink: HttpSink, title: string): { type: string; data: Record<string, unknown> }[] {
  const bodies = sink.got.map(({ body, headers }) =>
    new Webhook(secret).verify(body, headers as Record<string, string>),
  );
  return (bodies as { type: string; data: Record<string, unknown> }[]).filter(({ data }) => data['title'] === title);
}
const slackAbout = (sink: HttpSink, title: string): string[] =>
  sink.got.map(({ body }) => (JSON.parse(body) as { text: string }).text).filter((text) => text.includes(`“${title}”`));

describe('a question without an answer', () => {
  const title = 'Left alone?';
  let hold: HoldView;
  beforeAll(async () => {
    hold = await ask('requester', 'quick', title);
    await waitForTask(as('requester'), hold.taskId, 'FAILED');
    await waitForMails(title, 'expired', 4);
    await waitFor(
      () => hooksAbout(hook, title).length >= 4 && slackAbout(slack, title).length >= 4,
      longMs,
      'the rest',
    );
  });

  // Promise Q34
  test('a question without an answer notifies those who are asked, again at a reminder, those a step adds, and all of them of its end', () => {
    const recipientsOf = (words: string): string[] =>
      tosOf(mailsAbout(title).filter(({ text }) => text.includes(words)));
    expect(recipientsOf('needs an answer')).toEqual(['fay', 'finn']);
    expect(recipientsOf('still waits for an answer')).toEqual(['fay', 'finn']);
    expect(recipientsOf('now waits for you')).toEqual(['lena']);
    expect(recipientsOf('expired.')).toEqual(['fay', 'finn', 'lena', 'requester']);
    expect(mailsAbout(title)).toHaveLength(9);
  });

  test('a question without an answer is sent once by each event in Slack and by a signed webhook, with a link to it', () => {
    const link = `${up.url}/holds/${hold.id}`;
    const types = hooksAbout(hook, title).map(({ type }) => type);
    expect(types).toEqual(['hold.opened', 'hold.reminder', 'hold.escalation', 'hold.expired']);
    expect(hooksAbout(hook, title)[0]?.data).toEqual({
      holdId: hold.id,
      taskId: hold.taskId,
      status: 'open',
      decision: null,
      outcome: null,
      by: null,
      inPlaceOf: null,
      at: null,
      then: null,
      title,
      agent: 'Quick',
      requester: 'requester',
      audience: ['role:finance'],
      policy: 'quick',
      step: expect.objectContaining({ do: 'remind' }),
      digest: hold.digest,
      deadline: hold.expiresAt,
      link,
    });
    expect(hooksAbout(hook, title)[3]?.data).toMatchObject({ outcome: 'expired', then: 'fail', by: 'policy:quick' });
    const texts = slackAbout(slack, title);
    expect(texts).toHaveLength(4);
    for (const text of texts) expect(text).toContain(link);
  });
});

describe('a decision', () => {
  test('a decision is sent to those who were asked and to the owner of the thread, and no word more than a channel allows', async () => {
    const asked = await ask('requester', 'patient', 'pay', toolCall('pay'));
    const title = asked.title;
    const notified = (about: string): Promise<unknown> =>
      waitFor(
        () => mailsAbout(about).length >= 2 && slackAbout(slack, about).length > 0,
        longMs,
        `people to be called to "${about}"`,
      );
    await notified(title);
    const values = { approved: false, reason: 'canary-values' };
    const rejected = await as('finn').post(`/api/holds/${asked.id}/decision`, { status: 'resolved', values });
    expect(rejected.status).toBe(200);
    expect(tosOf(await waitForMails(title, 'was rejected', 3))).toEqual(['fay', 'finn', 'requester']);
    const declined = await ask('requester', 'patient', 'Declined?');
    await notified('Declined?');
    const body = { status: 'cancelled', reason: 'canary-reason' };
    expect((await as('fay').post(`/api/holds/${declined.id}/decision`, body)).status).toBe(200);
    await waitForMails('Declined?', 'was rejected', 3);
    await waitFor(
      () =>
        [hook, loud].every((sink) => hooksAbout(sink, 'Declined?').length === 2) &&
        slackAbout(slack, 'Declined?').length === 2,
      longMs,
      'every channel to have told it',
    );
    const shown = hooksAbout(loud, title).concat(hooksAbout(loud, 'Declined?'));
    for (const word of ['message', 'args', 'values', 'reason']) {
      expect([word, JSON.stringify(shown).includes(`canary-${word}`)]).toEqual([word, true]);
    }
    const mailed = [
      ...[slack, hook].flatMap(({ got }) => got.map((one) => JSON.stringify(one))),
      ...mail.got.flatMap(({ raw }) => [raw, JSON.stringify(mailPartsOf(raw))]),
    ];
    expect(mailed.filter((text) => text.includes('canary-'))).toEqual([]);
  });
});

describe('a question that is not for those asked', () => {
  test('a question that is not for those asked is sent to who can pass it on when somebody asks for that, and to whom it goes', async () => {
    const title = 'Not mine?';
    const hold = await ask('requester', 'patient', title);
    // Each event is sent by a workflow of its own: the next one is raised when this one has come.
    const hooked = (count: number): Promise<boolean> =>
      waitFor(() => hooksAbout(hook, title).length === count, longMs, `${count} calls of the webhook`);
    await waitForMails(title, 'needs an answer', 2);
    await hooked(1);
    const request = { note: 'canary-reason' };
    for (let n = 0; n < 2; n += 1)
      expect((await as('requester').post(`/api/holds/${hold.id}/reassign-ask`, request)).status).toBe(200);
    expect(tosOf(await waitForMails(title, 'should be passed on', 3))).toEqual(['fay', 'finn', 'ollie']);
    await hooked(2);
    const moved = await as('finn').post(`/api/holds/${hold.id}/reassign`, { to: ['role:lead', 'user:finn'] });
    expect(moved.status).toBe(200);
    expect(tosOf(await waitForMails(title, 'was passed on and waits', 1))).toEqual(['lena']);
    await hooked(3);
    expect(hooksAbout(hook, title).map(({ type }) => type)).toEqual([
      'hold.opened',
      'hold.reassign-asked',
      'hold.reassigned',
    ]);
    const body = { status: 'cancelled', reason: 'no' };
    expect((await as('lena').post(`/api/holds/${hold.id}/decision`, body)).status).toBe(200);
    expect(tosOf(await waitForMails(title, 'was rejected', 4))).toEqual(['fay', 'finn', 'lena', 'requester']);
    expect(mailsAbout(title)).toHaveLength(10);
  });
});

describe('a channel that is away', () => {
  // Promise Q34
  test('a channel that is away gets its message once when it is back, also when everything was killed meanwhile', async () => {
    const title = 'Is the mail server back?';
    const hold = await ask('requester', 'late', title);
    const attempts = (): Promise<number> => noticeAttempts(up.temporalAddress, `notice/${hold.id}/opened-0`);
    await waitFor(async () => (await attempts()) > 1, longMs, 'a second attempt');
    await supervisor.killAll9();
    await fake.restart();
    lateMail = await startMailSink(latePort);
    await startAgain();
    await waitForMails(title, 'needs an answer', 1, lateMail);
    const { status } = await decided(as('finn'), hold.id, { status: 'resolved', values: { go: true } });
    expect(status).toBe(200);
    await waitForMails(title, 'was approved', 2, lateMail);
    expect(tosOf(mailsAbout(title, lateMail))).toEqual(['finn', 'finn', 'requester']);
    await waitForTask(as('finn'), hold.taskId, 'DONE');
  });

  // Promise Q34
  test('a channel that is away that has had too much is asked again after the time it names', async () => {
    const title = 'Is Slack busy?';
    busySlack.answers.push({ status: 429, headers: { 'retry-after': '4' } });
    const begun = performance.now();
    await ask('requester', 'busy', title);
    await waitFor(() => slackAbout(busySlack, title).length > 0, longMs, 'the message');
    expect(performance.now() - begun).toBeGreaterThan(3_500);
    expect(slackAbout(busySlack, title)).toHaveLength(1);
  });

  test('a channel that is away that cannot take one address for now gets that mail again, and no other', async () => {
    const title = 'Is the mailbox full?';
    mail.deferred.set('finn@example.org', 2);
    await ask('requester', 'patient', title);
    expect(tosOf(await waitForMails(title, 'needs an answer', 2))).toEqual(['fay', 'finn']);
    expect(mail.deferred.get('finn@example.org')).toBe(0);
  });

  // Promise Q34
  test('a channel that is away that refuses an address for good keeps no other from their mail, and no task from its end', async () => {
    const title = 'Who is there?';
    mail.refused.add('finn@example.org');
    const hold = await ask('requester', 'patient', title);
    expect(tosOf(await waitForMails(title, 'needs an answer', 1))).toEqual(['fay']);
    const { status } = await as('fay').post(`/api/holds/${hold.id}/decision`, {
      status: 'resolved',
      values: { go: true },
    });
    expect(status).toBe(200);
    await waitForTask(as('fay'), hold.taskId, 'DONE');
    await waitForWorkflow(up.temporalAddress, 'patient', title, 'COMPLETED');
    const failed = await noticeResult(up.temporalAddress, `notice/${hold.id}/opened-0`);
    expect(failed).toEqual({ failed: ['mail'] });
    mail.refused.clear();
  });
});

async function withClient<T>(address: string, work: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await work(new Client({ connection }));
  } finally {
    await connection.close();
  }
}
const noticeAttempts = (address: string, workflowId: string): Promise<number> =>
  withClient(address, async ({ workflow }) => {
    const { raw } = await workflow.getHandle(workflowId).describe();
    return raw.pendingActivities?.[0]?.attempt ?? 0;
  });
const noticeResult = (address: string, workflowId: string): Promise<unknown> =>
  withClient(address, ({ workflow }) => workflow.getHandle(workflowId).result());

describe('the link in a mail', () => {
  const press = (link: string, decision = 'yes'): Promise<Response> =>
    fetch(link, { method: 'POST', body: new URLSearchParams({ decision }) });
  const linksOf = async (title: string, count: number): Promise<Map<string, string>> => {
    const mails = await waitForMails(title, 'needs an answer', count);
    return new Map(mails.flatMap((one) => [[one.to.replace('@example.org', ''), linkIn(one) ?? ''] as const]));
  };

  // Promise Q33
  test('the link in a mail decides only when its button is pressed, as its addressee, and once', async () => {
    const title = 'Decide by mail?';
    const hold = await ask('requester', 'patient', title);
    const links = await linksOf(title, 2);
    const link = links.get('finn') ?? '';
    for (let n = 0; n < 5; n += 1) expect((await fetch(link)).status).toBe(200);
    expect((await fetch(link, { method: 'HEAD' })).status).toBe(200);
    const changed = link.replace(/.{3}$/, (end) => (end === 'AAA' ? 'BBB' : 'AAA'));
    expect((await press(changed)).status).toBe(404);
    expect((await press(link, 'perhaps')).status).toBe(400);
    expect((await readHold(as('finn'), hold.id)).status).toBe('open');

    const pressed = await press(link);
    expect([pressed.status, await pressed.text()]).toEqual([200, expect.stringContaining('Recorded: approved')]);
    const { decision } = await readHold(as('finn'), hold.id);
    expect(decision).toMatchObject({ by: 'finn', source: 'link', values: { go: true }, digest: hold.digest });
    for (const again of [link, links.get('fay') ?? '']) {
      const late = await press(again, 'no');
      expect([late.status, await late.text()]).toEqual([409, expect.stringMatching(/Approved by finn/i)]);
    }
    await waitForTask(as('finn'), hold.taskId, 'DONE');
  });

  test('the link in a mail rejects a tool call, and the agent receives it', async () => {
    const hold = await ask('requester', 'patient', 'drop_table', toolCall('drop_table'));
    const link = (await linksOf(hold.title, 2)).get('fay') ?? '';
    expect((await press(link, 'no')).status).toBe(200);
    await waitForTask(as('fay'), hold.taskId, 'DONE');
    expect((await readHold(as('fay'), hold.id)).decision).toMatchObject({ by: 'fay', values: { approved: false } });
    const [answer] = (await fake.messages()).slice(-1);
    expect(JSON.stringify(answer?.metadata)).toContain('"approved":false');
  });

  test('the link in a mail of a question that was asked again decides nothing', async () => {
    const title = 'Asked again?';
    const text = script([yesNo(title)], [yesNo(title)], [thanks]);
    ended(await as('requester').run('patient', { threadId: title, text }, longMs), 'interrupt');
    const first = await openHold(as('finn'), 'patient', title);
    const link = (await linksOf(title, 2)).get('finn') ?? '';
    const sent = await as('finn').post(`/api/tasks/${first.taskId}/chat/message`, { text: 'what for?' });
    expect(sent.status).toBe(200);
    await waitFor(
      async () =>
        (await holdsOf(as('finn'), 'patient', title)).some(({ id, status }) => id !== first.id && status === 'open'),
      longMs,
      'the question asked again',
    );
    const stale = await press(link);
    expect([stale.status, await stale.text()]).toEqual([409, expect.stringContaining('Nothing was decided')]);
    expect((await openHold(as('finn'), 'patient', title)).supersedes).toBe(first.id);
  });

  // Promise Q33
  test('the link in a mail is not sent to those who may not decide, and counts as one vote where two must agree', async () => {
    const title = 'Four eyes?';
    const hold = await ask('requester', 'eyes', title);
    const links = await linksOf(title, 2);
    expect([...links.keys()].toSorted()).toEqual(['fay', 'finn']);
    const one = await press(links.get('finn') ?? '');
    expect([one.status, await one.text()]).toEqual([200, expect.stringContaining('1 of 2 needed')]);
    // It works once; the vote is kept.
    expect((await press(links.get('finn') ?? '')).status).toBe(409);
    expect((await readHold(as('fay'), hold.id)).votes).toMatchObject({ have: 1, need: 2 });
    expect((await press(links.get('fay') ?? '')).status).toBe(200);
    await waitForTask(as('fay'), hold.taskId, 'DONE');
    expect((await readHold(as('fay'), hold.id)).votes.by.map(({ by }) => by)).toEqual(['finn', 'fay']);
    await waitForMails(title, 'was approved', 3);
    expect(tosOf(mailsAbout(title))).toEqual(['fay', 'fay', 'finn', 'finn', 'requester']);
  });
});
