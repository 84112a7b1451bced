// The tools of our MCP server. Their descriptions are read by models: they say when to ask, and that waiting is normal.
import { randomUUID } from 'node:crypto';
import {
  McpServer,
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { version as ownVersion } from '../../host/process/version.ts';
import { questionOfAsk, titleOfAsk, questionOfToolCall } from '../../core/questions/ask.ts';
import { approvalOf, type AskAnswer } from '../../core/questions/ask-answer.ts';
import { StandfastError } from '../../core/base/errors.ts';
import type { ApiContext } from '../api-context.ts';
import { withdrawAbandoned } from '../ask/withdraw-ask.ts';
import { policiesFor } from '../ask/ask-policy.ts';
import type { CallerLease } from '../http/sse.ts';
import type { CancelledCalls } from './cancelled-calls.ts';
import { opensPages, PageToOpen, pageRequest, reportProgress, stateOf } from './waiting.ts';
import { answerOf, askPeople, pageOfAsk, type AskedPeople, type AskingApi } from '../ask/ask-people.ts';

const defaultWaitS = 50;
const maxWaitS = 600;

const common = {
  id: z
    .string()
    .min(1)
    .max(120)
    .optional()
    .describe(
      'Your own name for this question. The same id again waits for the same answer: use it after a disconnect.',
    ),
  policy: z.string().max(64).optional().describe('Which policy of Standfast decides who is asked, and until when.'),
  waitSeconds: z
    .number()
    .min(0)
    .max(maxWaitS)
    .optional()
    .describe(
      `How long this call waits, ${defaultWaitS} when missing. The question itself waits on: ask again with its id.`,
    ),
};

const askShape = z.object({
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
});

const approveShape = z.object({
  name: z.string().min(1).max(200).optional().describe('The tool you are about to call.'),
  args: z.record(z.string(), z.unknown()).optional().describe('Its arguments, exactly as they will be sent.'),
  why: z.string().max(16_000).optional().describe('Why, and what cannot be undone.'),
  editable: z.boolean().optional().describe('People may change the arguments; then use those of the answer.'),
  ...common,
});

/** As coding agents call their permission prompt. */
const permissionShape = z.object({
  tool_name: z.string().min(1).max(200).describe('The tool that asks for permission.'),
  input: z.record(z.string(), z.unknown()).describe('Its arguments.'),
  tool_use_id: z.string().min(1).max(100).optional().describe('The id of the call.'),
});

/** What a call gets from its HTTP request. */
interface Caller {
  api: AskingApi & Pick<ApiContext, 'temporalUiUrl'>;
  principal: Principal;
  lease: CallerLease;
  /** Names the client among those of one key; empty where it has no name. */
  session: string;
  cancelled: CancelledCalls;
  isStopping: () => boolean;
}

/** The question that a call waits for; `isOwn`: it was asked by this call alone, so no other can come back for it. */
interface Waited {
  id: string;
  isOwn: boolean;
  waitSeconds: number | undefined;
  /** The question that was asked under the id; missing: the newest. */
  version?: number;
}

function resultOf(answer: object, isError = false): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(answer) }],
    structuredContent: { ...answer },
    ...(isError ? { isError: true } : {}),
  };
}

/** A refusal is a result for the model to read, not a failed call. */
async function answered(act: () => Promise<object>): Promise<CallToolResult | InputRequiredResult> {
  try {
    const answer = await act();
    return answer instanceof PageToOpen ? pageRequest(answer) : resultOf(answer);
  } catch (error) {
    if (!(error instanceof StandfastError)) throw error;
    return resultOf({ status: 'refused', code: error.code, detail: error.message }, true);
  }
}

type Call = ReturnType<CancelledCalls['wait']>;

/** From here on the client may cancel the call. */
const callOf = ({ cancelled, principal, session }: Caller, { mcpReq }: ServerContext): Call =>
  cancelled.wait(principal, session, mcpReq.id);

async function waitFor(caller: Caller, waited: Waited, ctx: ServerContext, call: Call): Promise<AskAnswer> {
  const { api, principal, lease } = caller;
  const { id, isOwn, waitSeconds, version } = waited;
  const { mcpReq } = ctx;
  const stopReporting = reportProgress(caller, id, ctx);
  try {
    const timeoutMs = (waitSeconds ?? defaultWaitS) * 1000;
    const signal = AbortSignal.any([mcpReq.signal, lease.signal, call.signal]);
    const answer = await answerOf(api, id, principal, { timeoutMs, signal, ...(version !== undefined && { version }) });
    if (lease.isOver())
      throw new StandfastError(
        'not_authenticated',
        'the key of this call has ended; the question waits on for its owner',
      );
    // Of an older revision a broken connection cancels nothing.
    const isLeft = mcpReq.envelope !== undefined && mcpReq.signal.aborted && !caller.isStopping();
    if (isOwn && answer.status === 'waiting' && (call.signal.aborted || isLeft))
      await withdrawAbandoned(api, id, principal);
    return answer;
  } finally {
    call.over();
    stopReporting();
  }
}

async function ask(
  caller: Caller,
  asked: AskedPeople,
  wait: Omit<Waited, 'id'>,
  ctx: ServerContext,
): Promise<AskAnswer> {
  // People, and so the client, may see the question before this knows that it is kept.
  const call = callOf(caller, ctx);
  let version: number;
  try {
    version = await askPeople(caller.api, asked, caller.principal);
  } catch (error) {
    call.over();
    throw error;
  }
  return waitFor(caller, { id: asked.id, version, ...wait }, ctx, call);
}

async function askWithPage(
  caller: Caller,
  asked: AskedPeople,
  wait: Omit<Waited, 'id'>,
  ctx: ServerContext,
): Promise<AskAnswer | PageToOpen> {
  if (!opensPages(ctx, wait.waitSeconds)) return ask(caller, asked, wait, ctx);
  const { api, principal } = caller;
  const version = await askPeople(api, asked, principal);
  const url = await pageOfAsk(api, asked.id, principal, ctx.mcpReq.signal);
  return url === null
    ? waitFor(caller, { id: asked.id, version, ...wait }, ctx, callOf(caller, ctx))
    : new PageToOpen(asked.id, asked.question.title, url);
}

const missing = (what: string): StandfastError =>
  new StandfastError('input_invalid', `${what}: missing; only a call that waits on by id may leave it out`);

/** What a model is to know of this server, with the names of policies that it would otherwise learn by a refusal. */
function instructionsFor({ api, principal }: Caller): string {
  const policies = policiesFor(api.config, principal);
  const named =
    policies.length === 0
      ? 'Leave `policy` out: there is none that your questions may name.'
      : `\`policy\` may be one of: ${policies.join(', ')}.`;
  const left = api.config.ask.policy === undefined ? '' : ` Without it, ${api.config.ask.policy} is used.`;
  return `People answer here, in minutes or weeks, and the question waits for them. Ask with an \`id\` of your own, and call again with it until the status is no longer "waiting". ${named}${left}`;
}

/** Questions reach people outside, change nothing, and are one question under one id. */
const annotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true };

/** What each answer may have; refusals have `code` and `detail` in place of an answer. */
const answerShape = {
  status: z.enum(['waiting', 'answered', 'declined', 'expired', 'withdrawn', 'cancelled', 'refused']),
  id: z.string().optional().describe('Names the question: give it to wait on.'),
  holdId: z.string().nullable().optional(),
  link: z.string().nullable().optional().describe('Where people answer.'),
  by: z.string().optional().describe('Who answered.'),
  reason: z.string().nullable().optional(),
  assumed: z.boolean().optional().describe('No one answered in time, and the policy took what you proposed.'),
  receipt: z.string().optional().describe('Signed proof of the approval.'),
};
const askAnswerShape = z.looseObject({
  ...answerShape,
  values: z.record(z.string(), z.unknown()).optional().describe('The answer, by field; a free text is `text`.'),
});
const approvalShape = z.looseObject({
  ...answerShape,
  approved: z.boolean().optional().describe('Call the tool only if this is true.'),
  args: z.record(z.string(), z.unknown()).nullable().optional().describe('Call it with these, and with no others.'),
});

/** A server for one request: it keeps nothing between two, so that any api process may take the next. */
export function createMcpServer(caller: Caller): McpServer {
  const server = new McpServer(
    { name: 'standfast', version: ownVersion },
    // Another revision's client cannot be asked anything in between: it has no connection that lasts.
    { inputRequired: { legacyShim: false }, instructions: instructionsFor(caller) },
  );
  server.registerTool(
    'ask_user',
    {
      title: 'Ask a person',
      description:
        'Asks people a question and waits durably for the answer, minutes or weeks. Ask only what you cannot find out yourself and what a person must decide. Status "waiting": there is no answer yet; call again with the same id. "declined", "expired": you have no permission; do not go on as if you had.',
      inputSchema: askShape,
      outputSchema: askAnswerShape,
      annotations,
    },
    (args, ctx) =>
      answered(async () => {
        const { question, title, schema, defaults, id, policy, waitSeconds } = args;
        if (question === undefined) {
          if (id === undefined) throw missing('question');
          return waitFor(caller, { id, isOwn: false, waitSeconds }, ctx, callOf(caller, ctx));
        }
        const read = questionOfAsk({
          question,
          title: title ?? null,
          // Safe: it came as JSON.
          schema: (schema ?? null) as JsonObject | null,
          defaults: (defaults ?? {}) as JsonObject,
        });
        const untitled = titleOfAsk({ question, title: null });
        if (!read.ok) throw new StandfastError('input_invalid', read.why);
        const name = id ?? stateOf(ctx) ?? randomUUID();
        const asked = { id: name, question: read.question, policy: policy ?? null, untitled };
        return askWithPage(caller, asked, { isOwn: id === undefined, waitSeconds }, ctx);
      }),
  );
  server.registerTool(
    'approve_tool_call',
    {
      title: 'Have a tool call approved',
      description:
        'Asks people whether you may call a tool with these arguments. Call it before anything that cannot be undone. Go on only when status is "answered" and approved is true, with the arguments in the answer.',
      inputSchema: approveShape,
      outputSchema: approvalShape,
      annotations,
    },
    (given, ctx) =>
      answered(async () => {
        const { name, args, why, editable, id, policy, waitSeconds } = given;
        const asked = id ?? stateOf(ctx) ?? randomUUID();
        if (name === undefined && id === undefined) throw missing('name');
        const answer =
          name === undefined
            ? await waitFor(caller, { id: asked, isOwn: false, waitSeconds }, ctx, callOf(caller, ctx))
            : await askWithPage(
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
                { isOwn: id === undefined, waitSeconds },
                ctx,
              );
        return answer instanceof PageToOpen ? answer : approvalResult(answer);
      }),
  );
  server.registerTool(
    'permission_prompt',
    {
      title: 'Permission prompt',
      description:
        'For coding agents (claude --permission-prompt-tool mcp__standfast__permission_prompt): people decide on a tool call of theirs. Models do not call it.',
      inputSchema: permissionShape,
      annotations,
    },
    async ({ tool_name: name, input, tool_use_id: callId }, ctx) => {
      const result = await permission(caller, { name, args: input as JsonObject, id: callId ?? randomUUID() }, ctx);
      // Exactly this text: there is no further shape.
      return { content: [{ type: 'text', text: JSON.stringify(result) }] };
    },
  );
  return server;
}

type Permission = { behavior: 'allow'; updatedInput: JsonObject } | { behavior: 'deny'; message: string };

/** Waits until people have decided or the agent leaves: it has nothing that it could do with "waiting". */
async function permission(
  caller: Caller,
  call: { name: string; args: JsonObject; id: string },
  ctx: ServerContext,
): Promise<Permission> {
  const asked = questionOfToolCall({ name: call.name, args: call.args, why: '', isEditable: true }, call.id);
  const id = `permission:${call.id}`;
  try {
    // The call's own id names nothing but this call.
    const wait = { isOwn: true, waitSeconds: maxWaitS };
    let answer = await ask(caller, { id, question: asked, policy: null, untitled: null }, wait, ctx);
    while (answer.status === 'waiting' && !ctx.mcpReq.signal.aborted)
      answer = await waitFor(caller, { id, ...wait }, ctx, callOf(caller, ctx));
    const { approved, args, reason } = approvalOf(answer);
    if (approved) return { behavior: 'allow', updatedInput: args ?? {} };
    const by = 'by' in answer ? `${answer.by} did not approve this` : `this was not approved: ${answer.status}`;
    return { behavior: 'deny', message: reason === null ? by : `${by}: ${reason}` };
  } catch (error) {
    if (!(error instanceof StandfastError)) throw error;
    return { behavior: 'deny', message: error.message };
  }
}

function approvalResult(answer: AskAnswer): object {
  const { approved, args, reason } = approvalOf(answer);
  if (answer.status !== 'answered') return { ...answer, approved };
  const { values: _values, toolArgs: _toolArgs, ...rest } = answer;
  return { ...rest, approved, ...(approved ? { args } : {}), reason };
}
