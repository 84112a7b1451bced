// What people press in Slack, over requests that are signed as Slack signs them.
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { DecideCommand } from '../../../src/contract/holds/decision.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import {
  interaction,
  signedBySlack,
  slackSecret,
  slackTeam,
  slackToken,
  startFakeSlack,
  type FakeSlack,
} from '../../rigs/surfaces/fake-slack.ts';
import { aHold, aQuestion, aTask, fakeTasks, freshThread, keyConfig, takeEverything } from '../rig.ts';
import { describeApi } from '../describe-api.ts';
import { streamed } from '../streamed.ts';

let slack: FakeSlack;
const taken: DecideCommand[] = [];
const rig = describeApi(async () => {
  slack = await startFakeSlack();
  slack.people
    .set('UFIN', 'Fin@example.org')
    .set('UMATE', 'mate@elsewhere.example')
    .set('UANNA', 'anna@example.org')
    .set('UEXT', 'ext@theirs.example');
  const channel = {
    type: 'slack-app' as const,
    botToken: slackToken,
    signingSecret: slackSecret,
    apiUrl: slack.url,
    users: { 'T0THEIRS/UEXT': 'fin' },
  };
  const notifications = { channels: { team: channel } };
  const users = { fin: { email: 'fin@example.org' }, anna: { email: 'anna@example.org' } };
  return { withKeys: true, config: { auth: { keys: keyConfig }, users, notifications } };
});
beforeEach(() => {
  taken.length = 0;
  for (const list of [slack.notified, slack.views, slack.homes, slack.messages, slack.calls]) list.length = 0;
  takeEverything(rig);
  const { decide } = rig.tasks;
  rig.tasks.decide = async (task, command) => {
    taken.push(command);
    return decide(task, command);
  };
});
afterAll(async () => {
  await slack?.close();
});

const yesNo = aQuestion({
  kind: 'confirmation',
  title: 'Pay 4,200 EUR?',
  schema: { type: 'object', properties: { go: { type: 'boolean' } }, required: ['go'] },
});
const asked = async (change: Parameters<typeof aHold>[2] = {}): Promise<HoldRow> =>
  aHold(rig.store, await aTask(rig.store, freshThread(), { owner: 'anna' }), {
    audience: ['role:finance'],
    question: yesNo,
    ...change,
  });

type Request = ReturnType<typeof signedBySlack>;
const post = async (request: Request) => rig.app.inject({ method: 'POST', url: '/surfaces/team/slack', ...request });

let presses = 0;
function press(
  { holdId, digest }: Pick<HoldRow, 'holdId' | 'digest'>,
  action: string,
  person = 'UFIN',
  team = slackTeam,
): string {
  presses += 1;
  slack.triggers.add(`T${presses}`);
  return interaction({
    type: 'block_actions',
    user: { id: person, team_id: team },
    trigger_id: `T${presses}`,
    container: { type: 'message', channel_id: 'D1', message_ts: `${presses}.0` },
    actions: [{ type: 'button', action_id: action, value: JSON.stringify({ h: holdId, d: digest }) }],
  });
}

const submission = ({ holdId, digest }: HoldRow, callback: string, values: object, person = 'UFIN'): string => {
  presses += 1;
  return interaction({
    type: 'view_submission',
    trigger_id: `T${presses}`,
    user: { id: person, team_id: slackTeam },
    view: { callback_id: callback, private_metadata: JSON.stringify({ h: holdId, d: digest }), state: { values } },
  });
};

test('A button in Slack decides for the user with that mail address, with the digest that was shown', async () => {
  const hold = await asked();
  const response = await post(signedBySlack(press(hold, 'yes')));
  expect(response.statusCode).toBe(200);
  expect(taken).toHaveLength(1);
  expect(taken[0]).toMatchObject({
    entry: { hold: hold.holdId, status: 'resolved', values: { go: true }, digest: hold.digest },
    principal: { id: 'fin', roles: ['finance'], credential: 'slack:UFIN' },
    source: 'slack',
  });
});

test('A person of Slack whom no user has the mail address of is notified so and decides nothing', async () => {
  await post(signedBySlack(press(await asked(), 'yes', 'UMATE')));
  expect(taken).toEqual([]);
  expect(slack.notified).toMatchObject([{ user: 'UMATE', text: expect.stringContaining('does not know you') }]);
});

test('The requester decides nothing in Slack under four eyes, and is notified why', async () => {
  const { plan } = await asked();
  const hold = await asked({ audience: ['role:finance', 'owner'], plan: { ...plan, exclude: ['requester'] } });
  Object.assign(rig.tasks, fakeTasks());
  await post(signedBySlack(press(hold, 'yes', 'UANNA')));
  expect(slack.notified).toMatchObject([{ user: 'UANNA', text: expect.stringContaining('Nothing was decided') }]);
});

test('A dialog asks for the reason of a refusal, and its words go with the answer', async () => {
  const question = {
    ...yesNo,
    schema: { ...yesNo.schema, properties: { go: { type: 'boolean' }, reason: { type: 'string' } } },
    tool: { callId: 'c', name: 'pay', args: {}, isEditable: false },
    kind: 'tool_call' as const,
    decisionField: 'go',
  };
  const hold = await asked({ question });
  await post(signedBySlack(press(hold, 'reason')));
  expect(slack.views).toMatchObject([{ type: 'modal', callback_id: 'reason' }]);
  const response = await post(
    signedBySlack(submission(hold, 'reason', { reason: { value: { type: 'plain_text_input', value: 'too much' } } })),
  );
  expect(response.body).toBe('');
  expect(taken[0]?.entry).toMatchObject({ status: 'resolved', values: { go: false, reason: 'too much' } });
});

test('A form of simple fields is filled in a dialog and sent with its types', async () => {
  const schema = {
    type: 'object',
    properties: {
      city: { type: 'string', title: 'City', enum: ['Rome', 'Oslo'] },
      nights: { type: 'integer' },
      late: { type: 'boolean' },
      note: { type: 'string' },
    },
    required: ['city'],
  };
  const hold = await asked({ question: aQuestion({ kind: 'form', title: 'Where?', schema, defaults: { nights: 2 } }) });
  await post(signedBySlack(press(hold, 'form')));
  expect(slack.views).toMatchObject([{ callback_id: 'form' }]);
  const values = {
    'field:city': { value: { type: 'static_select', selected_option: { value: 'Oslo' } } },
    'field:nights': { value: { type: 'plain_text_input', value: '3' } },
    'field:late': { value: { type: 'checkboxes', selected_options: [{ value: 'true' }] } },
    'field:note': { value: { type: 'plain_text_input', value: null } },
  };
  await post(signedBySlack(submission(hold, 'form', values)));
  expect(taken[0]?.entry).toMatchObject({ values: { city: 'Oslo', nights: 3, late: true } });
  expect(taken[0]?.entry.values).not.toHaveProperty('note');
});

/** A question whose agent streamed this before; `there`: what is kept of it by now. */
async function wrote(text: string, there = text): Promise<HoldRow> {
  const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
  const key = { agent: 'expenses', threadId: task.threadId, runId: 'asks' };
  const artifacts = await streamed(rig.store, key, task.taskId, { reply: text }, { reply: there });
  return aHold(rig.store, task, { audience: ['role:finance'], question: yesNo, openedInRun: 'asks', artifacts });
}

// Promise U4
test('A question whose agent streamed text before it is decided in Slack where all of that is shown', async () => {
  const hold = await wrote('The bill is due.');
  await post(signedBySlack(press(hold, 'yes')));
  expect(taken[0]?.entry).toMatchObject({ hold: hold.holdId, values: { go: true } });
  for (const other of [await wrote('x'.repeat(2_501)), await wrote('The bill is due.', 'It is not.')]) {
    await post(signedBySlack(press(other, 'yes')));
  }
  expect(taken).toHaveLength(1);
});

test('A question that Slack does not show whole is decided on its page only', async () => {
  const { plan } = await asked();
  const changes: Parameters<typeof aHold>[2][] = [
    { question: { ...yesNo, message: 'x'.repeat(3_000) } },
    { question: { ...yesNo, links: [{ url: 'https://a.example', title: 'a' }] } },
    { plan: { ...plan, danger: true } },
    { question: aQuestion({ kind: 'form', schema: { type: 'object', properties: { a: { type: 'array' } } } }) },
  ];
  for (const change of changes) await post(signedBySlack(press(await asked(change), 'yes')));
  expect(taken).toEqual([]);
  expect(slack.notified).toHaveLength(changes.length);
});

test('An old message decides nothing about a question that has changed', async () => {
  const hold = await asked();
  await post(signedBySlack(press({ ...hold, digest: 'sha256:old' }, 'yes')));
  expect(taken).toEqual([]);
  expect(slack.notified[0]?.text).toContain('has changed');
});

test('Of 300 forged, altered, late and replayed callbacks none is taken', async () => {
  const hold = await asked();
  const genuine = signedBySlack(press(hold, 'yes'));
  const open = { ...rig.tasks };
  for (let index = 0; index < 300; index += 1) {
    const body = press(hold, 'yes');
    const good = signedBySlack(body);
    const bad: Request[] = [
      signedBySlack(body, { secret: `another secret ${index}` }),
      { ...good, payload: good.payload.replace('yes', 'no') },
      signedBySlack(body, { atMs: Date.now() - 301_000 - index * 1000 }),
      signedBySlack(body, { atMs: Date.now() + 301_000 + index * 1000 }),
      { ...good, headers: { ...good.headers, 'x-slack-signature': '' } },
      { ...good, headers: { ...good.headers, 'x-slack-request-timestamp': `${index}x` } },
    ];
    const response = await post(bad[index % bad.length] ?? good);
    expect(response.statusCode).toBe(401);
  }
  expect(taken).toEqual([]);
  Object.assign(rig.tasks, open);
  await post(genuine);
  expect(taken).toHaveLength(1);
  // As recorded by somebody on the way: the signature is good, and it came before.
  for (let index = 0; index < 20; index += 1) await post(genuine);
  expect(taken).toHaveLength(1);
});

test('A callback whose process ended before it decided is done when Slack sends it again, and then no more', async () => {
  const hold = await asked();
  const { decide } = rig.tasks;
  rig.tasks.decide = async () => Promise.reject(new Error('the process ended'));
  const request = signedBySlack(press(hold, 'yes'));
  await post(request);
  expect(taken).toEqual([]);
  rig.tasks.decide = decide;
  await post(request);
  await post(request);
  expect(taken).toHaveLength(1);
});

test('A trigger that expired, and a Slack that is away, are no failure of the request', async () => {
  const hold = await asked();
  slack.failures.set('views.open', ['expired_trigger_id']);
  expect((await post(signedBySlack(press(hold, 'reason')))).statusCode).toBe(200);
  slack.failures.set('users.info', [503]);
  expect((await post(signedBySlack(press(hold, 'yes')))).statusCode).toBe(200);
  expect(taken).toEqual([]);
});

test('The command lists what waits for the person, and the home tab shows it', async () => {
  await asked({ question: { ...yesNo, title: 'Pay the florist?' } });
  const command = new URLSearchParams({
    command: '/standfast',
    user_id: 'UFIN',
    team_id: slackTeam,
    text: '',
  }).toString();
  const listed = await post(signedBySlack(command));
  expect(listed.json()).toMatchObject({ response_type: 'ephemeral' });
  expect(listed.body).toContain('Pay the florist?');
  const event = JSON.stringify({
    type: 'event_callback',
    team_id: slackTeam,
    event: { type: 'app_home_opened', user: 'UFIN' },
  });
  await post(signedBySlack(event, { type: 'application/json' }));
  expect(JSON.stringify(slack.homes)).toContain('Pay the florist?');
  const stranger = new URLSearchParams({ command: '/standfast', user_id: 'UMATE', team_id: slackTeam }).toString();
  expect((await post(signedBySlack(stranger))).body).not.toContain('florist');
});

test('Slack’s challenge is answered', async () => {
  const body = JSON.stringify({ type: 'url_verification', challenge: 'c-1' });
  expect((await post(signedBySlack(body, { type: 'application/json' }))).json()).toEqual({ challenge: 'c-1' });
});

// Promise Y95
test.each<[string, object, string]>([
  ['of another workspace', { team_id: 'T0THEIRS' }, 'T0THEIRS'],
  ['of another workspace who presses in a shared channel', { team_id: 'T0THEIRS' }, slackTeam],
  ['with the id of a member, in another workspace where the app is installed', {}, 'T0THEIRS'],
  ['in a workspace that is not named', {}, ''],
  ['of a workspace that Slack does not name', { team_id: undefined }, slackTeam],
  ['who is a guest', { is_restricted: true }, slackTeam],
  ['who is a guest of one channel', { is_ultra_restricted: true }, slackTeam],
  ['whose address is not confirmed', { is_email_confirmed: false }, slackTeam],
  ['who is a stranger', { is_stranger: true }, slackTeam],
  ['who has left', { deleted: true }, slackTeam],
])('A person of Slack %s decides nothing by the mail address of a user', async (_who, about, team) => {
  slack.about.set('UFIN', about);
  await post(signedBySlack(press(await asked(), 'yes', 'UFIN', team)));
  slack.about.clear();
  expect(taken).toEqual([]);
  expect(slack.notified).toMatchObject([{ user: 'UFIN', text: expect.stringContaining('does not know you') }]);
});

// Promise Y95
test('A person of another workspace decides in Slack where the channel maps their workspace and id, and no one else with that id', async () => {
  slack.about.set('UEXT', { team_id: 'T0THEIRS' });
  await post(signedBySlack(press(await asked(), 'yes', 'UEXT', slackTeam)));
  await post(signedBySlack(press(await asked(), 'yes', 'UEXT', 'T0OTHER')));
  expect(taken).toEqual([]);
  await post(signedBySlack(press(await asked(), 'yes', 'UEXT', 'T0THEIRS')));
  slack.about.clear();
  expect(taken).toMatchObject([{ principal: { id: 'fin', credential: 'slack:T0THEIRS/UEXT' } }]);
});
