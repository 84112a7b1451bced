// What the caller of a task is told, to a receiver that the caller named: in order, and each once as far as it says so. Retries are
// Temporal's; the receiver's own count goes on where the last attempt ended.
import { StreamResponse } from '@a2a-js/sdk';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { type CallerEntry, type CallerPush, type PushSecrets, pushSealId } from '../../contract/caller.ts';
import type { JsonObject } from '../../contract/json.ts';
import { NoticeError } from '../../host/net/notice-error.ts';
import { callersEgress } from '../../host/net/egress.ts';
import { sendPush } from '../../host/net/notice-channels.ts';
import { objectOf } from '../../wire/a2a/caller/caller-task.ts';
import type { ActivityDeps } from '../deps.ts';

/** An attempt that took longer would end in its timeout, and the next one begin beside it. */
const attemptMs = 60_000;

/** True when its time was over before everything was told. */
export async function deliverPush(
  deps: ActivityDeps,
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
  const entries = await callers.read(taskId, push.deliveredSeq);
  for (const { seq, entry } of entries) {
    const event = pushable(entry);
    if (event !== null) {
      const message = { id: `${taskId}:${seq}`, at: deps.now(), body: bodyOf(event, push.version) };
      await sendPush({ url: push.url, ...secrets }, message, { egress, signal }).catch((error: unknown) =>
        failed(deps, push, error),
      );
    }
    await callers.pushed(taskId, configId, seq);
    if (performance.now() >= endsAtMs) return seq !== entries.at(-1)?.seq;
  }
  return false;
}

/** Chunks of an artifact are for streams: the receiver hears of whole artifacts, and reads the rest by GetTask. */
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

/** A receiver that says no for good is not asked again, of this event alone. */
function failed({ log }: ActivityDeps, { taskId, configId }: CallerPush, error: unknown): void {
  if (!(error instanceof NoticeError)) throw error;
  const { isFinal, retryAfterMs, message } = error;
  log.warn({ taskId, configId, why: message }, 'a push notification did not go out');
  if (isFinal) return;
  throw ApplicationFailure.create({
    type: 'push_failed',
    message,
    ...(retryAfterMs === null ? {} : { nextRetryDelay: retryAfterMs }),
  });
}
