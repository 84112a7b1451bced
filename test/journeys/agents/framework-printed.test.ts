// Agents that docs/agents.md prints whole, with the frameworks' real packages: they ask by a form, and act on the answer.
import { spawnSync } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { answer, ask, transportTo } from '../../activities/a2a-agents.ts';
import { answers, hasFramework, installedAt, shared } from '../../rigs/agents/framework-agent.ts';
import { snippetsOf } from '../../rigs/agents/printed-recipes.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { root } from '../../source-tree.ts';

const supervisor = createSupervisor();
afterAll(() => supervisor.end());

/** Writes it down and makes it ready; the command that starts it. */
async function program(framework: 'agentstack' | 'a2ago', code: string): Promise<{ command: string; args: string[] }> {
  const cwd = await supervisor.tempDir(framework);
  if (framework === 'agentstack') {
    await writeFile(join(cwd, 'agent.py'), code);
    return { command: installedAt(framework) ?? '', args: [join(cwd, 'agent.py')] };
  }
  await writeFile(join(cwd, 'agent.go'), code);
  for (const file of ['go.mod', 'go.sum'])
    await copyFile(join(root, 'test/rigs/agents/frameworks/a2ago', file), join(cwd, file));
  const { status, stderr } = spawnSync('go', ['build', '-mod=mod', '-o', 'agent', '.'], { cwd, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return { command: join(cwd, 'agent'), args: [] };
}

describe.each([
  ['agentstack', 'Agent Stack (BeeAI)', 'Pay invoice 7?', 'paid 7'],
  ['a2ago', 'a2a-go', 'Pay?', 'paid'],
] as const)('the agent that docs/agents.md prints for %s', (framework, recipe, title, done) => {
  (hasFramework(framework) ? test : test.skip)(
    `the agent that docs/agents.md prints for ${recipe} asks by a form, and acts on the answer`,
    async () => {
      const [code = ''] = snippetsOf(recipe);
      const port = await supervisor.freePort();
      const { command, args } = await program(framework, code.replaceAll('8001', String(port)));
      supervisor.start({ name: recipe, command, args, env: shared });
      const url = `http://127.0.0.1:${port}/`;
      await answers(`${url}.well-known/agent-card.json`, recipe);
      const transport = transportTo(url);
      const asked = await ask(transport, 'begin');
      expect(asked.questions).toMatchObject([{ title }]);
      const events = await answer(transport, asked, [{ approved: true }]);
      expect(events.at(-1)).toMatchObject({ type: 'status', state: 'completed' });
      expect(JSON.stringify(events)).toContain(`"${done}"`);
    },
  );
});
