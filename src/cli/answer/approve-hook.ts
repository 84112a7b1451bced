// `approve-hook`: a hook of a coding agent (Claude Code's shapes). What its terminal would ask, people are asked elsewhere.
// Every end is a verdict, or exit code 2: the agent takes any other end as leave to go on.
import type { Command } from 'commander';
import { gateVerdict, type GateCall, type GateVerdict } from '../../core/consent/gate.ts';
import { isObject } from '../../core/base/json.ts';
import { timeLimit } from '../../host/process/time-limit.ts';
import { CommandError, isPassing } from '../operate/command-error.ts';
import { common, examples, groups, waitMs } from '../operate/command-parts.ts';
import { createOperatorClient, type OperatorClient, type OperatorOptions } from '../operate/operator-client.ts';
import type { Terminal } from '../operate/terminal.ts';
import type { Call } from './hook-formats.ts';
import { ownProcess, type HookProcess } from './hook-process.ts';
import { sleep } from '../../host/process/sleep.ts';
import { errorText } from '../../host/process/errno.ts';

interface HookOptions extends OperatorOptions {
  policy?: string;
  wait: string;
  otherwise: string;
}

/** A request of the client may take 30 s. */
const waitS = 20;
const againMs = 1_000;
/** Claude Code's own limit of a hook is 10 minutes, after which the call goes on. */
const defaultWait = '9m';
const withdrawMs = 2_000;

export function addHookCommand(program: Command, terminal: Terminal, host: () => HookProcess = ownProcess): void {
  examples(
    common(
      program
        .command('approve-hook')
        .helpGroup(groups.answer)
        .description('a hook for coding agents: reads a tool call, has people approve it, prints their decision')
        .option('--policy <name>', 'who is asked (default: ask.policy of the configuration)')
        .option('--wait <duration>', 'how long; the hook’s own timeout has to be longer', defaultWait)
        .option('--otherwise <what>', 'without a decision of people: ask (at the terminal) or deny', 'ask'),
    ),
    'approve-hook --policy developers --wait 30m < tool-call.json',
  ).action((options: HookOptions) => runHook(options, terminal, host()));
}

/** Throws errors of usage alone, whose exit code is 2. */
async function runHook(options: HookOptions, terminal: Terminal, hook: HookProcess): Promise<void> {
  let withdraw = (): Promise<GateVerdict | null> => Promise.resolve(null);
  hook.guard(() => withdraw());
  const { otherwise } = options;
  if (otherwise !== 'ask' && otherwise !== 'deny')
    throw new CommandError('usage', `--otherwise: expected ask or deny, found "${otherwise}"`);
  const isOver = timeLimit(waitMs(options.wait, defaultWait));
  const noDecision = (error: unknown): GateVerdict => ({ decision: 'ask', reason: wordsOf(error, isOver, options) });
  try {
    const [{ inputText, verdictText }, { callOf }] = await Promise.all([
      import('./hook-call.ts'),
      import('./hook-formats.ts'),
    ]);
    const call = callOf(await orOver(isOver, inputText(hook.input)));
    const asking = decisionOf(call, options, isOver, (leave) => void (withdraw = leave));
    let verdict = await orOver(isOver, asking).catch(noDecision);
    // People may have decided in the last moment.
    if (verdict.decision === 'ask') verdict = (await withdraw()) ?? verdict;
    if (verdict.decision === 'ask') terminal.warn(`standfast: ${verdict.reason}\n`);
    await hook.write(verdictText(call, verdict.decision === 'ask' ? { ...verdict, decision: otherwise } : verdict));
  } catch (error) {
    if (error instanceof CommandError && error.reason === 'usage') throw error;
    throw new CommandError('usage', `no verdict: ${wordsOf(error, isOver, options)}`);
  }
}

const wordsOf = (error: unknown, isOver: AbortSignal, { wait }: HookOptions): string =>
  isOver.aborted ? `no decision within ${wait}` : errorText(error);

/** What the promise gives, or a failure at the end of the time; a promise that never ends is left behind. */
function orOver<T>(isOver: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const over = (): void => reject(new Error('the time is over'));
    if (isOver.aborted) over();
    isOver.addEventListener('abort', over, { once: true });
    promise.then(resolve, reject);
  });
}

/** People's decision; `ask` where there is none, with why. */
async function decisionOf(
  call: Call,
  options: HookOptions,
  isOver: AbortSignal,
  onAsked: (withdraw: () => Promise<GateVerdict | null>) => void,
): Promise<GateVerdict> {
  const { askedOf } = await import('./hook-call.ts');
  const { body, asked } = askedOf(call, options.policy);
  const client = createOperatorClient(options, isOver);
  const path = `/api/ask?id=${encodeURIComponent(asked.id)}`;
  // The agent's person answered at the terminal, or left, or the wait is over: the question needs no answer any more.
  onAsked(async () => {
    const brief = timeLimit(withdrawMs);
    const reply = orOver(brief, createOperatorClient(options, brief).delete(path));
    const verdict = await reply.then((read) => gateVerdict(read, asked)).catch(() => null);
    return verdict?.decision === 'ask' ? null : verdict;
  });
  const first: unknown = await client.post('/api/ask', body);
  let verdict = gateVerdict(first, asked);
  const version = versionIn(first);
  const same = version === null ? asked : { ...asked, version };
  while (verdict === null && !isOver.aborted) verdict = await nextOf(client, path, same);
  return verdict ?? { decision: 'ask', reason: 'the time is over' };
}

const versionIn = (reply: unknown): number | null => {
  const version = isObject(reply) ? reply['version'] : null;
  return typeof version === 'number' ? version : null;
};

/** What Standfast says now; null while people are still asked, or it is away. */
async function nextOf(client: OperatorClient, path: string, asked: GateCall): Promise<GateVerdict | null> {
  try {
    return gateVerdict(await client.get(`${path}&wait=${waitS}`), asked);
  } catch (error) {
    if (error instanceof CommandError && !isPassing(error)) throw error;
    await sleep(againMs);
    return null;
  }
}
