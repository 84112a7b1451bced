// Answers that their policy has signed with a passkey: what is taken, what is refused, and what proves it afterwards.
import { generateKeyPairSync } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DecideCommand } from '../../../src/contract/holds/decision.ts';
import { PolicySchema } from '../../../src/contract/configuration/policy.ts';
import { decisionOf, judgeAnswer } from '../../../src/core/answers/decision.ts';
import { refuse } from '../../../src/core/base/errors.ts';
import { asSent, unprovedIn } from '../../../src/core/consent/proof.ts';
import { planLadder } from '../../../src/core/policy/ladder.ts';
import type { EvidenceLine } from '../../../src/store/ports/evidence.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { root } from '../../source-tree.ts';
import { softPasskey, type SoftPasskey } from '../../rigs/surfaces/soft-passkey.ts';
import { origin, register, signedIn, passkeyApi, withPasskey } from '../auth/passkeys-rig.ts';
import { aHold, anEnd, aQuestion, aTask, bearer, freshThread } from '../rig.ts';
import { prover } from '../../rigs/proofs.ts';
import { describeApi } from '../describe-api.ts';

const rig = describeApi(passkeyApi());
let fin: { headers: Record<string, string>; passkey: SoftPasskey };
beforeAll(async () => {
  fin = await withPasskey(rig, 'fin');
  rig.tasks.decide = async (_task, command) => decided(command);
});

const taken: DecideCommand[] = [];
/** As the workflow answers, which judges by the same rules. */
async function decided(command: DecideCommand): ReturnType<typeof rig.tasks.decide> {
  const { entry, principal, receivedAt, source = 'rest' } = command;
  const hold = await rig.store.holds.get(entry.hold);
  if (hold === null) throw new Error('there is no such question');
  const judged = judgeAnswer(hold, entry, { principal, receivedAt }, hold.owner, receivedAt);
  if (!judged.ok) return { kind: 'refusal', refusal: judged };
  taken.push(command);
  const { digest, owner } = hold;
  const decision = decisionOf(entry, principal, receivedAt, { source, digest, asked: { hold, owner } });
  const value = { holdId: hold.holdId, decision, votes: { have: 1, need: 1 }, isRepeat: judged.kind === 'repeat' };
  return { kind: 'answer', value: { ...value, taskStatus: 'USER_INPUT_RECEIVED' } };
}

const yesNo = { type: 'object', properties: { confirmed: { type: 'boolean' } }, required: ['confirmed'] };
const policy = (more: object = {}) => PolicySchema.parse({ sign: 'passkey', ...more });
async function asked(change: Parameters<typeof aHold>[2] = {}): Promise<HoldRow> {
  const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
  const question = aQuestion({ kind: 'confirmation', schema: yesNo, title: 'Wire 4,200,000 EUR?' });
  const plan = planLadder('wires', policy(), new Date().toISOString());
  return aHold(rig.store, task, { audience: ['role:finance'], question, plan, ...change });
}

type Body = Record<string, unknown>;
const yes = ({ digest }: HoldRow): Body => ({ status: 'resolved', values: { confirmed: true }, digest });
const no = ({ digest }: HoldRow): Body => ({ status: 'cancelled', reason: 'Too much', digest });
const post = async (url: string, payload: object, headers = fin.headers) =>
  rig.app.inject({ method: 'POST', url, headers, payload });
const decide = ({ holdId }: HoldRow, body: object, headers = fin.headers) =>
  post(`/api/holds/${holdId}/decision`, body, headers);

interface Options {
  challenge: string;
  allowCredentials: { id: string }[];
}
const optionsOf = async ({ holdId }: HoldRow, body: Body, headers = fin.headers): Promise<Options> =>
  (await post(`/api/holds/${holdId}/signing`, body, headers)).json<{ options: Options }>().options;
const signed = async (hold: HoldRow, body: Body, over: Parameters<SoftPasskey['get']>[1] = {}): Promise<Body> => ({
  ...body,
  passkey: fin.passkey.get(await optionsOf(hold, body), over),
});

// Promise PK3
test('An answer that the person’s passkey signed decides, and the decision keeps all that proves it', async () => {
  const hold = await asked();
  expect((await optionsOf(hold, yes(hold))).allowCredentials).toMatchObject([{ id: fin.passkey.id }]);
  const reply = await decide(hold, await signed(hold, yes(hold)));
  expect(reply.json()).toMatchObject({ hold: { status: 'decided', decision: { by: 'fin', passkey: fin.passkey.id } } });
  expect(taken.at(-1)?.entry.passkey).toMatchObject({ by: 'fin', hold: hold.holdId, digest: hold.digest });
  const refused = await asked();
  expect((await decide(refused, await signed(refused, no(refused)))).json()).toMatchObject({
    hold: { decision: { status: 'cancelled', passkey: fin.passkey.id } },
  });
});

test('The same signed answer again is a repeat, and asks for no other signature', async () => {
  const hold = await asked();
  const body = await signed(hold, yes(hold));
  expect((await decide(hold, body)).statusCode).toBe(200);
  expect((await decide(hold, body)).statusCode).toBe(200);
});

// Promise PK4
describe('a decision that must be signed is refused', () => {
  const code = async (reply: ReturnType<typeof decide>): Promise<unknown> => (await reply).json<Body>()['code'];
  const isOpen = async ({ holdId }: HoldRow): Promise<boolean> =>
    (await rig.store.holds.get(holdId))?.status === 'open';

  test.each<[string, (hold: HoldRow) => Promise<Body>]>([
    [
      'with a signature by another key',
      (hold) => signed(hold, yes(hold), { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }),
    ],
    [
      'signed on a page of another address',
      (hold) => signed(hold, yes(hold), { origin: 'https://standfast.evil.example' }),
    ],
    ['signed without fingerprint or PIN', (hold) => signed(hold, yes(hold), { flags: 0b1 })],
    ['with a challenge that the person made up', (hold) => signed(hold, yes(hold), { challenge: 'bWFkZS11cA' })],
    [
      'with another answer than the signed one',
      async (hold) => ({
        ...(await signed(hold, { ...yes(hold), values: { confirmed: false } })),
        ...yes(hold),
      }),
    ],
    [
      'with what was signed for another question',
      async (hold) => {
        const other = await asked();
        return { ...yes(hold), passkey: (await signed(other, yes(other)))['passkey'] };
      },
    ],
    [
      'with a passkey that is not registered',
      async (hold) => ({
        ...yes(hold),
        passkey: softPasskey(origin).get(await optionsOf(hold, yes(hold))),
      }),
    ],
  ])('a decision that must be signed is refused %s', async (_, bodyOf) => {
    const hold = await asked();
    expect(await code(decide(hold, await bodyOf(hold)))).toBe('passkey_invalid');
    expect(await isOpen(hold)).toBe(true);
  });

  test('a decision that must be signed is refused with a signature that was used before', async () => {
    const hold = await asked();
    const body = await signed(hold, yes(hold));
    const { decide: whole } = rig.tasks;
    // The vote was taken back, or its first try came nowhere: the question is open still.
    rig.tasks.decide = async () => ({ kind: 'refusal', refusal: { ok: false, code: 'busy', message: 'later' } });
    expect(await code(decide(hold, body))).toBe('busy');
    rig.tasks.decide = whole;
    expect(await code(decide(hold, body))).toBe('passkey_invalid');
  });

  test('a decision that must be signed is refused with what somebody else signed', async () => {
    const hold = await asked({ audience: ['user:fin', 'user:ben'] });
    const ben = await withPasskey(rig, 'ben');
    const options = await optionsOf(hold, yes(hold));
    expect(await code(decide(hold, { ...yes(hold), passkey: ben.passkey.get(options) }))).toBe('passkey_invalid');
    const own = { ...yes(hold), passkey: ben.passkey.get(await optionsOf(hold, yes(hold), ben.headers)) };
    expect(await code(decide(hold, own))).toBe('passkey_invalid');
  });

  test('a decision that must be signed is refused after five minutes', async () => {
    const hold = await asked();
    const body = await signed(hold, yes(hold));
    rig.setNow(new Date(Date.now() + 6 * 60_000).toISOString());
    const refused = await code(decide(hold, body));
    rig.setNow(null);
    expect(refused).toBe('passkey_invalid');
  });

  test('a decision that must be signed is refused where the counter of the passkey went backwards', async () => {
    const headers = await signedIn(rig, 'fin');
    const copied = softPasskey(origin);
    copied.counter = 7;
    expect((await register(rig, headers, copied, fin.passkey)).statusCode).toBe(200);
    const hold = await asked();
    const options = await optionsOf(hold, yes(hold));
    copied.counter = 3;
    const refused = (await decide(hold, { ...yes(hold), passkey: copied.get(options) })).json<Body>();
    expect(refused).toMatchObject({ code: 'passkey_invalid', detail: expect.stringContaining('counter') });
  });

  test('a decision that must be signed is refused by a passkey that was revoked after it signed', async () => {
    const anna = await withPasskey(rig, 'anna');
    const hold = await asked({ audience: ['user:anna'] });
    const body = { ...yes(hold), passkey: anna.passkey.get(await optionsOf(hold, yes(hold), anna.headers)) };
    for (const who of ['op', 'op2'] as const)
      await post('/api/passkeys/revocations', { user: 'anna', id: anna.passkey.id }, await signedIn(rig, who));
    expect(await code(decide(hold, body, anna.headers))).toBe('passkey_invalid');
  });

  test('a decision that must be signed is refused by REST with a key, as the CLI sends it, where nothing signed it', async () => {
    const hold = await asked();
    const refused = (await decide(hold, yes(hold), bearer('fin'))).json<Body>();
    expect(refused).toMatchObject({ code: 'passkey_required', detail: expect.stringContaining('its own page') });
  });

  test('a decision that must be signed is refused among many', async () => {
    const hold = await asked();
    const decisions = [{ id: hold.holdId, ...yes(hold), planDigest: 'p' }];
    const { results } = (await post('/api/holds/decisions', { decisions })).json<{ results: Body[] }>();
    expect(results).toMatchObject([{ ok: false, code: 'bulk_not_allowed' }]);
  });
});

test('Nothing is asked of a passkey for an answer that does not fit, or to another question than the one shown', async () => {
  const hold = await asked();
  const url = `/api/holds/${hold.holdId}/signing`;
  expect((await post(url, { ...yes(hold), values: {} })).json()).toMatchObject({ code: 'payload_invalid' });
  expect((await post(url, { ...yes(hold), digest: 'sha256:other' })).json()).toMatchObject({ code: 'digest_mismatch' });
  expect((await post(url, yes(hold), await signedIn(rig, 'op'))).json()).toMatchObject({ code: 'passkey_required' });
});

// Promise PK5
describe('the script that checks evidence', () => {
  async function exported(holdId: string): Promise<EvidenceLine[]> {
    const lines: EvidenceLine[] = [];
    await rig.store.evidence.export({ holdId }, (line) => void lines.push(line));
    return lines;
  }

  async function checked(
    lines: EvidenceLine[],
    trusted: string | null = null,
  ): Promise<{ out: string; code: number | null }> {
    const dir = await mkdtemp(join(tmpdir(), 'standfast-signed-'));
    const file = join(dir, 'export.jsonl');
    const list = join(dir, 'passkeys.json');
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    if (trusted !== null) await writeFile(list, trusted);
    const args = [join(root, 'docs/verify-evidence.mjs'), file, ...(trusted === null ? [] : ['--passkeys', list])];
    const ended = spawnSync(process.execPath, args, { encoding: 'utf8' });
    await rm(dir, { recursive: true });
    return { out: ended.stdout + ended.stderr, code: ended.status };
  }

  /** The trusted passkeys of fin, as an operator keeps them, each with a change. */
  async function listOf(change: () => object): Promise<object[]> {
    const kept = await rig.store.personal.list('passkey', 'fin');
    return kept.map(({ user, value }) => ({ user, publicKey: value['publicKey'], ...change() }));
  }

  async function signedLines(): Promise<EvidenceLine[]> {
    const hold = await asked();
    expect((await decide(hold, await signed(hold, yes(hold)))).statusCode).toBe(200);
    return exported(hold.holdId);
  }

  test('the script that checks evidence says with which passkey an answer was signed, and on which page', async () => {
    const { out, code } = await checked(await signedLines());
    expect({ out, code }).toMatchObject({ code: 0 });
    expect(out).toMatch(
      /decided by fin, answer sha256:.*signed by fin with passkey [0-9a-f]{64} at https:\/\/standfast/,
    );
  });

  test('the script that checks evidence takes a signature of a passkey that its list has for that person', async () => {
    const lines = await signedLines();
    expect(await checked(lines, JSON.stringify(await listOf(() => ({}))))).toMatchObject({ code: 0 });
  });

  let second: typeof fin;
  beforeAll(async () => {
    second = await withPasskey(rig, 'op2');
  });

  // Promise Y68
  test.each([
    ['the same', {}, 0],
    ['another', { amount: 1_000_000 }, 1],
  ])(
    'the script that checks evidence takes signed votes behind a decision that are for %s answer or not: exit code %#',
    async (_, more, code) => {
      const plan = planLadder('wires', policy({ quorum: 2 }), new Date().toISOString());
      const hold = await asked({ plan, audience: ['role:finance', 'user:op2'] });
      const { decide: before } = rig.tasks;
      const given: DecideCommand[] = [];
      rig.tasks.decide = async (_task, command) => {
        given.push(command);
        return { kind: 'refusal', refusal: refuse('hold_closed', 'it is only recorded here') };
      };
      const other = { ...yes(hold), values: { confirmed: true, ...more } };
      await decide(hold, await signed(hold, yes(hold)));
      const passkey = second.passkey.get(await optionsOf(hold, other, second.headers));
      await decide(hold, { ...other, passkey }, second.headers);
      rig.tasks.decide = before;
      const { digest, owner } = hold;
      const decisions = given.map(({ entry, principal, receivedAt }) =>
        decisionOf(entry, principal, receivedAt, { source: 'page', digest, asked: { hold, owner } }),
      );
      const votes = decisions.map(({ status: _status, digest: _digest, ...vote }) => ({ ...vote, fingerprint: '' }));
      const [decision] = decisions;
      if (decision === undefined) throw new Error('no answer was signed');
      const end = { ...anEnd('decided', decision), votes };
      await rig.store.holds.close(hold.holdId, asSent(prover.macOf, hold.holdId, end));
      const found = await checked(await exported(hold.holdId));
      expect(found).toMatchObject({ code });
      const words = /ALTERED record \d+: the vote of op2 is signed for another answer than what was decided/;
      if (code === 1) expect(found.out).toMatch(words);
      const { faults } = await rig.store.evidence.verify({}, [], (row) => unprovedIn(prover, row));
      const own = faults.filter(({ holdId }) => holdId === hold.holdId).map(({ what }) => what);
      expect(own).toEqual(code === 0 ? [] : ['the vote of op2 is for another answer than what was decided']);
    },
  );

  test.each<[string, () => object]>([
    ['has another key for the person', () => ({ publicKey: anotherKey() })],
    ['has the key for another person', () => ({ user: 'eve' })],
  ])('the script that checks evidence refuses a signature that verifies where its list %s', async (_what, change) => {
    const { out, code } = await checked(await signedLines(), JSON.stringify(await listOf(change)));
    expect({ out, code }).toMatchObject({ code: 1 });
    expect(out).toMatch(/ALTERED record \d+: the list has no such passkey of fin/);
  });

  test.each(['no JSON', '{}', '[{"user":"fin"}]', '[null]'])(
    'the script that checks evidence reads no list from %s, and proves nothing',
    async (text) => {
      expect(await checked(await signedLines(), text)).toMatchObject({
        code: 2,
        out: expect.stringContaining('LIST is a file of JSON'),
      });
    },
  );

  test.each<[string, (record: string) => string]>([
    ['the answer', (record) => record.replace(/"answerHash":"sha256:..../, '"answerHash":"sha256:0000')],
    ['the person', (record) => record.replaceAll('"by":"fin"', '"by":"eve"')],
    ['the question', (record) => record.replace(/"digest":"sha256:..../g, '"digest":"sha256:0000')],
    ['the signature', (record) => record.replace(/"passkey":\{.*?\},/, '')],
    ['the public key', (record) => record.replace(/"publicKey":"[^"]*"/, `"publicKey":"${anotherKey()}"`)],
  ])('the script that checks evidence finds that %s was replaced, without any hash of the chain', async (_, forge) => {
    const lines = (await signedLines()).map((line) =>
      line.type === 'record' && line.record.includes('"kind":"decided"')
        ? { ...line, record: forge(line.record) }
        : line,
    );
    const { out, code } = await checked(lines);
    expect(code).toBe(1);
    expect(out).toMatch(
      /ALTERED record \d+: (the passkey of .* did not sign this answer|the answer of .* is not signed)/,
    );
  });
});

const anotherKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .publicKey.export({ format: 'der', type: 'spki' })
    .toString('base64');
