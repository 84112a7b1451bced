// Operators' commands for passkeys, against the api.
import { beforeAll, expect, test } from '@jest/globals';
import { keyOf, records, register, signedIn, passkeyApi, withPasskey, type Who } from '../../api/auth/passkeys-rig.ts';
import { describeApi } from '../../api/describe-api.ts';
import { runInProcess, type CommandRun } from '../../rigs/product/command.ts';

const rig = describeApi(passkeyApi());
let url = '';
beforeAll(async () => {
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});

async function run(who: Who, ...args: string[]): Promise<CommandRun> {
  // An id may begin with a dash.
  const [command = '', ...rest] = args;
  const given = rest.includes('--json') ? rest : ['--', ...rest];
  return runInProcess([command, '--url', url, '--api-key', keyOf[who], ...given]);
}

// Promise PK2
test('Two operators revoke a passkey from a terminal by the beginning of its id, and one alone does not', async () => {
  const { passkey } = await withPasskey(rig, 'ben');
  const start = passkey.id.slice(0, 12);
  const asked = await run('op', 'revoke-passkey', 'ben', start);
  expect(asked).toMatchObject({ code: null, out: expect.stringMatching(/^Asked for: “A phone” of ben/) });
  expect((await run('op', 'revoke-passkey', 'ben', start)).out).toMatch(/^Asked for/);
  expect((await run('op2', 'passkeys')).out).toMatch(/ben +A phone .*asked by op\n/);

  const done = await run('op2', 'revoke-passkey', 'ben', start);
  expect(done).toMatchObject({ code: null, out: 'Revoked: “A phone” of ben, which op had asked for\n' });
  expect((await run('op', 'passkeys')).out).not.toContain('ben');
  expect((await records(rig)).at(-1)).toMatchObject({ event: 'revoked', by: 'op2', askedBy: 'op' });
  expect((await register(rig, await signedIn(rig, 'ben'))).statusCode).toBe(200);
});

// Promise PK2
test('Operators alone see or revoke passkeys from a terminal, and none their own', async () => {
  const { passkey } = await withPasskey(rig, 'op');
  expect((await run('fin', 'passkeys')).code).toBe(4);
  expect((await run('fin', 'revoke-passkey', 'op', passkey.id)).code).toBe(4);
  expect((await run('op', 'revoke-passkey', 'op', passkey.id)).code).toBe(4);
  expect(await run('op', 'revoke-passkey', 'fin', passkey.id)).toMatchObject({
    code: 3,
    err: expect.stringContaining('fin has no passkey'),
  });
});

test('The list of passkeys as JSON has what the script that checks evidence reads', async () => {
  const { passkey } = await withPasskey(rig, 'anna');
  const list = JSON.parse((await run('op', 'passkeys', '--json')).out) as object[];
  expect(list).toContainEqual(
    expect.objectContaining({ user: 'anna', id: passkey.id, publicKey: expect.stringMatching(/^MFkw/) }),
  );
});
