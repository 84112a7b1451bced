// Agents that docs/agents.md prints whole, with the frameworks' real packages: they ask by a form, and act on the answer.
import { spawnSync } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { TurnEvent } from '../../../src/contract/tasks/turn.ts';
import { answer, ask, transportTo } from '../../activities/a2a-agents.ts';
import { answers, commandOf, hasFramework, ledgerIn, shared } from '../../rigs/agents/framework-agent.ts';
import type { Framework } from '../../rigs/agents/framework-cells.ts';
import { snippetsOf } from '../../rigs/agents/printed-recipes.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { root } from '../../source-tree.ts';

const supervisor = createSupervisor();
afterAll(() => supervisor.end());

interface Printed {
  framework: Framework;
  recipe: string;
  /** Where its card is; else at the root. */
  card?: string;
  /** The code with the model that its reader has, which is not printed. */
  withModel?: (code: string) => string;
  /** What it is asked, the title of its question, what people answer and what it does then. */
  plays: [words: string, title: string, values: Record<string, boolean | number>, done: string][];
}

const importsModel = (code: string): string => `import { model } from './scripted.js';\n${code}`;
const recipes: Printed[] = [
  {
    framework: 'agentstack',
    recipe: 'Agent Stack (BeeAI)',
    plays: [
      ['begin', 'Pay invoice 7?', { approved: true }, 'paid 7'],
      ['begin', 'Pay invoice 7?', { approved: false }, 'not paid'],
    ],
  },
  { framework: 'a2ago', recipe: 'a2a-go', plays: [['begin', 'Pay?', { approved: true }, 'paid']] },
  {
    framework: 'strands',
    recipe: 'AWS Strands',
    withModel: (code) => `from scripted import Scripted\n${code.replace('model=...', 'model=Scripted()')}`,
    plays: [
      ['pay 1', 'Pay invoice 1?', { approved: true }, 'paid 1'],
      ['pay 2', 'Pay invoice 2?', { approved: false }, 'not paid'],
    ],
  },
  {
    framework: 'mastra',
    recipe: 'Mastra',
    card: 'api/.well-known/accounts/agent-card.json',
    withModel: importsModel,
    plays: [
      ['pay 1', 'Approve pay?', { approved: true }, 'paid 1 to Miller Ltd'],
      ['a trip', 'How long?', { days: 2 }, 'booked 2 days in Rome'],
    ],
  },
  {
    framework: 'openaiagents',
    recipe: '@openai/agents',
    withModel: importsModel,
    plays: [
      ['pay 1', 'Pay invoice 1?', { approved: true }, 'paid 1 to Miller Ltd'],
      ['pay 2', 'Pay invoice 2?', { approved: false }, 'not paid'],
    ],
  },
];

/** All text of a turn, in pieces or whole. */
const wordsIn = (events: readonly TurnEvent[]): string =>
  events
    .flatMap((event) => {
      if (event.type === 'artifact') return event.artifact.parts;
      return event.type === 'status' ? (event.message?.parts ?? []) : [];
    })
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join('');

/** Writes it down and makes it ready; the command that starts it. */
async function program(framework: Framework, code: string): Promise<{ command: string; args: string[] }> {
  if (framework !== 'a2ago') return commandOf(supervisor, framework, code);
  const cwd = await supervisor.tempDir(framework);
  await writeFile(join(cwd, 'agent.go'), code);
  for (const file of ['go.mod', 'go.sum'])
    await copyFile(join(root, 'test/rigs/agents/frameworks/a2ago', file), join(cwd, file));
  const { status, stderr } = spawnSync('go', ['build', '-mod=mod', '-o', 'agent', '.'], { cwd, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return { command: join(cwd, 'agent'), args: [] };
}

describe.each(recipes)(
  'the agent that docs/agents.md prints for $recipe',
  ({ framework, recipe, card, withModel, plays }) => {
    (hasFramework(framework) ? test : test.skip)(
      `the agent that docs/agents.md prints for ${recipe} asks by a form, and acts on the answer`,
      async () => {
        const [printed = ''] = snippetsOf(recipe);
        const code = withModel?.(printed) ?? printed;
        const port = await supervisor.freePort();
        const { command, args } = await program(framework, code.replaceAll('8001', String(port)));
        // What it keeps in files lies next to it.
        const cwd = dirname(args[0] ?? command);
        const { path: AGENT_LEDGER } = await ledgerIn(supervisor);
        const env = { ...shared, AGENT_LEDGER, MASTRA_TELEMETRY_DISABLED: '1', OPENAI_AGENTS_DISABLE_TRACING: '1' };
        supervisor.start({ name: recipe, command, args, cwd, env });
        const base = `http://127.0.0.1:${port}/`;
        await answers(base + (card ?? '.well-known/agent-card.json'), recipe);
        const transport = transportTo(card === undefined ? base : base + card);
        for (const [words, title, values, done] of plays) {
          const asked = await ask(transport, words);
          expect(asked.questions).toMatchObject([{ title }]);
          const events = await answer(transport, asked, [values]);
          expect(events.at(-1)).toMatchObject({ type: 'status', state: 'completed' });
          expect(wordsIn(events)).toContain(done);
        }
      },
    );
  },
);
