// Standing grants over the real program: granted once, not asked about any more, asked now and then, and ended at once.
import { expect, test } from '@jest/globals';
import { verifyReceipt } from '../../../packages/client/verify/receipt.js';
import type { GrantView } from '../../../src/contract/base/grant.ts';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import type { AskReply } from '../../../src/contract/views/ask.ts';
import { startProduct } from '../start-product.ts';

const keys = { bot: 'key-of-the-bot-1234', finn: 'key-of-finn-1234', lena: 'key-of-lena-1234' };
const { up } = startProduct(`
policies:
  with-grace:
    audience: ['role:finance']
    grace: 1m
    grants: { within: ['amount <= 500'] }
  two-of-finance:
    audience: ['role:finance']
    quorum: 2
    grants: { by: 2, within: ['amount <= 500'] }
  refunds:
    audience: ['role:finance']
    exclude: [requester]
    receipt: true
    grants: { within: ['amount <= 500'], times: 10, sum: { of: amount, most: 2000 }, recheck: 1 in 3 }
ask: { policy: refunds }
auth:
  keys:
    - { user: bot, key: '${keys.bot}' }
    - { user: finn, roles: [finance], key: '${keys.finn}' }
    - { user: lena, roles: [finance], key: '${keys.lena}' }
`);

async function send<T>(who: keyof typeof keys, method: string, path: string, body?: unknown): Promise<T> {
  const headers = { authorization: `Bearer ${keys[who]}`, 'content-type': 'application/json' };
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${up.url}${path}`, { method, headers, ...text });
  return (await response.json()) as T;
}
const ask = (id: string, amount: number, wait = 20, more: object = {}): Promise<AskReply> =>
  send('bot', 'POST', '/api/ask', { id, wait, tool: { name: 'refund', args: { amount, to: 'Miller' } }, ...more });
const decide = (
  hold: string | null,
  approved: boolean,
  { who = 'finn', grant }: { who?: 'finn' | 'lena'; grant?: object } = {},
): Promise<{ hold: HoldView }> =>
  send(who, 'POST', `/api/holds/${hold}/decision`, {
    status: 'resolved',
    values: { approved },
    ...(grant && { grant }),
  });
const grants = async (who: keyof typeof keys): Promise<GrantView[]> =>
  (await send<{ items: GrantView[] }>(who, 'GET', '/api/grants')).items;

// Promise Y56
test('a call within a grant is not asked about, has a receipt by it, and each n-th is asked; a no ends the grant', async () => {
  const first = await ask('a1', 100, 0);
  expect(first.status).toBe('waiting');
  await decide(first.holdId, true);
  expect(await send('bot', 'POST', '/api/grants', { hold: first.holdId })).toMatchObject({
    code: 'not_allowed_to_decide',
  });
  const wide = await send('finn', 'POST', '/api/grants', { hold: first.holdId, ranges: ['amount <= 501'] });
  expect(wide).toMatchObject({ code: 'forbidden' });
  const grant = await send<GrantView>('finn', 'POST', '/api/grants', { hold: first.holdId });
  expect(grant).toMatchObject({ state: 'active', agent: 'program:bot', tool: 'refund', times: { used: 0, most: 10 } });

  const second = await ask('a2', 400);
  expect(second).toMatchObject({ status: 'answered', approved: true });
  const jwks = (await (await fetch(`${up.url}/.well-known/jwks.json`)).json()) as { keys: [] };
  const expected = {
    jwks,
    agent: 'program:bot',
    tool: 'refund',
    args: { amount: 400, to: 'Miller' },
    once: () => true,
  };
  await expect(verifyReceipt(second.receipt ?? '', expected)).rejects.toThrow('not given by people');
  const claims = await verifyReceipt(second.receipt ?? '', { ...expected, kind: ['people', 'grant'] });
  expect(claims).toMatchObject({ kind: 'grant', grant: grant.id, by: [{ id: 'finn', as: ['role:finance'] }] });
  const hold = await send<HoldView>('finn', 'GET', `/api/holds/${second.holdId}`);
  expect(hold.decision).toMatchObject({ source: 'grant', granted: { id: grant.id, by: ['finn'] } });

  expect((await ask('out-of-range', 501, 0)).status).toBe('waiting');
  expect((await ask('a3', 100)).status).toBe('answered');
  const third = await ask('a4', 100, 0);
  expect(third.status).toBe('waiting');
  expect(await grants('lena')).toMatchObject([{ times: { used: 2 }, sum: { used: 500, most: 2000 } }]);
  await decide(third.holdId, false);
  expect((await ask('a5', 100, 0)).status).toBe('waiting');
  expect(await grants('finn')).toMatchObject([{ state: 'ended', ended: { by: 'finn', why: 'no' } }]);
  expect(await grants('bot')).toEqual([]);
});

// Promise Y59
test('a grant that is revoked holds for no call any more', async () => {
  const first = await ask('b1', 50, 0);
  await decide(first.holdId, true);
  const grant = await send<GrantView>('finn', 'POST', '/api/grants', { hold: first.holdId, times: 2 });
  expect((await ask('b2', 60)).status).toBe('answered');
  const ended = await send<GrantView>('lena', 'DELETE', `/api/grants/${grant.id}`);
  expect(ended).toMatchObject({ state: 'ended', ended: { by: 'lena', why: 'revoked' } });
  expect((await ask('b3', 60, 0)).status).toBe('waiting');
});

const approve = (who: 'finn' | 'lena', hold: string | null, grant?: object): Promise<{ hold: HoldView }> =>
  decide(hold, true, { who, ...(grant && { grant }) });
const viewed = (hold: string | null): Promise<HoldView> => send('finn', 'GET', `/api/holds/${hold}`);

// Promise Y60a
test('one request approves a call and grants calls like it, and refuses both where the grant is too wide', async () => {
  const tool = { name: 'pay', args: { amount: 70, to: 'Miller' } };
  const first = await ask('c1', 70, 0, { tool });
  expect(await approve('finn', first.holdId, { ranges: ['amount <= 501'] })).toMatchObject({ code: 'forbidden' });
  expect((await viewed(first.holdId)).status).toBe('open');
  const { hold } = await approve('finn', first.holdId, { times: 3 });
  expect(hold).toMatchObject({ status: 'decided', grants: { given: ['finn'], times: 3 } });
  const [grant] = (await grants('finn')).filter(({ tool: named }) => named === 'pay');
  expect(grant).toMatchObject({ state: 'active', hold: first.holdId, times: { used: 0, most: 3 } });
  expect((await ask('c2', 400, 20, { tool: { name: 'pay', args: { amount: 400, to: 'Miller' } } })).approved).toBe(
    true,
  );
});

// Promise Y60a
test('a grant that came with an approval is none while that can be taken back, and never after that', async () => {
  const policy = { policy: 'with-grace' };
  const first = await ask('d1', 10, 0, policy);
  expect((await approve('finn', first.holdId, {})).hold).toMatchObject({ status: 'open', outgoing: { by: 'finn' } });
  const made = async (): Promise<GrantView[]> => (await grants('finn')).filter(({ hold }) => hold === first.holdId);
  expect(await made()).toEqual([]);
  await send('finn', 'POST', `/api/holds/${first.holdId}/undo`);
  // Who took a decision back has the next one sent at once.
  expect((await approve('finn', first.holdId)).hold.status).toBe('decided');
  expect(await made()).toEqual([]);
  expect((await ask('d2', 10, 0, policy)).status).toBe('waiting');
});

// Promise Y60a
test('who agrees after others granted gives exactly what they gave, and both together are the grant', async () => {
  const policy = { policy: 'two-of-finance' };
  const first = await ask('e1', 10, 0, policy);
  await approve('finn', first.holdId, { times: 5, until: new Date(Date.now() + 86_400_000).toISOString() });
  const { code } = (await approve('lena', first.holdId, { times: 6 })) as unknown as { code: string };
  expect(code).toBe('changed_meanwhile');
  const { grants: shown } = await viewed(first.holdId);
  const { times, until, ranges } = shown ?? {};
  expect(shown).toMatchObject({ given: ['finn'], times: 5 });
  expect((await approve('lena', first.holdId, { times, until, ranges })).hold.status).toBe('decided');
  const [grant] = (await grants('lena')).filter(({ hold }) => hold === first.holdId);
  expect(grant).toMatchObject({ state: 'active', need: 2, by: [{ by: 'finn' }, { by: 'lena' }] });
  expect((await ask('e2', 499, 20, policy)).approved).toBe(true);
});
