// The two tools of our MCP server. Their descriptions are read by models: they say when to ask, and that waiting is normal.
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { version } from '../../contract/base/version.ts';
import { questionOfAsk, titleOfAsk, questionOfToolCall } from '../../core/questions/ask.ts';
import { HoldpointError } from '../../core/base/errors.ts';
import type { ApiContext } from '../api-context.ts';
import type { CallerLease } from '../http/sse.ts';
import { answerOf, askPeople, type AskAnswer, type AskedPeople } from './ask-people.ts';
import type { Config } from '../../contract/configuration/config.ts';
import { noPolicy, reachesOthers } from '../../core/policy/askers.ts';

const defaultWaitS = 50;
const maxWaitS = 600;
const progressEveryMs = 10_000;

const common = {
  id: z
    .string()
    .min(1)
    .max(120)
    .optional()
    .describe(
      'Your own name for this question. The same id again waits for the same answer: use it after a disconnect.',
    ),
  policy: z.string().max(64).optional().describe('Which policy of Holdpoint decides who is asked, and until when.'),
  waitSeconds: z
    .number()
    .min(0)
    .max(maxWaitS)
    .optional()
    .describe(
      `How long this call waits, ${defaultWaitS} when missing. The question itself waits on: ask again with its id.`,
    ),
};

const askShape = {
  question: z
    .string()
    .min(1)
    .max(16_000)
    .optional()
    .describe('What to decide, the context needed for it, and what happens with either answer. Markdown.'),
  title: z.string().max(200).optional().describe('The question in one line.'),
  schema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('JSON Schema of the answer, type object. Missing: a free text.'),
  defaults: z.record(z.string(), z.unknown()).optional().describe('What you propose, by field.'),
  ...common,
};

const approveShape = {
  name: z.string().min(1).max(200).optional().describe('The tool you are about to call.'),
  args: z.record(z.string(), z.unknown()).optional().describe('Its arguments, exactly as they will be sent.'),
  why: z.string().max(16_000).optional().describe('Why, and what cannot be undone.'),
  editable: z.boolean().optional().describe('People may change the arguments; then use those of the answer.'),
  ...common,
};

/** What a call gets from its HTTP request. */
interface Caller {
  api: ApiContext;
  principal: Principal;
  lease: CallerLease;
}

interface Extra {
  signal: AbortSignal;
  _meta?: { progressToken?: string | number | undefined } | undefined;
  sendNotification(notification: {
    method: 'notifications/progress';
    params: { progressToken: string | number; progress: number; message: string };
  }): Promise<void>;
}

function resultOf(answer: object, isError = false): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(answer) }],
    structuredContent: { ...answer },
    ...(isError ? { isError: true } : {}),
  };
}

/** A refusal is a result for the model to read, not a failed call. */
async function answered(act: () => Promise<object>): Promise<CallToolResult> {
  try {
    return resultOf(await act());
  } catch (error) {
    if (!(error instanceof HoldpointError)) throw error;
    return resultOf({ status: 'refused', code: error.code, detail: error.message }, true);
  }
}

/** Clients give up a silent call after a minute: progress keeps them waiting, where they asked for it. */
async function waitFor(caller: Caller, id: string, waitSeconds: number | undefined, extra: Extra): Promise<AskAnswer> {
  const token = extra._meta?.progressToken;
  let progress = 0;
  const report = (): void => {
    if (token === undefined) return;
    progress += 1;
    const params = { progressToken: token, progress, message: `waiting for people (id ${id})` };
    void extra.sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  report();
  const timer = setInterval(report, progressEveryMs);
  try {
    const timeoutMs = (waitSeconds ?? defaultWaitS) * 1000;
    const signal = AbortSignal.any([extra.signal, caller.lease.signal]);
    const answer = await answerOf(caller.api, id, caller.principal, { timeoutMs, signal });
    if (caller.lease.isOver())
      throw new HoldpointError(
        'not_authenticated',
        'the key of this call has ended; the question waits on for its owner',
      );
    return answer;
  } finally {
    clearInterval(timer);
  }
}

async function ask(
  caller: Caller,
  asked: AskedPeople,
  waitSeconds: number | undefined,
  extra: Extra,
): Promise<AskAnswer> {
  const policy = policyOfAsk(caller.api.config, asked.policy, caller.principal);
  await askPeople(caller.api, { ...asked, policy }, caller.principal);
  return waitFor(caller, asked.id, waitSeconds, extra);
}

const missing = (what: string): HoldpointError =>
  new HoldpointError('input_invalid', `${what}: missing; only a call that waits on by id may leave it out`);

/** A server for one request: it keeps nothing between two, so that any api process may take the next. */
export function createMcpServer(caller: Caller): McpServer {
  const server = new McpServer({ name: 'holdpoint', version });
  server.registerTool(
    'ask_user',
    {
      title: 'Ask a person',
      description:
        'Asks people a question and waits durably for the answer, minutes or weeks. Ask only what you cannot find out yourself and what a person must decide. Status "waiting": nobody has answered yet; call again with the same id. "declined", "expired": you have no permission; do not go on as if you had.',
      inputSchema: askShape,
    },
    (args, extra) =>
      answered(async () => {
        const { question, title, schema, defaults, id, policy, waitSeconds } = args;
        if (question === undefined) {
          if (id === undefined) throw missing('question');
          return waitFor(caller, id, waitSeconds, extra);
        }
        const read = questionOfAsk({
          question,
          title: title ?? null,
          // Safe: it came as JSON.
          schema: (schema ?? null) as JsonObject | null,
          defaults: (defaults ?? {}) as JsonObject,
        });
        const untitled = titleOfAsk({ question, title: null });
        if (!read.ok) throw new HoldpointError('input_invalid', read.why);
        const asked = { id: id ?? randomUUID(), question: read.question, policy: policy ?? null, untitled };
        return ask(caller, asked, waitSeconds, extra);
      }),
  );
  server.registerTool(
    'approve_tool_call',
    {
      title: 'Have a tool call approved',
      description:
        'Asks people whether you may call a tool with these arguments. Call it before anything that cannot be undone. Go on only when status is "answered" and approved is true, with the arguments in the answer.',
      inputSchema: approveShape,
    },
    (given, extra) =>
      answered(async () => {
        const { name, args, why, editable, id, policy, waitSeconds } = given;
        const asked = id ?? randomUUID();
        if (name === undefined && id === undefined) throw missing('name');
        const answer =
          name === undefined
            ? await waitFor(caller, asked, waitSeconds, extra)
            : await ask(
                caller,
                {
                  id: asked,
                  question: questionOfToolCall(
                    // Safe: it came as JSON.
                    { name, args: (args ?? {}) as JsonObject, why: why ?? '', isEditable: editable === true },
                    asked,
                  ),
                  policy: policy ?? null,
                  untitled: null,
                },
                waitSeconds,
                extra,
              );
        return approvalOf(answer);
      }),
  );
  return server;
}

/** Only a plain yes is one; silence, refusal and expiry are not. */
function approvalOf(answer: AskAnswer): object {
  if (answer.status !== 'answered') return { ...answer, approved: false };
  const { values, toolArgs, ...rest } = answer;
  const approved = values['approved'] === true;
  const { editedArgs, reason } = values;
  return { ...rest, approved, ...(approved ? { args: editedArgs ?? toolArgs } : {}), reason: reason ?? answer.reason };
}

// Which policy decides who is asked over MCP. Whoever asks chooses among those they are allowed, and never one that asks
// themselves alone: a program that holds the key could then answer its own question.
type Known = Pick<Config, 'auth' | 'mcp' | 'policies'>;

/** The policy's name, null for the one of questions without; throws `input_invalid` or `forbidden`. */
export function policyOfAsk(config: Known, named: string | null, principal: Principal): string | null {
  const { mcp, policies } = config;
  const allowed = mcp.policies ?? Object.keys(policies);
  const there = `there are ${allowed.join(', ') || 'none'}`;
  if (named !== null && mcp.policies !== undefined && named !== mcp.policy && !mcp.policies.includes(named))
    throw new HoldpointError('forbidden', `policy: ${named} is none that a question over MCP may name; ${there}`);
  const name = named ?? mcp.policy ?? null;
  const policy = name !== null && Object.hasOwn(policies, name) ? policies[name] : undefined;
  if (name !== null && policy === undefined)
    throw new HoldpointError('input_invalid', `policy: there is no policy ${name}; ${there}`);
  refuseAskingThemselves(config, policy ?? noPolicy, name, principal);
  return name;
}

function refuseAskingThemselves(
  config: Known,
  policy: Parameters<typeof reachesOthers>[1],
  name: string | null,
  { id, isSuper }: Principal,
): void {
  // Without keys nobody has a name, so callers cannot be distinguished.
  if (isSuper || reachesOthers(config, policy, id)) return;
  const which = name === null ? 'no policy is named, and without one' : `with the policy ${name}`;
  throw new HoldpointError(
    'forbidden',
    `policy: ${which} ${id} alone would be asked, who asks; name one that asks others`,
  );
}
