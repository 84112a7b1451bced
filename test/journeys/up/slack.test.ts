// Slack as the whole product uses it: a server that keeps Slack's documented rules, real processes, and kills.
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { type StandfastClient } from '../../rigs/product/standfast.ts';
import {
  buttonsOf,
  interaction,
  signedBySlack,
  slackSecret,
  slackTeam,
  slackToken,
  startFakeSlack,
  type FakeSlack,
} from '../../rigs/surfaces/fake-slack.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { ended, longMs, openHold, readHold, waitForTask } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const keys = { olga: 'key-of-olga-12345', finn: 'key-of-finn-1234', fay: 'key-of-fay-12345' };
const as = (who: keyof typeof keys): StandfastClient => up.as(keys[who]);
let fake: FakeAgent;
let slack: FakeSlack;

const configText = (): string => `
agents:
  payer: { url: '${fake.url}', policy: finance }
policies:
  finance: { audience: ['role:finance'], notify: [team] }
notifications:
  channels:
    team: { type: slack-app, botToken: '${slackToken}', signingSecret: '${slackSecret}', apiUrl: '${slack.url}' }
users:
  finn: { email: finn@example.org }
  fay: { email: fay@example.org }
auth:
  keys:
    - { user: olga, key: '${keys.olga}' }
    - { user: finn, roles: [finance], key: '${keys.finn}' }
    - { user: fay, roles: [finance], key: '${keys.fay}' }
`;

const { supervisor, up } = startProduct(async () => {
  fake = await startFakeAgent(supervisor);
  slack = await startFakeSlack();
  slack.people.set('UFINN', 'finn@example.org').set('UFAY', 'fay@example.org');
  return configText();
});
beforeEach(() => slack.failures.clear());
afterAll(async () => {
  await slack?.close();
});

const yesNo = (title: string): object => ({
  do: 'form',
  title,
  description: 'An invoice is due.',
  fields: [{ name: 'go', label: 'Go', type: 'boolean', required: true }],
});
const thanks = { do: 'complete', text: 'thanks' };

async function ask(title: string, ...turns: object[][]): Promise<HoldView> {
  const text = JSON.stringify({ turns: turns.length > 0 ? turns : [[yesNo(title)], [thanks]] });
  ended(await as('olga').run('payer', { threadId: title, text }, longMs), 'interrupt');
  return openHold(as('olga'), 'payer', title);
}

type Message = FakeSlack['messages'][number];
const about = ({ id }: Pick<HoldView, 'id'>): Message[] =>
  slack.messages.filter(
    ({ thread, metadata }) => thread === null && metadata.event_payload?.id?.startsWith(id) === true,
  );
const isOver = (message: Message): boolean => buttonsOf(message).join() === 'open';
const called = (hold: HoldView): Promise<Message[]> =>
  waitFor(() => (about(hold).length === 2 ? about(hold) : undefined), longMs, 'a message to each who is asked');
const over = (hold: HoldView): Promise<boolean> =>
  waitFor(() => about(hold).length > 0 && about(hold).every(isOver), longMs, 'every message says that it is over');

function press(hold: HoldView, action: 'yes' | 'no', person: string): Promise<Response> {
  const message = about(hold).find(({ channel }) => channel === `D${person}`);
  const value = JSON.stringify({ h: hold.id, d: hold.digest });
  const payload = {
    type: 'block_actions',
    user: { id: person, team_id: slackTeam },
    trigger_id: 'T1',
    container: { type: 'message', channel_id: message?.channel, message_ts: message?.ts },
    actions: [{ type: 'button', action_id: action, value }],
  };
  const { payload: body, headers } = signedBySlack(interaction(payload));
  return fetch(`${up.url}/surfaces/team/slack`, { method: 'POST', body, headers });
}

describe('a question in Slack', () => {
  test('a question in Slack is decided by a button there, and every message says by whom', async () => {
    const hold = await ask('Pay the florist?');
    await called(hold);
    expect((await press(hold, 'yes', 'UFINN')).status).toBe(200);
    await waitForTask(as('finn'), hold.taskId, 'DONE');
    expect((await readHold(as('finn'), hold.id)).decision).toMatchObject({ by: 'finn', source: 'slack' });
    await over(hold);
    for (const { blocks } of about(hold)) expect(JSON.stringify(blocks)).toContain('Approved by finn');
  });

  test('a question in Slack that the agent asks again says so at once, and the newer one has a message of its own', async () => {
    const title = 'Pay the baker?';
    const hold = await ask(title, [yesNo(title)], [yesNo(title)], [thanks]);
    await called(hold);
    expect((await as('finn').post(`/api/tasks/${hold.taskId}/chat/message`, { text: 'Which baker?' })).status).toBe(
      200,
    );
    await over(hold);
    for (const { blocks } of about(hold)) expect(JSON.stringify(blocks)).toContain('asks again');
    const newer = await openHold(as('finn'), 'payer', title);
    expect(newer.supersedes).toBe(hold.id);
    await called(newer);
    expect(about(newer).some(isOver)).toBe(false);
  });
});
