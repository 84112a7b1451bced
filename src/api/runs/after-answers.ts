// The events of a run of answers that a message came with, and after them those of the message: one run to its reader.
import type { AguiEvent } from '../../contract/tasks/run.ts';
import { errorOf } from '../../core/base/errors.ts';
import { isObject, stringOf } from '../../core/base/json.ts';
import type { IntakeRow } from '../../store/store.ts';
import type { StreamItem } from '../http/formats.ts';
import { isEndEvent } from '../tasks/run-log.ts';
import type { Posting } from './post-run.ts';
import { asItCame, submitRun, type Admission, type SubmitDeps } from './submit-run.ts';
import { keyAfter, type KeptKey } from './accompanying-message.ts';
import { tailPosted } from './posted-stream.ts';
import type { RunAsk } from './run-plan.ts';
import { runErrorOf } from './run-stream.ts';
import { sleep } from '../../host/process/sleep.ts';
import type { RunViewReads } from '../api-parts.ts';

/**
 * The events of the answers' run, and after its end those of the message: where the task is over, the next one's under the
 * same runId. A task that asks again ends the run with its questions; the message is with the agent then.
 */
export async function* withMessageAfter(
  api: Posting,
  ask: RunAsk,
  answers: KeptKey,
  first: AsyncGenerator<StreamItem[]>,
  signal: AbortSignal,
): AsyncGenerator<StreamItem[]> {
  let end: StreamItem[] = [];
  for await (const items of first) {
    const at = items.findIndex(({ event }) => isEndEvent(event));
    if (at !== 0) yield at === -1 ? items : items.slice(0, at);
    if (at !== -1) end = items.slice(at);
  }
  const row = signal.aborted ? null : await api.store.intake.get(keyAfter(answers));
  const admission = row === null ? null : await handedOver(api, asItCame(api, row), signal);
  if (admission?.result === 'refused') yield [{ event: runErrorOf(errorOf(admission.refusal)) }];
  else if (row === null || admission === null || end.some(({ event }) => isAsking(event))) yield end;
  else yield* nextEvents(api, ask, row, admission, { end, signal });
}

type Sent = Exclude<Admission, { result: 'refused' | 'closed' }>;

async function* nextEvents(
  api: RunViewReads,
  ask: RunAsk,
  row: IntakeRow,
  admission: Sent,
  { end, signal }: { end: StreamItem[]; signal: AbortSignal },
): AsyncGenerator<StreamItem[]> {
  // A run may not go on after RUN_ERROR: so the failure of the answers' task is an event of its own.
  const failed = end.flatMap(({ event: { type, code, message } }): StreamItem[] =>
    type === 'RUN_ERROR'
      ? [
          {
            event: {
              type: 'CUSTOM',
              name: 'standfast.answers_failed',
              value: { code: stringOf(code), message: stringOf(message) },
            },
          },
        ]
      : [],
  );
  if (failed.length > 0) yield failed;
  for await (const items of tailPosted(api, ask, row, admission, signal))
    yield items.filter(({ event }) => event.type !== 'RUN_STARTED');
}

const isAsking = ({ outcome }: AguiEvent): boolean => isObject(outcome) && outcome['type'] === 'interrupt';

/** Waits while the end of the answers' run is in its log and not yet in its row; the sweeper goes on without a reader. */
async function handedOver(
  api: SubmitDeps,
  row: IntakeRow,
  signal: AbortSignal,
): Promise<Sent | Extract<Admission, { result: 'refused' }> | null> {
  for (let tries = 0; tries < maxTries && !signal.aborted; tries += 1) {
    const admission = await submitRun(api, row);
    if (admission.result === 'closed') return null;
    if (admission.result !== 'unanswered' || admission.isWaiting !== true) return admission;
    await sleep(retryMs, { signal }).catch(() => undefined);
  }
  return null;
}

const maxTries = 50;
const retryMs = 100;
