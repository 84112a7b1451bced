// Reports the end of a program's question to the address it gave. The answer is not sent: the program reads it with its key.
import { Context } from '@temporalio/activity';
import { askStatusOf, callbackOf } from '../../core/questions/ask.ts';
import { callersEgress } from '../../host/net/egress.ts';
import { sendPush } from '../../host/net/notice-channels.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ActivityDeps } from '../deps.ts';

/** One POST `{type, timestamp, data: {id, holdId, status}}`; a repeat has the same `webhook-id`. Throws NoticeError. */
export async function reportToAsker(
  { config, now }: Pick<ActivityDeps, 'config' | 'now'>,
  row: HoldRow,
): Promise<void> {
  const callback = callbackOf(row.question);
  if (callback === null || row.status === 'open') return;
  const { url, id } = callback;
  const data = { id, holdId: row.holdId, status: askStatusOf(row) };
  const body = JSON.stringify({ type: 'ask.ended', timestamp: row.updatedAt, data });
  const { cancellationSignal: signal } = Context.current();
  const sink = { url, token: '', authentication: null, contentType: 'application/json' as const };
  await sendPush(sink, { id: `msg_${row.holdId}.ended`, at: now(), body }, { egress: callersEgress(config), signal });
}
