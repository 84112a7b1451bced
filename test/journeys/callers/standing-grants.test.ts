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
const ask = (id: string, amount: number, wait = 20): Promise<AskReply> =>
  send('bot', 'POST', '/api/ask', { id, wait, tool: { name: 'refund', args: { amount, to: 'Miller' } } });
const decide = (hold: string | null, approved: boolean): Promise<{ hold: HoldView }> =>
  send('finn', 'POST', `/api/holds/${hold}/decision`, { status: 'resolved', values: { approved } });
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
