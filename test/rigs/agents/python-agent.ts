// Agents that others wrote, as processes: a real google-adk agent, LangGraph, and agents on the official Python SDK (python/).

import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { RigProcess, Supervisor } from '../process/supervisor.ts';

/** The Python that scripts/python-agents.mjs made; absent where there can be none, and then their tests are skipped. */
export const python = process.env['STANDFAST_TEST_PYTHON'] ?? '';
export const hasPython = python !== '';

export interface PythonAgent {
  /** Base address, ends in `/`. */
  url: string;
  process: RigProcess;
}

/** An ADK agent with a scripted model (python/adk_agent.py): as `to_a2a()` makes it, with a card that tells nothing of ADK, or asking by its callbacks. */
export function startAdkAgent(
  supervisor: Supervisor,
  way: 'plain' | 'older' | 'callbacks' = 'plain',
): Promise<PythonAgent> {
  return start(supervisor, 'adk agent', 'adk_agent.py', ['--way', way]);
}

/** As `startSdkAgent`, over gRPC alone, at the port of this origin. */
export async function startGrpcSdkAgent(
  supervisor: Supervisor,
  kind: 'hello' | 'survey' | 'reply',
): Promise<PythonAgent & { grpcOrigin: string }> {
  const port = await supervisor.freePort();
  const args = [kind, '--binding', 'GRPC', '--grpc-port', String(port)];
  const agent = await start(supervisor, `${kind} agent over gRPC`, 'sdk_agents.py', args);
  return { ...agent, grpcOrigin: `http://127.0.0.1:${port}` };
}

/** An agent on the Python SDK (python/sdk_agents.py): `hello`, `survey` or `reply`. */
export function startSdkAgent(
  supervisor: Supervisor,
  kind: 'hello' | 'survey' | 'reply',
  binding: 'JSONRPC' | 'HTTP+JSON' = 'JSONRPC',
): Promise<PythonAgent> {
  return start(supervisor, `${kind} agent`, 'sdk_agents.py', [kind, '--binding', binding]);
}

/** An agent on LangGraph behind the Python SDK (python/langgraph_agent.py). */
export function startGraphAgent(
  supervisor: Supervisor,
  kind: 'batched' | 'per_call' | 'inbox' | 'graph' | 'shared',
): Promise<PythonAgent> {
  return start(supervisor, `${kind} graph`, 'langgraph_agent.py', [kind]);
}

const examples = fileURLToPath(new URL('../../../examples/agents/python/', import.meta.url));
/** Not a byte of theirs in the tree, and no proxy between parts of one machine. */
const quiet = { PYTHONDONTWRITEBYTECODE: '1', PYTHONWARNINGS: 'ignore', NO_PROXY: '127.0.0.1,localhost' };
/** What the examples have is taken from them. */
export const pythonEnv = { ...quiet, PYTHONPATH: examples };

/** One of examples/agents/python, as its readers start it. */
export function startPythonExample(supervisor: Supervisor, name: string): Promise<PythonAgent> {
  return start(supervisor, name, `${examples}${name}.py`, []);
}

/** One of examples/callers, as its readers run it: in Python, or, where its name says so, in JavaScript. */
export function startCaller(
  supervisor: Supervisor,
  name: string,
  [...args]: readonly string[],
  env: Record<string, string> = {},
): RigProcess {
  const path = fileURLToPath(new URL(`../../../examples/callers/${name}`, import.meta.url));
  const command = name.endsWith('.js') ? process.execPath : python;
  return supervisor.start({ name, command, args: [path, ...args], env: { ...quiet, ...env } });
}

const AnsweringSchema = z.object({
  session: z.string(),
  calls: z.array(z.object({ name: z.string(), args: z.record(z.string(), z.unknown()) })),
  texts: z.array(z.string()),
  errors: z.array(z.string()),
});
export type CallerTurn = z.infer<typeof AnsweringSchema>;

/** A caller on google-adk, whose sessions lie on disk (python/adk_answering.py); what each of them came to, by its name. */
export async function runAnsweringCaller(
  supervisor: Supervisor,
  [url, database]: [url: string, database: string],
  verb: 'ask' | 'answer',
  given: Record<string, unknown>,
): Promise<Record<string, CallerTurn>> {
  const path = fileURLToPath(new URL('./python/adk_answering.py', import.meta.url));
  const args = [path, url, database, verb, JSON.stringify(given)];
  const process_ = supervisor.start({ name: `ADK caller that ${verb}s`, command: python, args, env: quiet });
  const { code } = await process_.exited;
  const lines = process_.output().split('\n');
  if (code !== 0) throw new Error(`the caller ended with ${code}: ${lines.slice(-20).join('\n')}`);
  const turns = lines.flatMap((line) =>
    line.startsWith('{"session"') ? [AnsweringSchema.parse(JSON.parse(line))] : [],
  );
  return Object.fromEntries(turns.map((turn) => [turn.session, turn]));
}

async function start(supervisor: Supervisor, name: string, file: string, args: string[]): Promise<PythonAgent> {
  if (!hasPython) throw new Error('STANDFAST_TEST_PYTHON is not set: run scripts/python-agents.mjs');
  const port = await supervisor.freePort();
  const path = file.startsWith(examples) ? file : fileURLToPath(new URL(`./python/${file}`, import.meta.url));
  const command = { command: python, args: [path, ...args, '--port', String(port)] };
  const started = supervisor.start({ name, ...command, env: pythonEnv });
  await started.waitForLine(/ ready http/, 60_000);
  return { url: `http://127.0.0.1:${port}/`, process: started };
}
