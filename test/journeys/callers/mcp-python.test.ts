// The Python SDK of MCP, in both of its ways to connect: a program that waits, gives up, cancels, is killed and comes back.
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { StandfastClient } from '../../rigs/product/standfast.ts';
import type { RigProcess } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { decided, longMs, readHold } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const python = process.env['STANDFAST_TEST_ASKING_PYTHON'];
const keys = { bot: 'key-of-the-bot-1234', finn: 'key-of-finn-1234' };
const { supervisor, up } = startProduct(`
policies: { finance: { audience: ['role:finance'], expire: { after: 2h, then: fail } } }
ask: { policy: finance }
auth:
  keys:
    - { user: bot, kind: agent, key: '${keys.bot}' }
    - { user: finn, roles: [finance], key: '${keys.finn}' }
`);
const finn = (): StandfastClient => up.as(keys.finn);

type Verb = 'answer' | 'give-up' | 'cancel';
const program = fileURLToPath(new URL('../../rigs/clients/python/mcp_caller.py', import.meta.url));
function call(mode: string, verb: Verb, args: object): RigProcess {
  return supervisor.start({
    name: `${verb} on the Python SDK of MCP`,
    command: python ?? '',
    args: [program, `${up.url}/mcp`, mode, verb, 'ask_user', JSON.stringify({ waitSeconds: 600, ...args })],
    env: { STANDFAST_API_KEY: keys.bot, NO_PROXY: '127.0.0.1,localhost', PYTHONDONTWRITEBYTECODE: '1' },
  });
}

const OpenSchema = z.object({ items: z.array(z.object({ id: z.string(), message: z.string() })) });
const openId = (question: string): Promise<string> =>
  waitFor(
    async () => {
      const { items } = OpenSchema.parse((await finn().get('/api/holds?status=open')).body);
      return items.find(({ message }) => message === question)?.id;
    },
    longMs,
    `the question ${question}`,
  );
const answer = async (id: string, text: string): Promise<void> => {
  expect((await decided(finn(), id, { status: 'resolved', values: { text } })).status).toBe(200);
};
const answered = /^\{"status": "answered".*"text": "red"/m;

const suite = python === undefined ? describe.skip : describe;
suite.each(['legacy', 'auto'])('a program on the Python SDK of MCP (%s)', (mode) => {
  // Promise Q31
  test('a program on the Python SDK of MCP gets what people answered', async () => {
    const question = `Which colour, ${mode}?`;
    const waiting = call(mode, 'answer', { question, id: `colour-${mode}` });
    await answer(await openId(question), 'red');
    await waiting.waitForLine(answered, longMs);
    expect((await waiting.exited).code).toBe(0);
  });

  test.each(['give-up', 'cancel'] as const)(
    'a program on the Python SDK of MCP that ends its call (%s) gets the answer to its id when it comes back',
    async (verb) => {
      const [question, id] = [`Which size, ${mode} ${verb}?`, `size-${mode}-${verb}`];
      const first = call(mode, verb, { question, id });
      await first.waitForLine(/^(gave up|cancelled)/m, longMs);
      expect((await first.exited).code).toBe(0);
      const hold = await openId(question);
      const again = call(mode, 'answer', { question, id });
      await answer(hold, 'red');
      await again.waitForLine(answered, longMs);
    },
  );

  // Promise Q31
  test('a program on the Python SDK of MCP that is killed gets the answer to its id when it comes back', async () => {
    const [question, id] = [`Which shape, ${mode}?`, `shape-${mode}`];
    const first = call(mode, 'answer', { question, id });
    const hold = await openId(question);
    await first.kill9();
    const again = call(mode, 'answer', { question, id });
    await answer(hold, 'red');
    await again.waitForLine(answered, longMs);
  });

  test.each(['give-up', 'cancel'] as const)(
    'a program on the Python SDK of MCP that ends its call (%s) takes a question without an id back',
    async (verb) => {
      const question = `Which way, ${mode} ${verb}?`;
      const only = call(mode, verb, { question });
      const id = await openId(question);
      await only.waitForLine(/^(gave up|cancelled)/m, longMs);
      const isOver = async (): Promise<boolean> => (await readHold(finn(), id)).status === 'cancelled';
      await waitFor(isOver, longMs, 'the question to be taken back');
    },
  );
});
