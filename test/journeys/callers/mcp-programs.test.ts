// Programs on the official SDKs of MCP, each in both of its generations: they wait, give up, cancel, are killed and come back.
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
interface Program {
  sdk: string;
  /** Of an SDK that speaks more than one generation. */
  mode: string;
  command: string;
  file: string;
}
const pathOf = (file: string): string => fileURLToPath(new URL(`../../rigs/clients/${file}`, import.meta.url));
const [inJs, inPython] = [pathOf('js/mcp-caller.js'), pathOf('python/mcp_caller.py')];
const programs: Program[] = [
  { sdk: 'JavaScript', mode: '@modelcontextprotocol/sdk', command: process.execPath, file: inJs },
  { sdk: 'JavaScript', mode: '@modelcontextprotocol/client', command: process.execPath, file: inJs },
  { sdk: 'Python', mode: 'legacy', command: python ?? '', file: inPython },
  { sdk: 'Python', mode: 'auto', command: python ?? '', file: inPython },
];

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
const answered = /^\{.*"status": ?"answered".*"text": ?"red"/m;
const ended = /^(gave up|cancelled)/m;

describe.each(programs.filter(({ command }) => command !== ''))(
  'a program on the SDK of MCP for $sdk ($mode)',
  ({ sdk, mode, command, file }) => {
    const own = `${sdk}-${mode}`.replaceAll(/\W+/g, '-');
    const call = (verb: Verb, args: object): RigProcess =>
      supervisor.start({
        name: `${verb} on the SDK of MCP for ${sdk}`,
        command,
        args: [file, `${up.url}/mcp`, mode, verb, 'ask_user', JSON.stringify({ waitSeconds: 600, ...args })],
        env: { STANDFAST_API_KEY: keys.bot, NO_PROXY: '127.0.0.1,localhost', PYTHONDONTWRITEBYTECODE: '1' },
      });

    // Promise Q31
    test('a program on an SDK of MCP gets what people answered', async () => {
      const question = `Which colour, ${own}?`;
      const waiting = call('answer', { question, id: `colour-${own}` });
      await answer(await openId(question), 'red');
      await waiting.waitForLine(answered, longMs);
      expect((await waiting.exited).code).toBe(0);
    });

    // Promise Q31, Q31c
    test.each(['give-up', 'cancel'] as const)(
      'a program on an SDK of MCP that ends its call (%s) gets the answer to its id when it comes back, and takes a question without an id back',
      async (verb) => {
        const [question, other, id] = [`Which size, ${own} ${verb}?`, `Which way, ${own} ${verb}?`, `${own}-${verb}`];
        const calls = [call(verb, { question, id }), call(verb, { question: other })];
        const [kept, lost] = await Promise.all([openId(question), openId(other)]);
        for (const one of calls) {
          await one.waitForLine(ended, longMs);
          expect((await one.exited).code).toBe(0);
        }
        const isOver = async (): Promise<boolean> => (await readHold(finn(), lost)).status === 'cancelled';
        await waitFor(isOver, longMs, 'the question without an id to be taken back');
        const again = call('answer', { question, id });
        await answer(kept, 'red');
        await again.waitForLine(answered, longMs);
      },
    );

    // Promise Q31
    test('a program on an SDK of MCP that is killed gets the answer to its id when it comes back', async () => {
      const [question, id] = [`Which shape, ${own}?`, `shape-${own}`];
      const first = call('answer', { question, id });
      const hold = await openId(question);
      await first.kill9();
      const again = call('answer', { question, id });
      await answer(hold, 'red');
      await again.waitForLine(answered, longMs);
    });
  },
);
