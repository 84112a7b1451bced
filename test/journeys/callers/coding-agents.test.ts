// Claude Code and Gemini CLI as npm serves them, with a scripted model of this machine: they call the hook themselves, and what
// they then run or leave is a file that is there or not.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { HoldViewSchema } from '../../../src/contract/holds/hold.ts';
import { hasCodingAgents, startClaude, startGemini, type CodingAgent } from '../../rigs/agents/coding/coding-agents.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { read } from '../../source-tree.ts';
import { decided, longMs } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const key = 'a-key-of-a-coding-agent-0123456789';
const { supervisor, up } = startProduct(
  [
    `auth: { keys: [{ user: bot, kind: agent, key: ${key} }, { user: anna, roles: [developers], key: ${key}-anna }] }`,
    'policies: { developers: { audience: [role:developers] } }',
    'ask: { policy: developers }',
  ].join('\n'),
);

const anna = () => up.as(`${key}-anna`);
const env = () => ({ STANDFAST_URL: up.url, STANDFAST_API_KEY: key });
const bash = { name: 'Bash', input: { command: 'touch as-proposed', description: 'make a file' } };
const edited = { command: 'touch as-edited', description: 'make a file' };
const shell = { name: 'run_shell_command', input: bash.input };

/** The one open question, as soon as there is one. */
const asked = (): Promise<HoldView> =>
  waitFor(
    async () => {
      const { body } = await anna().get('/api/holds?status=open');
      const [first] = (body as { items: unknown[] }).items;
      return first === undefined ? undefined : HoldViewSchema.parse(first);
    },
    longMs,
    'the question of the coding agent',
  );
async function answer(values: object): Promise<HoldView> {
  const hold = await asked();
  expect(await decided(anna(), hold.id, { status: 'resolved', values })).toMatchObject({ status: 200 });
  return hold;
}
const ran = ({ dir }: CodingAgent): string[] =>
  ['as-proposed', 'as-edited'].filter((name) => existsSync(join(dir, name)));
const withHook = (command: string) => ({
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command, timeout: 120 }] }] },
});

(hasCodingAgents ? describe : describe.skip)('a coding agent', () => {
  // Promise Y92b
  test('Claude Code at a terminal runs the command as people changed it, by the hook of the example', async () => {
    const agent = await startClaude(supervisor, { call: bash, settings: 'claude-code.json', env: env() });
    const hold = await answer({ approved: true, editedArgs: edited });
    expect(hold).toMatchObject({ kind: 'tool_call', context: { toolArgs: bash.input } });
    await agent.model.result();
    expect(ran(agent)).toEqual(['as-edited']);
    await agent.process.stop();
  });

  test('Claude Code at a terminal does not run what people refused, and its model reads why', async () => {
    const agent = await startClaude(supervisor, { call: bash, settings: 'claude-code.json', env: env() });
    await answer({ approved: false, reason: 'not on Fridays' });
    expect(await agent.model.result()).toContain('not on Fridays');
    expect(ran(agent)).toEqual([]);
    await agent.process.stop();
  });

  // Promise Y92c
  test('Claude Code has people answer what it asks its user, and its model reads what they chose', async () => {
    const options = [
      { label: 'SQLite', description: 'one file' },
      { label: 'Postgres', description: 'a server' },
    ];
    const question = { question: 'Which database?', header: 'Database', multiSelect: false, options };
    const call = { name: 'AskUserQuestion', input: { questions: [question] } };
    const agent = await startClaude(supervisor, { call, settings: 'claude-code.json', env: env() });
    expect(await answer({ q1: '2' })).toMatchObject({ title: 'Which database?' });
    expect(await agent.model.result()).toMatch(/Which database\?.*Postgres/);
    await agent.process.stop();
  });

  // Promise Y92b
  test('Claude Code without a terminal asks by PreToolUse, and runs what was approved or nothing', async () => {
    const settings = 'claude-code-headless.json';
    const yes = await startClaude(supervisor, { call: bash, settings, env: env(), withoutTerminal: [] });
    await answer({ approved: true, editedArgs: edited });
    expect(await yes.process.exited).toMatchObject({ code: 0 });
    expect(ran(yes)).toEqual(['as-edited']);
    const no = await startClaude(supervisor, { call: bash, settings, env: env(), withoutTerminal: [] });
    await answer({ approved: false, reason: 'not on Fridays' });
    expect(await no.model.result()).toContain('not on Fridays');
    expect(ran(no)).toEqual([]);
  });

  test('Claude Code without a terminal asks by permission_prompt over MCP, as docs/agents.md prints it, and runs what was approved', async () => {
    const [, printed = ''] = /^```json\n(\{\n {2}"mcpServers"[^]*?)^```$/m.exec(read('docs/agents.md')) ?? [];
    const mcp = JSON.parse(printed.replace('http://127.0.0.1:8600', up.url)) as object;
    const withoutTerminal = [
      '--permission-prompt-tool',
      'mcp__standfast__permission_prompt',
      '--mcp-config',
      '.mcp.json',
    ];
    const start = { call: bash, settings: {}, env: env(), withoutTerminal, mcp };
    const yes = await startClaude(supervisor, start);
    await answer({ approved: true, editedArgs: edited });
    await yes.model.result();
    expect(ran(yes)).toEqual(['as-edited']);
    const no = await startClaude(supervisor, start);
    await answer({ approved: false, reason: 'not on Fridays' });
    expect(await no.model.result()).toContain('not on Fridays');
    expect(ran(no)).toEqual([]);
  });

  // Promise Y91
  test.each([
    ['the key is refused', 'standfast approve-hook --otherwise deny || exit 2', { STANDFAST_API_KEY: 'removed' }],
    [
      'nothing listens',
      'standfast approve-hook --wait 2s --otherwise deny || exit 2',
      { STANDFAST_URL: 'http://127.0.0.1:9' },
    ],
    ['the program is not there', 'no-such-program approve-hook || exit 2', {}],
    ['the hook is killed', "sh -c 'kill -9 $$' || exit 2", {}],
  ])('Claude Code runs nothing although its rules allow it, if %s', async (_what, command, other) => {
    const settings = { ...withHook(command), permissions: { allow: ['Bash'] } };
    const agent = await startClaude(supervisor, {
      call: bash,
      settings,
      env: { ...env(), ...other },
      withoutTerminal: [],
    });
    await agent.model.result();
    expect(ran(agent)).toEqual([]);
    // Without the hook these rules let it run: what is held above is held by the hook.
    const free = await startClaude(supervisor, {
      call: bash,
      settings: { permissions: settings.permissions },
      env: env(),
      withoutTerminal: [],
    });
    await free.model.result();
    expect(ran(free)).toEqual(['as-proposed']);
  });

  // Promise Y92b
  test('Gemini CLI runs the command as people changed it, and not what they refused, by the hook of the example', async () => {
    const settings = 'gemini-cli.json';
    const yes = await startGemini(supervisor, { call: shell, settings, env: env() });
    await answer({ approved: true, editedArgs: edited });
    await yes.model.result();
    expect(ran(yes)).toEqual(['as-edited']);
    const no = await startGemini(supervisor, { call: shell, settings, env: env() });
    await answer({ approved: false, reason: 'not on Fridays' });
    expect(await no.model.result()).toContain('not on Fridays');
    expect(ran(no)).toEqual([]);
  });

  // Promise Y91
  test('Gemini CLI runs nothing where the key of its hook is refused', async () => {
    const refused = { ...env(), STANDFAST_API_KEY: 'removed' };
    const agent = await startGemini(supervisor, { call: shell, settings: 'gemini-cli.json', env: refused });
    await agent.model.result();
    expect(ran(agent)).toEqual([]);
  });
});
