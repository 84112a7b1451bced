// Clients that @hey-api/openapi-ts and oapi-codegen make of docs/openapi.json, as a team does for a language that has no client.
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { waitFor } from '../../rigs/wait-for.ts';
import { longMs } from '../setting.ts';
import { startProduct } from '../start-product.ts';

/** What scripts/generated-clients.mjs built; absent where it cannot be had, and the tests are skipped. */
const built = process.env['STANDFAST_TEST_GENERATED'] ?? '';
const key = 'a-key-of-the-generated-clients-0123456789';
const { supervisor, up } = startProduct(
  [
    `auth: { keys: [{ user: bot, kind: agent, key: ${key} }, { user: anna, roles: [finance], key: ${key}-anna }] }`,
    'policies: { finance: { audience: [role:finance] } }',
    'ask: { policy: finance }',
  ].join('\n'),
);

const clients = {
  'openapi-ts': [process.execPath, join(built, 'typescript/built/ask.js')],
  'oapi-codegen': [join(built, 'go/ask')],
};

describe('a generated client', () => {
  // Promise CL12
  (built === '' ? test.skip : test).each(Object.entries(clients))(
    'a generated client compiles, asks, reads the answer of people, and the body of a refusal: %s',
    async (name, [command = '', ...args]) => {
      const process_ = supervisor.start({ name, command, args: [...args, up.url, key, name] });
      const headers = { Authorization: `Bearer ${key}-anna` };
      const hold = await waitFor(
        async () => {
          const reply = await fetch(`${up.url}/api/holds?status=open`, { headers });
          return ((await reply.json()) as { holds?: { id: string }[]; items?: { id: string }[] }).items?.[0];
        },
        longMs,
        'the question of the generated client',
      );
      const decided = await fetch(`${up.url}/api/holds/${hold.id}/decision`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({
          status: 'resolved',
          values: name === 'openapi-ts' ? { approved: true } : { text: 'yes' },
        }),
      });
      expect(decided.status).toBe(200);
      await process_.waitForLine(/"status":"answered"/, longMs);
      expect((await process_.exited).code).toBe(0);
      expect(process_.output()).toMatch(/"by":"anna"/);
      expect(process_.output()).toMatch(/"code":"input_invalid","detail":".*none/);
    },
  );
});
