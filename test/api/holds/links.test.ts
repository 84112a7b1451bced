// The link in a mail: it shows, asks once more, and decides for one person alone.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { PolicySchema } from '../../../src/contract/configuration/policy.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { refuse } from '../../../src/core/base/errors.ts';
import { planLadder } from '../../../src/core/policy/ladder.ts';
import { createLinkSigner, linkHash } from '../../../src/host/secrets/tokens.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { aDecision, aHold, anEnd, bearer, aQuestion, aTask, fakeTasks, freshThread } from '../rig.ts';
import { streamed } from '../streamed.ts';
import { describeLinks, later, signer, yesNo } from './link-rig.ts';
import { aPrincipal } from '../../rigs/factories.ts';

const { rig, commands, decides, asked, linkTo } = describeLinks();
beforeEach(() => decides());

const toolCall = aQuestion({
  kind: 'tool_call',
  schema: { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] },
  tool: { callId: 'c', name: 'pay', args: { to: '</code><script>' }, isEditable: false },
});

const ofTwo = (): HoldRow['plan'] => planLadder('p', PolicySchema.parse({ quorum: 2 }), new Date().toISOString());
const open = async (url: string | Promise<string>, method: 'GET' | 'HEAD' = 'GET') =>
  rig.app.inject({ method, url: await url });
const press = async (
  url: string | Promise<string>,
  body = 'decision=yes',
  type = 'application/x-www-form-urlencoded',
) => rig.app.inject({ method: 'POST', url: await url, headers: { 'content-type': type }, payload: body });

describe('a link that is opened', () => {
  test('a link that is opened says that either answer is final', async () => {
    expect((await open(linkTo(await asked()))).body).toContain('Rejecting cancels the task. Either is final.');
  });

  test.each([
    ['2027-01-01T09:59:59.000Z', '2027-01-01 09:59 UTC (in 59 minutes)'],
    ['2027-01-01T12:30:00.000Z', '2027-01-01 12:30 UTC (in 3 hours)'],
    ['2027-01-08T10:00:00.000Z', '2027-01-08 10:00 UTC (in 7 days)'],
    ['2027-01-01T08:55:00.000Z', '2027-01-01 08:55 UTC (5 minutes ago)'],
  ])('a link that is opened until %s says how long that is, wherever its reader is', async (expiresAt, words) => {
    const hold = await asked();
    rig.setNow('2027-01-01T09:00:00.000Z');
    const { body } = await open(linkTo(hold, { expiresAt }));
    expect(body).toContain(`<dt>Until</dt><dd>${words}</dd>`);
  });

  // Promise S29
  test('a link that is opened says of a vote that it is one of several, can be withdrawn, and that a no decides', async () => {
    const { body } = await open(linkTo(await asked({ plan: ofTwo() })));
    expect(body).toContain('one vote of 2 needed; until the last one it can be withdrawn');
    expect(body).toContain('One rejection decides, and is final.');
    expect(body).not.toContain('Either is final');
  });

  test('a link that is opened offers no second vote to who has voted', async () => {
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

  // Promise Q33
  test('a link that is opened shows the question and decides nothing, however often it is opened', async () => {
    const link = linkTo(await asked());
    for (let n = 0; n < 5; n += 1) expect((await open(link)).statusCode).toBe(200);
    expect((await open(link, 'HEAD')).statusCode).toBe(200);
    expect(commands).toEqual([]);
    expect((await open(link)).body).toContain('<button name="decision" value="yes">Approve</button>');
  });

  test('a link that is opened shows an agent’s words as words: no markup, no hidden direction', async () => {
    const { body } = await open(linkTo(await asked()));
    expect(body).toContain('Pay &#60;b&#62;Miller&#60;/b&#62;?');
    expect(body).toContain('It is &#34;due&#34;\nnow [U+202E].');
    const call = (await open(linkTo(await asked({ question: toolCall })))).body;
    expect(call).not.toContain('<script>');
    expect(call).toContain('&#60;script&#62;');
  });

  test('a link that is opened shows what the agent states of its question, as its own words', async () => {
    const stated = { risk: 'high', reasoning: 'The <b>order</b> is late.' };
    const { body } = await open(linkTo(await asked({ question: { ...yesNo, stated } })));
    expect(body).toContain(
      'own words, which nothing has checked:\nRisk: high\nThe &#60;b&#62;order&#60;/b&#62; is late.',
    );
    expect((await open(linkTo(await asked()))).body).not.toContain('own words');
  });

  test('a link that is opened loads nothing, runs nothing, is kept nowhere and tells no other site of itself', async () => {
    const { headers } = await open(linkTo(await asked()));
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
    );
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
  });
});

describe('a link whose button is pressed', () => {
  // Promise Q33
  test('a link whose button is pressed decides as the person it was sent to, with the digest it was sent with', async () => {
    const hold = await asked();
    const answer = await press(linkTo(hold));
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('Recorded: approved');
    expect(commands).toMatchObject([
      {
        source: 'link',
        principal: aPrincipal('fin', 'finance'),
        entry: { status: 'resolved', values: { go: true }, digest: hold.digest },
      },
    ]);
  });

  test('a link whose button is pressed says no as an answer, not as a refusal to answer', async () => {
    expect((await press(linkTo(await asked()), 'decision=no')).body).toContain('Recorded: rejected');
    expect((await press(linkTo(await asked({ question: toolCall })), 'decision=no')).statusCode).toBe(200);
    expect(commands.map(({ entry }) => entry.values)).toEqual([{ go: false }, { approved: false }]);
  });

  test('a link whose button is pressed decides once: later visitors see how it ended', async () => {
    const hold = await asked();
    await rig.store.holds.close(hold.holdId, anEnd('decided', aDecision({ by: 'fin' }), 'sha256:x'));
    const again = await press(linkTo(hold));
    expect(again.statusCode).toBe(409);
    expect(again.body).toContain('Approved by fin');
    const { body } = await open(linkTo(hold));
    expect(body).toContain('Nothing to decide any more');
    // What it was about, and whose page this is.
    for (const words of ['Pay &#60;b&#62;Miller&#60;/b&#62;?', '<dt>Agent</dt><dd>', 'Standfast</header>'])
      expect([body, again.body].filter((one) => one.includes(words))).toHaveLength(2);
    expect(commands).toEqual([]);
  });

  // Promise U5
  test('a link whose button is pressed works once: of two presses at once one decides, and none after it', async () => {
    // A vote leaves the question open: what ends the link is its use.
    decides(true);
    const hold = await asked({ plan: ofTwo() });
    const vote = {
      by: 'ben',
      at: later,
      values: { go: true },
      reason: null,
      fingerprint: 'p',
      source: 'rest' as const,
    };
    await rig.store.holds.amend(hold.holdId, { votes: [{ ...vote, seenDigest: null, credential: null, actor: null }] });
    const link = await linkTo(hold);
    const both = await Promise.all([press(link, 'decision=yes'), press(link, 'decision=yes')]);
    expect(both.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(both.filter(({ statusCode }) => statusCode === 409)).toHaveLength(1);
    const again = await press(link);
    expect([again.statusCode, again.body]).toEqual([409, expect.stringContaining('used already')]);
    expect((await open(link)).body).not.toContain('<button');
    expect(commands).toHaveLength(1);
  });

  // Promise U5
  test('a link whose button is pressed is not used up by a press that decided nothing', async () => {
    const link = await linkTo(await asked());
    const { decide } = rig.tasks;
    rig.tasks.decide = async () => ({ kind: 'refusal', refusal: refuse('busy', 'later') });
    expect((await press(link)).statusCode).toBeGreaterThanOrEqual(400);
    rig.tasks.decide = decide;
    expect((await press(link)).statusCode).toBe(200);
  });

  test('a link whose button is pressed without one of the two buttons decides nothing', async () => {
    const link = linkTo(await asked());
    for (const body of ['', 'decision=maybe', 'x=yes']) expect((await press(link, body)).statusCode).toBe(400);
    expect((await press(link, '{"decision":"yes"}', 'application/json')).statusCode).toBe(400);
    expect((await press(link, 'decision=yes', 'text/plain')).statusCode).toBe(400);
    expect((await press(link, `decision=yes&pad=${'x'.repeat(2000)}`)).statusCode).toBe(413);
    expect(commands).toEqual([]);
  });

  test('a link whose button is pressed passes on what the workflow refuses: four eyes, an earlier vote, a deadline', async () => {
    rig.tasks.decide = async () => ({ kind: 'refusal', refusal: refuse('already_voted', 'fin has agreed already') });
    const voted = await press(linkTo(await asked()));
    expect([voted.statusCode, voted.body]).toEqual([409, expect.stringContaining('fin has agreed already')]);
    rig.tasks.decide = async () => ({ kind: 'refusal', refusal: refuse('not_allowed_to_decide', 'four eyes') });
    expect((await press(linkTo(await asked()))).statusCode).toBe(403);
    Object.assign(rig.tasks, fakeTasks());
    const unsure = await press(linkTo(await asked()));
    expect([unsure.statusCode, unsure.body]).toEqual([503, expect.stringContaining('Nothing was decided')]);
  });

  test('a link whose button is pressed counts as one vote where several must agree, and says how many are there', async () => {
    decides(true);
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

  test('a link whose button is pressed has the roles its person has now, and those they stand in for', async () => {
    const hold = await asked();
    await press(linkTo(hold, { user: 'ben' }));
    expect(commands[0]?.principal).toEqual({ ...aPrincipal('ben'), alsoFor: ['user:fin'] });
  });
});

// Promise U4
describe('a link to a question that its page cannot show whole', () => {
  const file = { id: 'f', name: 'invoice.pdf', mediaType: 'application/pdf', size: 1, uri: null, omitted: null };
  const hidden = (over: object): Partial<HoldRow> => over;
  const questions: [string, Partial<HoldRow>][] = [
    ['a long message', { question: { ...yesNo, message: `${'x'.repeat(4000)} and pay twice` } }],
    [
      'a message that is too long to be carried',
      {
        question: { ...yesNo, whole: [{ at: '/message', digest: 'sha256:0', bytes: 20_000, mediaType: 'text/plain' }] },
      },
    ],
    ['a long title', { question: { ...yesNo, title: 'x'.repeat(201) } }],
    [
      'long arguments',
      {
        question: {
          ...toolCall,
          tool: { callId: 'c', name: 'pay', args: { to: 'x'.repeat(4001) }, isEditable: false },
        },
      },
    ],
    ['links', { question: { ...yesNo, links: [{ url: 'https://example.org/terms', title: 'Terms' }] } }],
    ['errors of an earlier answer', { question: { ...yesNo, errors: { go: 'not so fast' } } }],
    [
      'another field',
      {
        question: {
          ...toolCall,
          schema: { type: 'object', properties: { approved: { type: 'boolean' }, sum: { type: 'number' } } },
        },
      },
    ],
    ['other arguments proposed', { question: { ...toolCall, defaults: { editedArgs: { to: 'somebody else' } } } }],
    ['an artifact', { artifacts: [{ id: 'a', name: 'plan', digest: 'sha256:a' }] }],
    ['a file', hidden({ attachments: [{ ...file, digest: 'sha256:f', source: 'message' }] })],
    ['data', hidden({ attachments: [{ ...file, digest: 'sha256:d', source: 'message', data: { sum: 5 } }] })],
  ];

  test.each(questions)('(%s) offers no buttons, leads to the real page, and decides nothing', async (_what, change) => {
    const hold = await asked(change);
    const link = await linkTo(hold);
    const { statusCode, body } = await open(link);
    expect([statusCode, body]).toEqual([200, expect.stringContaining('There is more to this question')]);
    for (const known of ['Standfast', '<dt>Agent</dt>', '<dt>Question</dt>', '<dt>Until</dt>'])
      expect(body).toContain(known);
    expect(body).toContain(`/holds/${hold.holdId}`);
    expect(body).not.toContain('<button');
    expect((await press(link)).statusCode).toBe(409);
    expect(commands).toEqual([]);
  });

  test('a link to a question that its page cannot show whole is distinguished from one that it shows to the last word: title, message, call, arguments and the field’s own name', async () => {
    const properties = { go: { type: 'boolean', title: 'Close the account', description: 'For good' } };
    const question = { ...yesNo, message: 'x'.repeat(4000), title: 'y'.repeat(200) };
    const whole = await open(
      linkTo(await asked({ question: { ...question, schema: { ...yesNo.schema, properties } } })),
    );
    for (const text of ['<button', 'x'.repeat(4000), 'y'.repeat(200), 'Close the account', 'For good'])
      expect(whole.body).toContain(text);
    const call = await open(linkTo(await asked({ question: toolCall })));
    for (const text of ['<button', '<code>pay</code>', '<bdi>to</bdi>', '&#60;script&#62;'])
      expect(call.body).toContain(text);
  });
});

// Promise U4
describe('a link to a question whose agent streamed text before it', () => {
  const text = 'The bill is <b>due</b>.';
  const wrote = async (names: string[], there: JsonObject = {}): Promise<HoldRow> => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    const key = { agent: 'expenses', threadId: task.threadId, runId: 'asks' };
    const texts = Object.fromEntries(names.map((name) => [name, text]));
    const artifacts = await streamed(rig.store, key, task.taskId, texts, there);
    return aHold(rig.store, task, {
      audience: ['role:finance'],
      question: yesNo,
      expiresAt: later,
      openedInRun: 'asks',
      artifacts,
    });
  };

  test('a link to a question whose agent streamed text before it shows all of it above the question, and decides', async () => {
    const link = await linkTo(await wrote(['reply', 'more']));
    const { body } = await open(link);
    expect(body.split('The bill is &#60;b&#62;due').length - 1).toBe(2);
    expect(body.indexOf('wrote before it asked')).toBeLessThan(body.indexOf('says:'));
    expect(body).toContain('<button');
    expect((await press(link)).statusCode).toBe(200);
    expect(commands).toHaveLength(1);
  });

  test.each([
    ['is not what its digest covers', { reply: 'It is not due.' }],
    ['is no text', { reply: { due: true } }],
  ])(
    'a link to a question whose agent streamed text before it has no buttons and decides nothing where what lies there %s',
    async (_what, state) => {
      const link = await linkTo(await wrote(['reply'], state));
      expect((await open(link)).body).toContain('There is more to this question');
      expect((await press(link)).statusCode).toBe(409);
      expect(commands).toEqual([]);
    },
  );
});

describe('a link that decides nothing', () => {
  // Promise Q42
  test('a link that decides nothing is one of a person who is not asked any more: it does not show the question either', async () => {
    const hold = await asked();
    const link = linkTo(hold);
    await rig.store.holds.amend(hold.holdId, { audience: ['role:lead'] });
    const { statusCode, body } = await open(link);
    expect([statusCode, body]).toEqual([200, expect.stringContaining('you are not')]);
    expect(body).not.toContain('Miller');
    expect(body).not.toContain('<button');
  });

  // Promise Q33, U6
  test('a link that decides nothing is one that was changed, cut, taken back, or not made with the key', async () => {
    const hold = await asked();
    const good = await linkTo(hold);
    const claim = { holdId: hold.holdId, digest: hold.digest, user: 'fin', expiresAt: '2099-02-01T00:00:00.000Z' };
    // A writer of the database can add a row, and has no key.
    const forged = createLinkSigner('00'.repeat(32)).tokenOf(claim);
    await rig.store.links.issue({ ...claim, hash: linkHash(forged) });
    const unknown = signer.tokenOf(claim);
    const tampered = [
      good.slice(0, -3),
      good.replace(/.$/, (letter) => (letter === 'A' ? 'B' : 'A')),
      `/decide/${forged}`,
      `/decide/${unknown}`,
      `/decide/x`,
      `/decide/${'a'.repeat(1400)}`,
    ];
    for (const url of tampered) {
      expect((await open(url)).statusCode).toBe(404);
      expect((await press(url)).statusCode).toBe(404);
    }
    expect(commands).toEqual([]);
  });

  // Promise U6
  test('a link that decides nothing is one whose row was given to another person or another question', async () => {
    const [hold, other] = [await asked(), await asked()];
    const token = signer.tokenOf({ holdId: hold.holdId, digest: hold.digest, user: 'fin', expiresAt: later });
    const claim = { holdId: other.holdId, digest: other.digest, user: 'fin', expiresAt: later };
    await rig.store.links.issue({ ...claim, hash: linkHash(token) });
    expect((await press(`/decide/${token}`)).statusCode).toBe(404);
    expect(commands).toEqual([]);
  });

  // Promise U5
  test('a link that decides nothing is one that operators took back', async () => {
    const hold = await asked();
    const [fins, bens] = [await linkTo(hold), await linkTo(hold, { user: 'ben' })];
    const revoke = (who: 'fin' | 'op', query = '') =>
      rig.app.inject({ method: 'DELETE', url: `/api/holds/${hold.holdId}/links${query}`, headers: bearer(who) });
    expect((await revoke('fin')).statusCode).toBe(403);
    expect((await revoke('op', '?user=fin')).json()).toEqual({ revoked: 1 });
    expect([(await open(fins)).statusCode, (await press(fins)).statusCode]).toEqual([404, 404]);
    expect((await open(bens)).statusCode).toBe(200);
    expect((await revoke('op')).json()).toEqual({ revoked: 1 });
    expect((await press(bens)).statusCode).toBe(404);
    // Sent again with a reminder it is as it was.
    expect((await press(linkTo(hold))).statusCode).toBe(404);
    expect(commands).toEqual([]);
  });

  // Promise U5
  test('a link that decides nothing is any, where no channel sends them', async () => {
    const other = await rig.another({ withKeys: true });
    const hold = await aHold(other.store, await aTask(other.store, freshThread(), { owner: 'anna' }), {
      question: yesNo,
      expiresAt: later,
    });
    const link = await linkTo(hold, {}, other);
    for (const method of ['GET', 'POST'] as const)
      expect((await other.app.inject({ method, url: link })).statusCode).toBe(404);
  });

  test('a link that decides nothing is about a question or a person that is not there any more', async () => {
    const hold = await asked();
    expect((await press(linkTo(hold, { holdId: 'gone' }))).statusCode).toBe(404);
    expect((await press(linkTo(hold, { user: 'left-the-company' }))).statusCode).toBe(404);
    expect(commands).toEqual([]);
  });

  test('a link that decides nothing is past its time, for a question that changed, for a form, for a permission, or for what is dangerous', async () => {
    const hold = await asked();
    const form = await asked({ question: aQuestion() });
    const permission = await asked({ question: { ...yesNo, kind: 'authorization' } });
    const secret = await asked({ question: { ...yesNo, secrets: ['go'] } });
    const danger = await asked({ plan: { ...hold.plan, danger: true } });
    const links = [
      linkTo(hold, { expiresAt: '2020-01-01T00:00:00.000Z' }),
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
    expect(commands).toEqual([]);
  });
});
