// `approve-hook`: a hook of a coding agent (Claude Code's shapes). What its terminal would ask, people are asked elsewhere.
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { AskReply } from '../../contract/views/ask.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { CommandError } from '../operate/command-error.ts';
import { common, examples, groups } from '../operate/command-parts.ts';
import { createOperatorClient, type OperatorClient, type OperatorOptions } from '../operate/operator-client.ts';
import type { Terminal } from '../operate/terminal.ts';
import type { Call } from './hook-call.ts';

interface HookOptions extends OperatorOptions {
  policy?: string;
  wait: string;
  otherwise: string;
}

interface Verdict {
  decision: 'allow' | 'deny' | 'ask';
  reason: string;
}

/** A request of the client may take 30 s. */
const waitS = 20;
const againMs = 1_000;
const maxIdBytes = 120;

export function addHookCommand(
  program: Command,
  terminal: Terminal,
  input: AsyncIterable<string | Uint8Array> = process.stdin,
): void {
  examples(
    common(
      program
        .command('approve-hook')
        .helpGroup(groups.answer)
        .description('a hook for coding agents: reads a tool call, has people approve it, prints their decision')
        .option('--policy <name>', 'who is asked (default: ask.policy of the configuration)')
        .option('--wait <duration>', 'how long; the hook’s own timeout has to be longer', '10m')
        .option('--otherwise <what>', 'without a decision of people: ask (at the terminal) or deny', 'ask'),
    ),
    'approve-hook --policy developers --wait 30m < tool-call.json',
  ).action(async (options: HookOptions) => {
    const { otherwise } = options;
    if (otherwise !== 'ask' && otherwise !== 'deny')
      throw new CommandError('usage', `--otherwise: expected ask or deny, found "${otherwise}"`);
    const { callOf } = await import('./hook-call.ts');
    const call = callOf(await text(input as NodeJS.ReadableStream));
    const asked = await decisionOf(createOperatorClient(options), call, options);
    const verdict: Verdict = asked.decision === 'ask' ? { ...asked, decision: otherwise } : asked;
    if (asked.decision === 'ask') terminal.warn(`holdpoint: ${asked.reason}\n`);
    terminal.write(outputOf(call, verdict));
  });
}

/** The call's own id: a hook that starts again for it waits for the same answer. */
function idOf({ session_id: session, tool_use_id: call }: Call): string {
  const id = `hook:${session}:${call ?? randomUUID()}`;
  return Buffer.byteLength(id) <= maxIdBytes ? id : id.slice(-maxIdBytes);
}

function bodyOf(call: Call, policy: string | undefined): object {
  const { tool_name: name, tool_input: args, cwd } = call;
  const about = [args['command'], args['file_path'], args['url']].find((one) => typeof one === 'string');
  const title = about === undefined ? `Approve ${name}?` : `${name}: ${about.replace(/\s+/gu, ' ')}`;
  return {
    id: idOf(call),
    title: Array.from(title).slice(0, 200).join(''),
    message: cwd === undefined ? 'A coding agent asks.' : `A coding agent asks, in \`${cwd}\`.`,
    tool: { name, args },
    ...(policy === undefined ? {} : { policy }),
  };
}

/** People's decision; `ask` where there is none, with why. */
async function decisionOf(client: OperatorClient, call: Call, { policy, wait }: HookOptions): Promise<Verdict> {
  const endsAtMs = performance.now() + durationMs(wait);
  const body = bodyOf(call, policy);
  const first = await client.post<AskReply>('/api/ask', body).catch((error: unknown) => noDecision(error));
  if ('decision' in first) return first;
  const path = `/api/ask?id=${encodeURIComponent(first.id)}`;
  const withdraw = async (): Promise<void> => void (await client.delete(path).catch(() => null));
  // The agent's person answered at the terminal, or left: the question needs no answer any more.
  const leave = (): void => void withdraw().finally(() => process.exit(0));
  process.once('SIGTERM', leave).once('SIGINT', leave);
  try {
    for (let reply = first; ;) {
      if (reply.status !== 'waiting') return verdictOf(reply);
      const leftS = Math.floor((endsAtMs - performance.now()) / 1000);
      if (leftS < 0) break;
      reply = await client.get<AskReply>(`${path}&wait=${Math.min(waitS, leftS)}`).catch(async (error: unknown) => {
        if (!(error instanceof CommandError && error.reason === 'unreachable')) throw error;
        await new Promise((go) => setTimeout(go, againMs));
        return reply;
      });
      if (leftS === 0 && reply.status === 'waiting') break;
    }
    await withdraw();
    return { decision: 'ask', reason: `no decision within ${wait}` };
  } finally {
    process.removeListener('SIGTERM', leave).removeListener('SIGINT', leave);
  }
}

/** Without Holdpoint there is no decision; a refusal is an error in the hook's set-up. */
function noDecision(error: unknown): Verdict {
  if (error instanceof CommandError && error.reason === 'unreachable')
    return { decision: 'ask', reason: error.message };
  throw error;
}

function verdictOf({ status, approved, by, reason }: AskReply): Verdict {
  if (status === 'answered' && approved === true) return { decision: 'allow', reason: `approved by ${by}` };
  if (status === 'answered' || status === 'declined')
    return { decision: 'deny', reason: `${by} did not approve this${reason === null ? '' : `: ${reason}`}` };
  return { decision: 'ask', reason: `no decision: the question was ${status}` };
}

/** As the hook's event wants it; nothing leaves a permission dialog to the terminal. */
function outputOf({ hook_event_name: hookEventName }: Call, { decision, reason }: Verdict): string {
  if (hookEventName === 'PreToolUse') {
    const output = { hookEventName, permissionDecision: decision, permissionDecisionReason: reason };
    return `${JSON.stringify({ hookSpecificOutput: output })}\n`;
  }
  if (decision === 'ask') return '';
  const given = decision === 'allow' ? { behavior: 'allow' } : { behavior: 'deny', message: reason };
  return `${JSON.stringify({ hookSpecificOutput: { hookEventName, decision: given } })}\n`;
}
