// Agents behind the A2A servers of their own frameworks, each in its own virtual environment (scripts/framework-agents.mjs).
import { existsSync } from 'node:fs';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { RigProcess, Supervisor } from '../process/supervisor.ts';
import { waitFor } from '../wait-for.ts';
import type { Framework } from './framework-cells.ts';

const installed = z.record(z.string(), z.string()).parse(JSON.parse(process.env['STANDFAST_TEST_FRAMEWORKS'] ?? '{}'));

/** Where its packages are, or its program; missing where they could not be installed. */
export const installedAt = (framework: Framework): string | undefined => installed[framework];

/** Names with commas between: the only ones to play (scripts/newest.mjs --only). */
const only = process.env['STANDFAST_TEST_ONLY_FRAMEWORKS']?.split(',');

/** False where its packages could not be installed, which the run reports with the reason, or others are to be played. */
export const hasFramework = (framework: Framework): boolean =>
  installed[framework] !== undefined && only?.includes(framework) !== false;

export interface FrameworkAgent {
  url: string;
  /** kill -9, and a start at the same address. */
  restart(): Promise<void>;
  /** What its tools executed, in order. */
  executed(): Promise<unknown[]>;
  /** Ends what lingers. */
  letGo(): Promise<void>;
}

const folder = fileURLToPath(new URL('./frameworks/', import.meta.url));
const startMs = 120_000;
/** Their shared python/payer.py lies apart: a folder named like a package would hide that package. */
export const shared = {
  PYTHONPATH: fileURLToPath(new URL('./python/', import.meta.url)),
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONWARNINGS: 'ignore',
  NO_PROXY: '127.0.0.1,localhost',
};
/** Where a server has its agent at a path of its own. */
const paths: Partial<Record<Framework, string>> = {
  agno: 'a2a/agents/payer',
  mastra: 'api/.well-known/payer/agent-card.json',
};

type Ledger = Pick<FrameworkAgent, 'executed' | 'letGo'>;

export async function ledgerIn(supervisor: Supervisor): Promise<{ path: string; ledger: Ledger }> {
  const path = join(await supervisor.tempDir('ledger'), 'ledger');
  const text = (): Promise<string> => readFile(path, 'utf8').catch(() => '');
  const executed = async (): Promise<unknown[]> =>
    (await text()).split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  return { path, ledger: { executed, letGo: () => writeFile(`${path}.go`, '') } };
}

/** What runs it: its own program, or its file with the Python or the packages that were installed for it. `printed` is run in the place of its file. */
export async function commandOf(
  supervisor: Supervisor,
  framework: Framework,
  printed?: string,
): Promise<{ command: string; args: string[] }> {
  const made = installed[framework] ?? '';
  if (framework === 'a2ago') return { command: made, args: [] };
  const own = join(folder, framework);
  const isScript = existsSync(join(own, 'package.json'));
  const [command, file] = isScript ? [process.execPath, 'agent.js'] : [made, 'agent.py'];
  if (!isScript && printed === undefined) return { command, args: [join(own, file)] };
  // Next to its packages: a module finds them from where it is.
  const cwd = await supervisor.tempDir(framework);
  await cp(own, cwd, { recursive: true });
  if (isScript) {
    await cp(join(folder, 'a2a-executor.js'), join(cwd, 'a2a-executor.js'));
    await symlink(join(made, 'node_modules'), join(cwd, 'node_modules'));
  }
  if (printed !== undefined) await writeFile(join(cwd, file), printed);
  return { command, args: [join(cwd, file)] };
}

/** An agent that is a program of its own (frameworks/<name>/agent.py, agent.js, or built of agent.go). */
export async function startFrameworkAgent(
  supervisor: Supervisor,
  framework: Exclude<Framework, 'langgraph'>,
): Promise<FrameworkAgent> {
  const { path, ledger } = await ledgerIn(supervisor);
  const port = await supervisor.freePort();
  const url = `http://127.0.0.1:${port}/${paths[framework] ?? ''}`;
  const { command, args } = await commandOf(supervisor, framework);
  const card = url.endsWith('.json') ? url : `${url.replace(/\/$/, '')}/.well-known/agent-card.json`;
  const restart = await restartable(async () => {
    const started = supervisor.start({
      name: `${framework} agent`,
      command,
      args: [...args, '--port', String(port)],
      env: { ...shared, AGENT_LEDGER: path, MASTRA_TELEMETRY_DISABLED: '1' },
    });
    await answers(card, framework);
    return started;
  });
  return { url, restart, ...ledger };
}

/** Starts it; what is returned kills it and starts it again. */
export async function restartable(start: () => Promise<RigProcess>): Promise<() => Promise<void>> {
  let running = await start();
  return async () => {
    await running.kill9();
    running = await start();
  };
}

const AssistantsSchema = z.array(z.object({ assistant_id: z.string(), graph_id: z.string() }));

/** `langgraph dev`, which serves each graph of frameworks/langgraph at an address of its own. */
export async function startLangGraphServer(
  supervisor: Supervisor,
): Promise<FrameworkAgent & { graph(name: string): string }> {
  const { path, ledger } = await ledgerIn(supervisor);
  const port = await supervisor.freePort();
  const bin = dirname(installed['langgraph'] ?? '');
  // As a module: a script of the environment names the directory that it was made in.
  const args = [
    '-m',
    'langgraph_cli',
    'dev',
    '--no-browser',
    '--no-reload',
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
  ];
  // What it keeps between its starts goes where it runs, and it reads its graphs from there.
  const cwd = await supervisor.tempDir('langgraph');
  await cp(join(folder, 'langgraph'), cwd, { recursive: true });
  const env = {
    ...shared,
    AGENT_LEDGER: path,
    LANGSMITH_TRACING: 'false',
    LANGGRAPH_CLI_NO_ANALYTICS: '1',
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
  };
  const url = `http://127.0.0.1:${port}`;
  const restart = await restartable(async () => {
    const started = supervisor.start({ name: 'langgraph dev', command: installed['langgraph'] ?? '', args, env, cwd });
    await answers(`${url}/ok`, 'langgraph dev');
    return started;
  });
  const listed = await fetch(`${url}/assistants/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  const ids = new Map(AssistantsSchema.parse(await listed.json()).map((one) => [one.graph_id, one.assistant_id]));
  return { url, restart, ...ledger, graph: (name) => `${url}/a2a/${ids.get(name) ?? ''}` };
}

export const answers = (url: string, what: string): Promise<unknown> =>
  waitFor(
    () =>
      fetch(url, { signal: AbortSignal.timeout(2000) }).then(
        ({ ok }) => ok,
        () => false,
      ),
    startMs,
    `${what} to answer`,
  );
