// Reports the end of a program's question to the address, or the workflow, that it gave. An address is not sent the answer: the
// program reads it with its key. A workflow that the configuration lets be signalled gets it, as it would over Nexus.
import { Context } from '@temporalio/activity';
import type { AskReply } from '../../contract/views/ask.ts';
import { callbackOf, whyNotSignalled, type AskSignal } from '../../core/questions/ask.ts';
import { askReplyOf } from '../../core/questions/ask-answer.ts';
import { callersEgress } from '../../host/net/egress.ts';
import { NoticeError, sendPush } from '../../host/net/notice-channels.ts';
import { answerOfRow } from '../../host/secrets/answer-of-row.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ActivityDeps } from '../deps.ts';

type Deps = Pick<ActivityDeps, 'config' | 'engine' | 'log' | 'now' | 'prover' | 'publicUrl' | 'signer'>;

/** Throws NoticeError. */
export async function reportToAsker(deps: Deps, row: HoldRow): Promise<void> {
  const callback = callbackOf(row.question);
  if (callback === null || row.status === 'open') return;
  const reply = askReplyOf(deps, answerOfRow(deps, row, callback.id));
  return 'url' in callback ? post(deps, row, callback.url, reply) : signal(deps, row, callback.temporal, reply);
}

/** One POST `{type, timestamp, data: {id, version, holdId, status}}`; a repeat has the same `webhook-id`. */
async function post(
  { config, now }: Deps,
  row: HoldRow,
  url: string,
  { id, version, status }: AskReply,
): Promise<void> {
  const data = { id, version, holdId: row.holdId, status };
  const body = JSON.stringify({ type: 'ask.ended', timestamp: row.updatedAt, data });
  const { cancellationSignal: cancelled } = Context.current();
  const sink = { url, token: '', authentication: null, contentType: 'application/json' as const };
  const message = { id: `msg_${row.holdId}.ended`, at: now(), body };
  await sendPush(sink, message, { egress: callersEgress(config), signal: cancelled });
}

/** One signal with the reply; a repeat has the same request id, which Temporal takes once. */
async function signal(deps: Deps, row: HoldRow, temporal: AskSignal, reply: AskReply): Promise<void> {
  // The configuration may have changed since it was asked.
  const why = whyNotSignalled(temporal, deps.config.ask, deps.engine.namespace);
  if (why !== null) throw new NoticeError(why, true);
  const sent = await deps.engine.signalOther(temporal, reply, `${row.holdId}.ended`);
  if (sent === 'gone')
    throw new NoticeError(`no workflow ${temporal.workflowId} runs in the namespace ${temporal.namespace}`, true);
}
