// The server of one held call: its client waits as it can, and gets what came of the call or is asked to call again.
import { Server, type CallToolResult, type InputRequiredResult } from '@modelcontextprotocol/server';
import type { ServerContext } from '@modelcontextprotocol/server';
import { version } from '../../host/process/version.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { durationMs } from '../../core/policy/duration.ts';
import type { GateCallRow } from '../../store/ports/gates.ts';
import { pageOfAsk, type AskingApi } from '../ask/ask-people.ts';
import type { CallerLease } from '../http/sse.ts';
import { opensPages, PageToOpen, pageRequest, reportProgress } from '../mcp/waiting.ts';
import { cameOf, holdCall, linkOfCall, waitForCall, type CallToHold } from './held-call.ts';
import { notMade, resultOf, stillWaits } from './held-result.ts';
import { createdTask, followsTasks } from './held-task.ts';

export function heldServer(api: AskingApi, call: CallToHold, lease: CallerLease): Server {
  const server = new Server(
    { name: 'standfast', version },
    { capabilities: { tools: {} }, inputRequired: { legacyShim: false } },
  );
  server.setRequestHandler('tools/call', (_request, ctx) => answer(api, call, lease, ctx));
  return server;
}

/** The server of a call that is not made. */
export function refusingServer(why: string): Server {
  const server = new Server({ name: 'standfast', version }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/call', async () => notMade(`The call was not made: ${why}.`));
  return server;
}

async function answer(
  api: AskingApi,
  call: CallToHold,
  lease: CallerLease,
  ctx: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    return await heldAnswer(api, call, lease, ctx);
  } catch (error) {
    if (!(error instanceof StandfastError)) throw error;
    return notMade(`The call was not made: ${error.message}.`);
  }
}

async function heldAnswer(
  api: AskingApi,
  call: CallToHold,
  lease: CallerLease,
  ctx: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { principal, gate, givenId } = call;
  const row = await holdCall(api, call);
  const { callId } = row;
  const before = await cameOf(api, callId, principal);
  const signal = AbortSignal.any([ctx.mcpReq.signal, lease.signal]);
  const early = before === null ? await withoutWaiting(api, row, call, { ctx, signal }) : null;
  if (early !== null) return early;
  const stopReporting = reportProgress({ api, principal }, callId, ctx);
  try {
    const timeoutMs = durationMs(gate.wait);
    const came = before ?? (await waitForCall(api, callId, principal, { timeoutMs, signal }));
    if (lease.isOver()) throw new StandfastError('not_authenticated', 'the key of this call has ended');
    if (came === null) return stillWaits(callId, await linkOfCall(api, callId, principal));
    if (givenId === null && !signal.aborted) await api.store.gateCalls.take(callId);
    return resultOf(came, callId);
  } finally {
    stopReporting();
  }
}

/** What a client that need not wait in this call gets at once: a page to open, then a task, as the protocol orders them. */
async function withoutWaiting(
  api: AskingApi,
  row: GateCallRow,
  { principal, tool }: CallToHold,
  { ctx, signal }: { ctx: ServerContext; signal: AbortSignal },
): Promise<CallToolResult | InputRequiredResult | null> {
  const [showsPage, hasTasks] = [opensPages(ctx, undefined), followsTasks(ctx)];
  if (!showsPage && !hasTasks) return null;
  const url = await pageOfAsk(api, row.callId, principal, signal);
  if (showsPage && url !== null)
    return pageRequest(new PageToOpen(row.callId, `A call of ${tool} waits for people`, url));
  return hasTasks ? createdTask(row, url) : null;
}
