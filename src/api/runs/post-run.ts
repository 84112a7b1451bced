import type { NewIntake } from '../../store/store.ts';
import { handOver, keepRun, type Admission } from './admit.ts';
import { streamClosedAnswers } from './closed-answers.ts';
import type { ApiContext } from '../api-context.ts';
import { readerOf, type RunAsk, type RunPlan } from './run-plan.ts';
import { tailPosted } from './run-stream.ts';

type Over = Extract<Admission, { result: 'refused' | 'closed' }>;
const isOver = (admission: Admission): admission is Over =>
  admission.result === 'refused' || admission.result === 'closed';

/** Keeps a run that has no log yet, then hands it over; the handing over goes on when the reader leaves. */
export async function postRun(api: ApiContext, ask: RunAsk, row: NewIntake): Promise<RunPlan> {
  const stored = await keepRun(api, row);
  const admission = handOver(api, stored);
  // Whoever reads the stream hears of a failure; when nobody does, the sweeper tries again.
  admission.catch(() => undefined);
  return {
    kind: 'posted',
    async *events(signal) {
      const result = await admission;
      if (isOver(result)) {
        const refusal = result.result === 'refused' ? result.refusal : null;
        yield* streamClosedAnswers(api, ask, stored.receivedAt, refusal, signal);
      } else {
        yield* tailPosted(api, readerOf(ask), row, result, signal);
      }
    },
  };
}
