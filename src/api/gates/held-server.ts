// The server of one held call: its client waits as it can, and gets what came of the call or is asked to call again.
import { ProtocolError, Server, type CallToolResult, type InputRequiredResult } from '@modelcontextprotocol/server';
import type { ServerContext } from '@modelcontextprotocol/server';
import { version } from '../../host/process/version.ts';
import { HoldpointError } from '../../core/base/errors.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { callIdKey } from '../../core/policy/gate-message.ts';
import { pageOfAsk, type AskingApi } from '../ask/ask-people.ts';
import type { CallerLease } from '../http/sse.ts';
import { opensPages, PageToOpen, pageRequest, reportProgress } from '../mcp/waiting.ts';
import { cameOf, holdCall, linkOfCall, waitForCall, type Came, type CallToHold } from './held-call.ts';

export function heldServer(api: AskingApi, call: CallToHold, lease: CallerLease): Server {
  const server = new Server(
    { name: 'holdpoint', version },
    { capabilities: { tools: {} }, inputRequired: { legacyShim: false } },
  );
  server.setRequestHandler('tools/call', (_request, ctx) => answer(api, call, lease, ctx));
  return server;
}

/** The server of a call that is not made. */
export function refusingServer(why: string): Server {
  const server = new Server({ name: 'holdpoint', version }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/call', async () => notMade(`The call was not made: ${why}.`));
  return server;
}

/** A refusal is a result for the model to read, not a failed call. */
const notMade = (text: string, meta: Record<string, unknown> = {}): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError: true,
  _meta: meta,
});

async function answer(
  api: AskingApi,
  call: CallToHold,
  lease: CallerLease,
  ctx: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    return await heldAnswer(api, call, lease, ctx);
  } catch (error) {
    if (!(error instanceof HoldpointError)) throw error;
    return notMade(`The call was not made: ${error.message}.`);
  }
}

async function heldAnswer(
  api: AskingApi,
  call: CallToHold,
  lease: CallerLease,
  ctx: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { principal, gate, tool, givenId } = call;
  const { callId } = await holdCall(api, call);
  const before = await cameOf(api, callId, principal);
  const signal = AbortSignal.any([ctx.mcpReq.signal, lease.signal]);
  if (before === null && opensPages(ctx, undefined)) {
    const url = await pageOfAsk(api, callId, principal, signal);
    if (url !== null) return pageRequest(new PageToOpen(callId, `A call of ${tool} waits for people`, url));
  }
  const stopReporting = reportProgress({ api, principal }, callId, ctx);
  try {
    const timeoutMs = durationMs(gate.wait);
    const came = before ?? (await waitForCall(api, callId, principal, { timeoutMs, signal }));
    if (lease.isOver()) throw new HoldpointError('not_authenticated', 'the key of this call has ended');
    if (came === null) return stillWaits(callId, await linkOfCall(api, callId, principal));
    if (givenId === null && !signal.aborted) await api.store.gateCalls.take(callId);
    return resultOf(came, callId);
  } finally {
    stopReporting();
  }
}

function stillWaits(callId: string, link: string | null): CallToolResult {
  const where = link === null ? '' : ` at ${link}`;
  return notMade(
    `This call waits for people${where}. It was not made yet, and is made once they approve it. Call the tool again with the same arguments to wait on and get its result; other arguments are another call.`,
    { [callIdKey]: callId, 'io.holdpoint/status': 'waiting', ...(link === null ? {} : { 'io.holdpoint/link': link }) },
  );
}

function resultOf(came: Came, callId: string): CallToolResult {
  const meta = { [callIdKey]: callId };
  if (came.kind === 'not-made') return notMade(`The call was not made: ${came.why}.`, meta);
  const { outcome } = came;
  if (outcome.kind === 'refused') return notMade(`The call was not made: ${outcome.why}.`, meta);
  if (outcome.kind === 'error') throw new ProtocolError(outcome.error.code, outcome.error.message, outcome.error.data);
  // Safe: its server answered so.
  const result = outcome.result as unknown as CallToolResult;
  return { ...result, _meta: { ...result._meta, ...meta } };
}
