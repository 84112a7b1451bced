// What people press in Teams, over requests with tokens as Bot Framework signs them.
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { DecideCommand } from '../../../src/contract/holds/decision.ts';
import { shownQuestion } from '../../../src/core/questions/shown-question.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { createTeams, recipientOf } from '../../../src/surfaces/teams/teams-surface.ts';
import {
  activityOf,
  invokeOf,
  shownTo,
  startFakeTeams,
  teamsAppId,
  teamsPassword,
  teamsTenant,
  verbsOf,
  type FakeTeams,
} from '../../rigs/surfaces/fake-teams.ts';
import { aHold, aQuestion, aTask, fakeTasks, freshThread, keyConfig, takeEverything } from '../rig.ts';
import { decidedBy } from '../../store/stores.ts';
import { describeApi } from '../describe-api.ts';
import { streamed } from '../streamed.ts';

let teams: FakeTeams;
const taken: DecideCommand[] = [];
const objectId = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;

const rig = describeApi(async () => {
  teams = await startFakeTeams();
  teams.people
    .set('29:fin', { objectId: objectId(1), email: 'Fin@example.org' })
    .set('29:mate', { objectId: objectId(2), email: 'mate@elsewhere.example' })
    .set('29:anna', { objectId: objectId(3), email: 'anna@example.org' });
  const bot = {
    type: 'teams-bot' as const,
    appId: teamsAppId,
    appPassword: teamsPassword,
    tenant: teamsTenant,
    tokenUrl: `${teams.url}/token`,
    openIdUrl: `${teams.url}/openid`,
    services: [teams.url],
  };
  const users = { fin: { email: 'fin@example.org' }, anna: { email: 'anna@example.org' } };
  const config = { auth: { keys: keyConfig }, users, notifications: { channels: { bot } } };
  return { withKeys: true, config };
});
beforeEach(() => {
  taken.length = 0;
  teams.activities.length = 0;
  takeEverything(rig);
  const { decide } = rig.tasks;
  rig.tasks.decide = async (task, command) => {
    taken.push(command);
    return decide(task, command);
  };
});
afterAll(async () => {
  await teams?.close();
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

const post = async (payload: object, token: string) =>
  rig.app.inject({
    method: 'POST',
    url: '/surfaces/bot/teams',
    headers: { authorization: `Bearer ${token}` },
    payload,
  });

const pressing = ({ holdId, digest }: Pick<HoldRow, 'holdId' | 'digest'>, verb: string, person: string, inputs = {}) =>
  activityOf(teams, person, invokeOf(verb, { h: holdId, d: digest, ...inputs }));

interface Answer {
  statusCode: number;
  type: string;
  value: object;
}
async function press(hold: Pick<HoldRow, 'holdId' | 'digest'>, verb: string, person = '29:fin', inputs = {}) {
  const response = await post(pressing(hold, verb, person, inputs), await teams.token());
  expect(response.statusCode).toBe(200);
  return response.json<Answer>();
}

test('A button in Teams decides for the user with that mail address, with the digest that was shown', async () => {
  const hold = await asked();
  const answer = await press(hold, 'yes');
  expect(answer).toMatchObject({ statusCode: 200, type: 'application/vnd.microsoft.card.adaptive' });
  expect(taken).toHaveLength(1);
  expect(taken[0]).toMatchObject({
    entry: { hold: hold.holdId, status: 'resolved', values: { go: true }, digest: hold.digest },
    principal: { id: 'fin', roles: ['finance'], credential: `teams:${objectId(1)}` },
    source: 'teams',
  });
});

test('A person of Teams whom no user has the mail address of is notified so and decides nothing', async () => {
  const answer = await press(await asked(), 'yes', '29:mate');
  expect(answer).toMatchObject({ type: 'application/vnd.microsoft.activity.message' });
  expect(JSON.stringify(answer)).toContain('does not know you');
  expect(taken).toEqual([]);
});

test('The requester decides nothing in Teams under four eyes, and reads a card without buttons', async () => {
  const { plan } = await asked();
  const hold = await asked({ audience: ['role:finance', 'owner'], plan: { ...plan, exclude: ['requester'] } });
  Object.assign(rig.tasks, fakeTasks());
  expect(verbsOf((await press(hold, 'refresh', '29:anna')).value)).toEqual([]);
  expect(verbsOf((await press(hold, 'refresh', '29:fin')).value)).toEqual(['yes', 'no']);
  expect(JSON.stringify(await press(hold, 'yes', '29:anna'))).toContain('Nothing was decided');
});

test('A refusal in Teams takes its reason along, and a form its values with their types', async () => {
  const question = {
    ...yesNo,
    schema: { ...yesNo.schema, properties: { go: { type: 'boolean' }, reason: { type: 'string' } } },
    tool: { callId: 'c', name: 'pay', args: {}, isEditable: false },
    kind: 'tool_call' as const,
    decisionField: 'go',
  };
  await press(await asked({ question }), 'reason', '29:fin', { reason: 'too much' });
  expect(taken[0]?.entry).toMatchObject({ status: 'resolved', values: { go: false, reason: 'too much' } });
  const properties = {
    city: { type: 'string', title: 'City', enum: ['Rome', 'Oslo'] },
    nights: { type: 'integer' },
    late: { type: 'boolean' },
    note: { type: 'string' },
  };
  const schema = { type: 'object', properties, required: ['city'] };
  const form = await asked({ question: aQuestion({ kind: 'form', title: 'Where?', schema, defaults: { nights: 2 } }) });
  expect(verbsOf((await press(form, 'refresh')).value)).toEqual(['form']);
  await press(form, 'form', '29:fin', { 'field:city': 'Oslo', 'field:nights': '3', 'field:late': 'true' });
  expect(taken[1]?.entry).toMatchObject({ values: { city: 'Oslo', nights: 3, late: true } });
  expect(taken[1]?.entry.values).not.toHaveProperty('note');
});

/** A question whose agent streamed this before; `there`: what is kept of it by now. */
async function wrote(text: string, there = text): Promise<HoldRow> {
  const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
  const key = { agent: 'expenses', threadId: task.threadId, runId: 'asks' };
  const artifacts = await streamed(rig.store, key, task.taskId, { reply: text }, { reply: there });
  return aHold(rig.store, task, { audience: ['role:finance'], question: yesNo, openedInRun: 'asks', artifacts });
}

// Promise U4
test('A question whose agent streamed text before it is decided in Teams where all of that is shown', async () => {
  const hold = await wrote('The bill is due.');
  await press(hold, 'yes');
  expect(taken[0]?.entry).toMatchObject({ hold: hold.holdId, values: { go: true } });
  for (const other of [await wrote('x'.repeat(2_501)), await wrote('The bill is due.', 'It is not.')]) {
    await press(other, 'yes');
  }
  expect(taken).toHaveLength(1);
});

test('A question that Teams does not show whole is decided on its page only', async () => {
  const { plan } = await asked();
  const changes: Parameters<typeof aHold>[2][] = [
    { question: { ...yesNo, message: 'x'.repeat(3_000) } },
    { question: { ...yesNo, links: [{ url: 'https://a.example', title: 'a' }] } },
    { plan: { ...plan, danger: true } },
    { question: aQuestion({ kind: 'form', schema: { type: 'object', properties: { a: { type: 'array' } } } }) },
  ];
  for (const change of changes) {
    const hold = await asked(change);
    expect(verbsOf((await press(hold, 'refresh')).value)).toEqual([]);
    expect(JSON.stringify(await press(hold, 'yes'))).toContain('on its own page only');
  }
  expect(taken).toEqual([]);
});

test('An old card decides nothing about a question that has changed, and shows it as it is', async () => {
  const hold = await asked();
  expect(JSON.stringify(await press({ ...hold, digest: 'sha256:old' }, 'yes'))).toContain('has changed');
  expect(taken).toEqual([]);
});

test('A person who writes to the bot is listed what waits, and is reached in that conversation from then on', async () => {
  const hold = await asked();
  await post(activityOf(teams, '29:fin', { type: 'message', text: 'hello' }), await teams.token());
  expect(JSON.stringify(teams.activities.at(-1)?.card)).toContain(hold.question.title);
  const [kept] = await rig.store.personal.list('conversation', 'fin');
  expect(kept).toMatchObject({ name: 'bot', value: { conversation: 'conversation of 29:fin' } });
});

/** A card of the question for fin, as a worker sends it; `isRecorded` false: it ended before it recorded that. */
async function sendCard(hold: HoldRow, isRecorded: boolean): Promise<string> {
  const place = { serviceUrl: `${teams.url}/emea/`, conversation: 'conversation of 29:fin' };
  const bot = { appId: teamsAppId, appPassword: teamsPassword, tenant: teamsTenant, tokenUrl: `${teams.url}/token` };
  const surface = createTeams({ ...bot, services: [teams.url] }, fetch, () => new Date());
  const key = { holdId: hold.holdId, channel: 'bot', recipient: 'fin', message: 'question' };
  await rig.store.deliveries.begin(key);
  const shown = shownQuestion(rig.config, 'http://127.0.0.1:8600', hold, surface.limits, {
    texts: [],
    now: '2026-01-01T00:00:00.000Z',
  });
  const handle = await surface.show(shown, recipientOf(place), { id: hold.holdId, begunAt: null });
  if (isRecorded) await rig.store.deliveries.sent(key, handle);
  return String(handle['activity']);
}

async function show(id: string): Promise<void> {
  const card = teams.activities.find((one) => one.id === id);
  const invoke = card && shownTo(teams, '29:fin', card);
  if (invoke == null) throw new Error('Teams does not refresh this card');
  expect((await post(invoke, await teams.token())).statusCode).toBe(200);
}

test('A card that was sent twice, as a process ended meanwhile, is deleted as soon as somebody sees it', async () => {
  const hold = await asked();
  const [lost, kept] = [await sendCard(hold, false), await sendCard(hold, true)];
  await show(kept);
  expect(teams.activities.map(({ id }) => id)).toEqual([lost, kept]);
  await show(lost);
  expect(teams.activities.map(({ id }) => id)).toEqual([kept]);
});

test('A card that a process sent and could not record is recorded when somebody sees it, and none is sent again', async () => {
  const hold = await asked();
  const lost = await sendCard(hold, false);
  await show(lost);
  const key = { holdId: hold.holdId, channel: 'bot', recipient: 'fin', message: 'question' };
  expect(await rig.store.deliveries.get(key)).toMatchObject({ state: 'sent', handle: { activity: lost } });
  await rig.store.holds.close(hold.holdId, decidedBy('anna'));
  const other = await asked();
  const late = await sendCard(other, false);
  await rig.store.holds.close(other.holdId, decidedBy('anna'));
  await show(late);
  expect(verbsOf(teams.activities.find(({ id }) => id === late)?.card ?? null)).toEqual([]);
});

test('A card in another conversation than that of its person is left alone', async () => {
  const hold = await asked();
  const kept = await sendCard(hold, true);
  const elsewhere = await sendCard(hold, false);
  const card = teams.activities.find(({ id }) => id === elsewhere);
  const invoke = card && shownTo(teams, '29:fin', { ...card, conversation: 'conversation of others' });
  await post(invoke ?? {}, await teams.token());
  expect(teams.activities.map(({ id }) => id)).toEqual([kept, elsewhere]);
});

test('Of 300 forged, foreign, late and replayed requests of Teams none is taken', async () => {
  const hold = await asked();
  const good = await teams.token();
  const genuine = pressing(hold, 'yes', '29:fin');
  const [head = '', claims = '', signature = ''] = good.split('.');
  const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
  const elsewhere = { ...genuine, serviceUrl: 'https://evil.example/emea/' };
  const tenant = { ...genuine, channelData: { tenant: { id: teamsAppId } } };
  const bad: [object, string][] = [
    [genuine, await teams.token({}, { key: 'stranger' })],
    [genuine, await teams.token({}, { key: 'unendorsed' })],
    [genuine, await teams.token({}, { issuer: 'https://evil.example' })],
    [genuine, await teams.token({}, { audience: teamsTenant })],
    [genuine, await teams.token({}, { expiresIn: -301 })],
    [genuine, await teams.token({ serviceurl: 'https://evil.example/emea/' })],
    [genuine, `${head}.${claims}.${signature.slice(0, -4)}AAAA`],
    [genuine, `${unsigned}.${claims}.`],
    [genuine, ''],
    [elsewhere, await teams.token({ serviceurl: elsewhere.serviceUrl })],
    [{ ...genuine, channelId: 'webchat' }, await teams.token({}, { key: 'unendorsed' })],
    [tenant, good],
  ];
  for (let index = 0; index < 300; index += 1) {
    const [payload, token] = bad[index % bad.length] ?? [genuine, ''];
    expect([401, 403]).toContain((await post(payload, token)).statusCode);
  }
  expect(taken).toEqual([]);
  // Somebody in the body whom Teams knows by another object id.
  const claimed = { ...genuine, from: { id: '29:mate', aadObjectId: objectId(1) } };
  await post(claimed, good);
  expect(taken).toEqual([]);
  await post(genuine, good);
  await post(genuine, good);
  await Promise.all([post(genuine, good), post(genuine, good)]);
  expect(taken).toHaveLength(1);
});

// Promise Y95
test.each<[string, object]>([
  ['of another tenant', { tenantId: '88888888-2222-4333-8444-555555555555' }],
  ['whose tenant is not named', { tenantId: undefined }],
  ['who is a guest', { userRole: 'guest' }],
  ['who is anonymous', { userRole: 'anonymous' }],
  ['who is a guest by their name', { userPrincipalName: 'fin_example.org#EXT#@ours.onmicrosoft.com' }],
])('A person of Teams %s decides nothing by the mail address of a user', async (_who, about) => {
  const fin = teams.people.get('29:fin');
  if (fin === undefined) throw new Error('no fin');
  teams.people.set('29:fin', { ...fin, about });
  const answer = await press(await asked(), 'yes');
  teams.people.set('29:fin', fin);
  expect(JSON.stringify(answer)).toContain('does not know you');
  expect(taken).toEqual([]);
});
