// Coding agents of npm, each in a folder and a home of its own, with a model of this machine and no other address.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RigProcess, Supervisor } from '../../process/supervisor.ts';
import { commandDir } from '../../product/standfast.ts';
import { startFakeModel, type FakeModel, type ToolCall } from './fake-model.ts';

/** Where scripts/coding-agents.mjs installed them. */
const packages = process.env['STANDFAST_TEST_CODING_AGENTS'] ?? '';
/** Whether the programs are there; the tests are skipped where they cannot be had. */
export const hasCodingAgents = packages !== '';

export interface CodingAgent {
  process: RigProcess;
  model: FakeModel;
  /** The folder that it works in. */
  dir: string;
}

interface Start {
  call: ToolCall;
  /** A file of examples/coding-agents, as it is printed, or the settings themselves. */
  settings: string | object;
  env: NodeJS.ProcessEnv;
}

const example = (name: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`../../../../examples/coding-agents/${name}`, import.meta.url)), 'utf8');
const asJson = (value: object): string => JSON.stringify(value, null, 2);

interface Place {
  dir: string;
  home: string;
  model: FakeModel;
  env: NodeJS.ProcessEnv;
}

async function place(supervisor: Supervisor, { call, env }: Start): Promise<Place> {
  const base = await supervisor.tempDir('coding');
  const [dir, home] = [join(base, 'project'), join(base, 'home')];
  for (const one of [dir, home]) await mkdir(one);
  const model = await startFakeModel(supervisor, call);
  const path = [await commandDir(base), dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':');
  const proxies = { HTTPS_PROXY: model.proxyUrl, HTTP_PROXY: model.proxyUrl, NO_PROXY: '127.0.0.1' };
  return { dir, home, model, env: { HOME: home, PATH: path, TERM: 'xterm', NODE_OPTIONS: '', ...proxies, ...env } };
}

async function write(dir: string, path: string, settings: string | object): Promise<void> {
  await mkdir(dirname(join(dir, path)), { recursive: true });
  await writeFile(join(dir, path), typeof settings === 'string' ? await example(settings) : asJson(settings));
}

const modelKey = 'a-key-of-a-model-that-is-none';

/** Claude Code at a terminal of its own, or without one (`-p`) and with these arguments. */
export async function startClaude(
  supervisor: Supervisor,
  start: Start & { withoutTerminal?: string[]; mcp?: object },
): Promise<CodingAgent> {
  const { dir, home, model, env } = await place(supervisor, start);
  await write(dir, '.claude/settings.json', start.settings);
  if (start.mcp !== undefined) await write(dir, '.mcp.json', start.mcp);
  // What its first start asks: the theme, whether to trust the folder, and whether to use the key.
  const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  await writeFile(
    join(home, '.claude.json'),
    asJson({
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: [modelKey.slice(-20)], rejected: [] },
      projects: { [dir]: trusted },
    }),
  );
  // In its mode `auto`, which it starts in, it asks about few commands.
  await write(home, '.claude/settings.json', { permissions: { defaultMode: 'default' } });
  const platform = `${process.platform}-${process.arch}`;
  const file = join(packages, `node_modules/@anthropic-ai/claude-code-${platform}/claude`);
  const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' };
  const own = { ANTHROPIC_API_KEY: modelKey, ANTHROPIC_BASE_URL: model.url, ...quiet };
  const prompt = 'do what is to be done';
  const terminal = `tail -f /dev/null | script -qefc "stty rows 40 cols 160; '${file}' '${prompt}'" /dev/null`;
  const process_ = supervisor.start({
    name: 'Claude Code',
    ...(start.withoutTerminal === undefined
      ? { command: 'sh', args: ['-c', terminal] }
      : { command: file, args: ['-p', prompt, ...start.withoutTerminal] }),
    cwd: dir,
    env: { ...env, ...own },
  });
  return { process: process_, model, dir };
}

/** Gemini CLI without a terminal. */
export async function startGemini(supervisor: Supervisor, start: Start): Promise<CodingAgent> {
  const { dir, home, model, env } = await place(supervisor, start);
  await write(dir, '.gemini/settings.json', start.settings);
  const auth = { security: { auth: { selectedType: 'gemini-api-key' } } };
  await write(home, '.gemini/settings.json', { ...auth, privacy: { usageStatisticsEnabled: false } });
  const own = { GEMINI_API_KEY: modelKey, GOOGLE_GEMINI_BASE_URL: model.url, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
  const process_ = supervisor.start({
    name: 'Gemini CLI',
    command: process.execPath,
    // Its own rules allow all: what does not run is not run because of the hook.
    args: [join(packages, 'node_modules/@google/gemini-cli/bundle/gemini.js'), '-p', 'do it', '--yolo'],
    cwd: dir,
    env: { ...env, ...own },
  });
  return { process: process_, model, dir };
}
