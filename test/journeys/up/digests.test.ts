// Digests as the whole product sends them: real processes, a real time of the day, and a kill while it waits.
import { afterAll, expect, test } from '@jest/globals';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { type StandfastClient } from '../../rigs/product/standfast.ts';
import { startMailSink, type MailSink } from '../../rigs/sinks.ts';
import { slackSecret, slackToken, startFakeSlack, type FakeSlack } from '../../rigs/surfaces/fake-slack.ts';
import { eventually, waitFor } from '../../rigs/wait-for.ts';
import { ended, longMs, openHold } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const keys = { olga: 'key-of-olga-12345', finn: 'key-of-finn-1234', fay: 'key-of-fay-12345' };
let fake: FakeAgent;
let slack: FakeSlack;
let mail: MailSink;
const as = (who: keyof typeof keys): StandfastClient => up.as(keys[who]);

const configText = (): string => `
agents:
  payer: { url: '${fake.url}', policy: finance }
policies:
  finance: { audience: ['role:finance'], notify: [team, mail], expire: { after: 3d, then: fail } }
notifications:
  channels:
    team:
      { type: slack-app, botToken: '${slackToken}', signingSecret: '${slackSecret}', apiUrl: '${slack.url}', thread: false }
    mail: { type: mail, server: '${mail.server}', from: standfast@example.org }
users:
  finn: { email: finn@example.org }
  fay: { email: fay@example.org }
auth:
  keys:
    - { user: olga, key: '${keys.olga}' }
    - { user: finn, roles: [finance], key: '${keys.finn}' }
    - { user: fay, roles: [finance], key: '${keys.fay}' }
`;

const { supervisor, up, startAgain } = startProduct(async () => {
  fake = await startFakeAgent(supervisor);
  slack = await startFakeSlack();
  mail = await startMailSink();
  slack.people.set('UFINN', 'finn@example.org').set('UFAY', 'fay@example.org');
  return configText();
});
afterAll(async () => {
  await slack?.close();
  await mail?.close();
});

async function ask(title: string): Promise<void> {
  const fields = [{ name: 'go', label: 'Go', type: 'boolean', required: true }];
  const turns = [[{ do: 'form', title, description: 'An invoice is due.', fields }], [{ do: 'complete', text: 'ok' }]];
  ended(await as('olga').run('payer', { threadId: title, text: JSON.stringify({ turns }) }, longMs), 'interrupt');
  await openHold(as('olga'), 'payer', title);
}

const minuteMs = 60_000;
/** Each of the next minutes: however long it takes to ask, a list is due soon after. */
const dueTimes = (): string[] =>
  Array.from({ length: 20 }, (_, index) => new Date(Date.now() + (index + 1) * minuteMs).toISOString().slice(11, 16));

/** What finn got in Slack, as text. */
const finnsInSlack = (): string[] =>
  slack.messages.filter(({ channel }) => channel === 'DUFINN').map(({ blocks }) => JSON.stringify(blocks));
const finnsByMail = (): string[] =>
  mail.got.filter(({ to }) => to.includes('finn@example.org')).map(({ raw }) => raw.replaceAll('=\r\n', ''));
const headerOf = (list: string): string => /\d+ questions? waits? for you, [^"]+UTC/.exec(list)?.[0] ?? list;

test('One list comes at a chosen time though everything was killed meanwhile, and others get theirs at once', async () => {
  const response = await fetch(`${up.url}/api/me/preferences`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${keys.finn}`, 'content-type': 'application/json' },
    body: JSON.stringify({ digest: { zone: 'UTC', at: dueTimes() } }),
  });
  expect(response.status).toBe(200);
  // finn would be sent theirs before fay, on each channel.
  const announced = (title: string): Promise<boolean> =>
    waitFor(
      () =>
        mail.got.some(({ to, raw }) => to.includes('fay@example.org') && raw.includes(title)) &&
        slack.messages.some(({ channel, blocks }) => channel === 'DUFAY' && JSON.stringify(blocks).includes(title)),
      longMs,
      `the messages to fay about ${title}`,
    );
  // Preferences are in force within two seconds: until then questions are announced to finn, too.
  let asked = 0;
  await eventually(async () => {
    asked += 1;
    const title = `In force ${asked}?`;
    await ask(title);
    await announced(title);
    const own = [...finnsByMail(), ...finnsInSlack()].filter((one) => one.includes(title) && headerOf(one) === one);
    expect(own).toEqual([]);
  });
  const [mailsBefore, messagesBefore] = [finnsByMail().length, finnsInSlack().length];
  await ask('Pay the baker?');
  await announced('Pay the baker?');
  await supervisor.killAll9();
  const sentBefore = finnsByMail().length;
  await fake.restart();
  await startAgain();
  const mails = (): string[] => finnsByMail().slice(mailsBefore);
  const messages = (): string[] => finnsInSlack().slice(messagesBefore);
  const listed = (all: string[]): string | undefined => all.find((one) => one.includes('Pay the baker?'));
  await waitFor(() => listed(mails()), longMs + minuteMs, 'the list by mail');
  await waitFor(() => listed(messages()), longMs + minuteMs, 'the list in Slack');
  // Whatever comes is a list, and none comes twice.
  for (const one of [...mails(), ...messages()]) expect(headerOf(one)).toMatch(/^\d+ questions? /);
  // (A mail that was under way at the kill is sent again, with the same id.)
  for (const all of [finnsByMail().slice(sentBefore), messages()])
    expect(new Set(all.map(headerOf)).size).toBe(all.length);
});
