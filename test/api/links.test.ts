// The link in a mail: it shows, asks once more, and decides for one person alone.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DecideCommand } from '../../src/contract/decision.ts';
import { linkKeySetting } from '../../src/contract/notice.ts';
import type { LinkClaim } from '../../src/contract/notice.ts';
import { PolicySchema } from '../../src/contract/policy.ts';
import { refuse } from '../../src/core/base/errors.ts';
import { planLadder } from '../../src/core/policy/ladder.ts';
import { signToken } from '../../src/host/secrets/signed-token.ts';
import type { HoldRow } from '../../src/store/store.ts';
import {
  aDecision,
  aHold,
  anEnd,
  aQuestion,
  aTask,
  fakeTasks,
  freshThread,
  keyConfig,
  startRig,
  type Rig,
} from './rig.ts';

const key = 'the key of these links';
const later = '2099-01-01T00:00:00.000Z';
let rig: Rig;
let doors: DecideCommand[];
beforeAll(async () => {
  const users = { anna: { email: 'anna@example.org' }, fin: { away: { delegate: 'user:ben' } } };
  rig = await startRig({ withKeys: true, config: { auth: { keys: keyConfig }, users } });
  await rig.store.settings.putOnce(linkKeySetting, key);
  await rig.store.workers.heartbeat('w1');
});
beforeEach(() => {
  Object.assign(rig.tasks, fakeTasks());
  rig.setNow(null);
  doors = [];
  rig.tasks.decide = async (_task, source) => {
    doors.push(source);
    const { entry, principal } = source;
    const { status, values, reason } = entry;
    const decision = aDecision({ by: principal.id, status, values, reason, source: 'link' });
    const votes = { have: 1, need: 1 };
    return {
      kind: 'answer',
      value: { holdId: entry.hold, decision, votes, isRepeat: false, taskStatus: 'USER_INPUT_RECEIVED' },
    };
  };
});
afterAll(() => rig.close());

const yesNo = aQuestion({
  kind: 'confirmation',
  title: 'Pay <b>Miller</b>?',
  message: 'It is "due"\nnow \u202e.',
  schema: { type: 'object', properties: { go: { type: 'boolean' } }, required: ['go'] },
});
const toolCall = aQuestion({
  kind: 'tool_call',
  schema: { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] },
  tool: { callId: 'c', name: 'pay', args: { to: '</code><script>' }, isEditable: false },
});

const asked = async (change: Parameters<typeof aHold>[2] = {}): Promise<HoldRow> =>
  aHold(rig.store, await aTask(rig.store, freshThread(), { owner: 'anna' }), {
    audience: ['role:finance'],
    question: yesNo,
    expiresAt: later,
    ...change,
  });
const ofTwo = (): HoldRow['plan'] => planLadder('p', PolicySchema.parse({ quorum: 2 }), new Date().toISOString());
function linkTo(hold: HoldRow, over: Partial<LinkClaim> = {}): string {
  return `/decide/${signToken(key, { hold: hold.holdId, digest: hold.digest, user: 'fin', until: later, ...over })}`;
}
const open = (url: string, method: 'GET' | 'HEAD' = 'GET') => rig.app.inject({ method, url });
const press = (url: string, body = 'decision=yes', type = 'application/x-www-form-urlencoded') =>
  rig.app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload: body });

describe('a link that is opened', () => {
  test('says that either answer is final', async () => {
    expect((await open(linkTo(await asked()))).body).toContain('Rejecting cancels the task. Either is final.');
  });

  test('says of a vote that it is one of several, can be withdrawn, and that a no decides', async () => {
    const { body } = await open(linkTo(await asked({ plan: ofTwo() })));
    expect(body).toContain('one vote of 2 needed; until the last one it can be withdrawn');
    expect(body).toContain('One rejection decides, and is final.');
    expect(body).not.toContain('Either is final');
  });

  test('offers no second vote to who has voted', async () => {
    const vote = {
      by: 'fin',
      at: later,
      values: { go: true },
      reason: null,
      fingerprint: 'p',
      source: 'link' as const,
      seenDigest: null,
      credential: null,
      actor: null,
    };
    const { body } = await open(linkTo(await asked({ plan: ofTwo(), votes: [vote] })));
    expect(body).toContain('Your vote counts already');
    expect(body).not.toContain('<button');
  });

  test('shows the question and decides nothing, however often it is looked at', async () => {
    const link = linkTo(await asked());
    for (let n = 0; n < 5; n += 1) expect((await open(link)).statusCode).toBe(200);
    expect((await open(link, 'HEAD')).statusCode).toBe(200);
    expect(doors).toEqual([]);
    expect((await open(link)).body).toContain('<button name="decision" value="yes">Approve</button>');
  });

  test('shows an agent’s words as words: no markup, no hidden direction', async () => {
    const { body } = await open(linkTo(await asked()));
    expect(body).toContain('Pay &#60;b&#62;Miller&#60;/b&#62;?');
    expect(body).toContain('It is &#34;due&#34;\nnow \ufffd.');
    const call = (await open(linkTo(await asked({ question: toolCall })))).body;
    expect(call).not.toContain('<script>');
    expect(call).toContain('&#60;script&#62;');
  });

  test('loads nothing, runs nothing, is kept nowhere and tells no other site of itself', async () => {
    const { headers } = await open(linkTo(await asked()));
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
    );
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
  });
});

describe('a link whose button is pressed', () => {
  test('decides as the person it was sent to, with the digest it was sent with', async () => {
    const hold = await asked();
    const answer = await press(linkTo(hold));
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('Recorded: approved');
    expect(doors).toMatchObject([
      {
        source: 'link',
        principal: { id: 'fin', roles: ['finance'], isSuper: false },
        entry: { status: 'resolved', values: { go: true }, digest: hold.digest },
      },
    ]);
  });

  test('says no as an answer, not as a refusal to answer', async () => {
    expect((await press(linkTo(await asked()), 'decision=no')).body).toContain('Recorded: rejected');
    expect((await press(linkTo(await asked({ question: toolCall })), 'decision=no')).statusCode).toBe(200);
    expect(doors.map(({ entry }) => entry.values)).toEqual([{ go: false }, { approved: false }]);
  });

  test('decides once: whoever comes later is told how it ended', async () => {
    const hold = await asked();
    await rig.store.holds.close(hold.holdId, anEnd('decided', aDecision({ by: 'fin' }), 'sha256:x'));
    const again = await press(linkTo(hold));
    expect(again.statusCode).toBe(409);
    expect(again.body).toContain('This was decided by fin');
    expect((await open(linkTo(hold))).body).toContain('Nothing to decide any more');
    expect(doors).toEqual([]);
  });

  test('without one of the two buttons decides nothing', async () => {
    const link = linkTo(await asked());
    for (const body of ['', 'decision=maybe', 'x=yes']) expect((await press(link, body)).statusCode).toBe(400);
    expect((await press(link, '{"decision":"yes"}', 'application/json')).statusCode).toBe(400);
    expect((await press(link, 'decision=yes', 'text/plain')).statusCode).toBe(400);
    expect((await press(link, `decision=yes&pad=${'x'.repeat(2000)}`)).statusCode).toBe(413);
    expect(doors).toEqual([]);
  });

  test('passes on what the workflow refuses: four eyes, an earlier vote, a deadline', async () => {
    rig.tasks.decide = async () => ({ kind: 'refusal', refusal: refuse('already_voted', 'fin has agreed already') });
    const voted = await press(linkTo(await asked()));
    expect([voted.statusCode, voted.body]).toEqual([409, expect.stringContaining('fin has agreed already')]);
    rig.tasks.decide = async () => ({ kind: 'refusal', refusal: refuse('not_allowed_to_decide', 'four eyes') });
    expect((await press(linkTo(await asked()))).statusCode).toBe(403);
    Object.assign(rig.tasks, fakeTasks());
    const unsure = await press(linkTo(await asked()));
    expect([unsure.statusCode, unsure.body]).toEqual([503, expect.stringContaining('Nothing was decided')]);
  });

  test('counts as one vote where several must agree, and says how many are there', async () => {
    rig.tasks.decide = async (_task, { entry }) => ({
      kind: 'answer',
      value: {
        holdId: entry.hold,
        decision: null,
        votes: { have: 1, need: 2 },
        isRepeat: false,
        taskStatus: 'NEEDS_REVIEW',
      },
    });
    const hold = await asked();
    await rig.store.holds.amend(hold.holdId, {
      votes: [
        {
          by: 'fin',
          at: later,
          values: { go: true },
          reason: null,
          fingerprint: 'p',
          source: 'link',
          seenDigest: null,
          credential: null,
          actor: null,
        },
      ],
    });
    expect((await press(linkTo(hold))).body).toContain('1 of 2 needed');
  });

  test('has the roles its person has now, and those they stand in for', async () => {
    const hold = await asked();
    await press(linkTo(hold, { user: 'ben' }));
    expect(doors[0]?.principal).toEqual({ id: 'ben', roles: [], isSuper: false, alsoFor: ['user:fin'] });
  });
});

describe('a link that decides nothing', () => {
  test('is one of a person who is not asked any more: it does not show the question either', async () => {
    const hold = await asked();
    const link = linkTo(hold);
    await rig.store.holds.amend(hold.holdId, { audience: ['role:lead'] });
    const { statusCode, body } = await open(link);
    expect([statusCode, body]).toEqual([200, expect.stringContaining('you are not')]);
    expect(body).not.toContain('Miller');
    expect(body).not.toContain('<button');
  });

  test('is one that was changed, cut, or made with another key', async () => {
    const hold = await asked();
    const good = linkTo(hold);
    const claim = { hold: hold.holdId, digest: hold.digest, user: 'fin', until: later };
    const tampered = [
      good.slice(0, -3),
      good.replace(/\.(.)/, (_all, letter: string) => `.${letter === 'A' ? 'B' : 'A'}`),
      `/decide/${signToken('another key', claim)}`,
      `/decide/${signToken(key, { ...claim, user: undefined })}`,
      `/decide/${signToken(key, { ...claim, more: 1 })}`,
      `/decide/x`,
      `/decide/${'a'.repeat(1400)}.b`,
    ];
    for (const url of tampered) {
      expect((await open(url)).statusCode).toBe(404);
      expect((await press(url)).statusCode).toBe(404);
    }
    expect(doors).toEqual([]);
  });

  test('is about a question or a person that is not there any more', async () => {
    const hold = await asked();
    expect((await press(linkTo(hold, { hold: 'gone' }))).statusCode).toBe(404);
    expect((await press(linkTo(hold, { user: 'left-the-company' }))).statusCode).toBe(404);
    expect(doors).toEqual([]);
  });

  test('is past its time, for a question that changed, for a form, for a permission, or for what is dangerous', async () => {
    const hold = await asked();
    const form = await asked({ question: aQuestion() });
    const permission = await asked({ question: { ...yesNo, kind: 'authorization' } });
    const secret = await asked({ question: { ...yesNo, secrets: ['go'] } });
    const danger = await asked({ plan: { ...hold.plan, danger: true } });
    const links = [
      linkTo(hold, { until: '2020-01-01T00:00:00.000Z' }),
      linkTo(hold, { digest: 'sha256:another' }),
      linkTo(form),
      linkTo(permission),
      linkTo(secret),
      linkTo(danger),
    ];
    for (const link of links) {
      const answer = await press(link);
      expect([answer.statusCode, answer.body]).toEqual([409, expect.stringContaining('Nothing was decided')]);
      expect((await open(link)).body).not.toContain('<button');
    }
    expect(doors).toEqual([]);
  });
});
