import type { IntakeRow, NewIntake } from '../../store/store.ts';
import { handOver, keepRun, type Admission, type SubmitDeps } from './submit-run.ts';
import { streamClosedAnswers } from './closed-answers.ts';
import type { ApiContext } from '../api-context.ts';
import { tailPosted } from './posted-stream.ts';
import type { RunAsk, RunPlan } from './run-plan.ts';

/** What a run that is kept, handed over and read needs of the api. */
export type Posting = SubmitDeps & Pick<ApiContext, 'now' | 'runReaders'>;

type Over = Extract<Admission, { result: 'refused' | 'closed' }>;
const isOver = (admission: Admission): admission is Over =>
  admission.result === 'refused' || admission.result === 'closed';

/**
 * Keeps a run that has no log yet, then hands it over; the handing over goes on when the reader leaves. `wasKept`: it came
 * before, and may begin at any moment.
 */
export async function postRun(
  api: Posting,
  ask: RunAsk,
  row: Omit<NewIntake, 'mac'>,
  wasKept = false,
): Promise<RunPlan> {
  // Its fingerprint is of the body that was posted.
  return followPosted(api, ask, await keepRun(api, row, row.fingerprint), wasKept);
}

/** Hands a run over that has just been kept. */
export function followPosted(api: Posting, ask: RunAsk, stored: IntakeRow, wasKept = false): RunPlan {
  if (!wasKept) api.store.expectRun(stored);
  const admission = handOver(api, stored);
  // A failure is reported to the reader of the stream; without one, the sweeper tries again.
  admission.catch(() => undefined);
  return {
    kind: 'posted',
    async *events(signal) {
      const result = await admission;
      if (isOver(result)) {
        const refusal = result.result === 'refused' ? result.refusal : null;
        yield* streamClosedAnswers(api, ask, stored.receivedAt, refusal, signal);
      } else {
        yield* tailPosted(api, ask, stored, result, signal);
      }
    },
  };
}
