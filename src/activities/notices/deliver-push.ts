// Pushes a caller's task events to a receiver that the caller named: in order, and each once as far as it acknowledges.
// Temporal retries; the receiver's position continues where the last attempt ended.
import { objectOf } from '../../core/base/json.ts';
import { StreamResponse } from '@a2a-js/sdk';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { type CallerEntry, type CallerPush, type PushSecrets, pushSealId } from '../../contract/tasks/caller.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { NoticeError, sendPush } from '../../host/net/notice-channels.ts';
import { callersEgress } from '../../host/net/egress.ts';
import type { ActivityDeps } from '../deps.ts';
import { isLastAttempt } from './last-attempt.ts';
import type { Reports, WithClock } from '../dep-parts.ts';

type Deps = Pick<ActivityDeps, 'config' | 'store' | 'sealer' | 'log' | 'metrics' | 'now'>;

/** An attempt that took longer would end in its timeout while the next one begins. */
const attemptMs = 60_000;

/** True when its time was over before everything was delivered. */
export async function deliverPush(
  deps: Deps,
  { taskId, configId }: Pick<CallerPush, 'taskId' | 'configId'>,
  forMs = attemptMs,
): Promise<boolean> {
  const endsAtMs = performance.now() + forMs;
  const { callers } = deps.store;
  const push = (await callers.pushesOf(taskId)).find((one) => one.configId === configId);
  if (push === undefined) return false;
  const { cancellationSignal: signal } = Context.current();
  // Safe: sealed by the api.
  const secrets = deps.sealer.open(pushSealId(push), push.box) as unknown as PushSecrets;
  const egress = callersEgress(deps.config);
  for (let page = await callers.read(taskId, push.deliveredSeq); ;) {
    const last = page.at(-1)?.seq;
    if (last === undefined) return false;
    for (const { seq, entry } of page) {
      const event = pushable(entry);
      if (event === null && seq !== last) continue;
      if (event !== null) {
        const message = { id: `${taskId}:${seq}`, at: deps.now(), body: bodyOf(event, push.version) };
        await sendPush({ url: push.url, contentType: 'application/a2a+json', ...secrets }, message, {
          egress,
          signal,
        }).then(
          () => deps.metrics.callerPushes.inc({ result: 'sent' }),
          (error: unknown) => failed(deps, push, error),
        );
      }
      // An attempt that was frozen while another one continued would send old events after new ones.
      if (!(await callers.pushed(taskId, configId, seq))) return true;
      if (performance.now() >= endsAtMs) return (await callers.read(taskId, seq)).length > 0;
    }
    page = await callers.read(taskId, last);
  }
}

/** Chunks of an artifact are for streams: the receiver gets whole artifacts, and reads the rest by GetTask. */
function pushable(entry: CallerEntry): JsonObject | null {
  if (entry.kind !== 'event') return null;
  const { artifactUpdate } = entry.event;
  const { append, lastChunk } = objectOf(artifactUpdate);
  return artifactUpdate === undefined || lastChunk === true || append !== true ? entry.event : null;
}

function bodyOf(event: JsonObject, version: CallerPush['version']): string {
  if (version === '1.0') return JSON.stringify(event);
  return new V03PushNotificationSerializer().serialize(StreamResponse.fromJSON(event)).body;
}

/** An event that the receiver refuses for good is not sent again. */
function failed({ log, metrics, now }: Reports & WithClock, { taskId, configId }: CallerPush, error: unknown): void {
  if (!(error instanceof NoticeError)) throw error;
  const { isFinal, retryAfterMs, message } = error;
  const isGivenUp = !isFinal && isLastAttempt(Context.current().info, retryAfterMs, now());
  metrics.callerPushes.inc({ result: isFinal ? 'refused' : isGivenUp ? 'given_up' : 'failed' });
  log.warn(
    { taskId, configId, why: message },
    isGivenUp ? 'a push notification was given up; the reconciler tries again' : 'a push notification was not sent',
  );
  if (isFinal) return;
  throw ApplicationFailure.create({
    type: 'push_failed',
    message,
    ...(retryAfterMs === null ? {} : { nextRetryDelay: retryAfterMs }),
  });
}
