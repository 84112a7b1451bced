import type { Principal } from '../../contract/base/principal.ts';
import type { AnswerSource } from '../../contract/tasks/run.ts';
import type { StandfastError } from '../../core/base/errors.ts';
import type { HoldRow, RunLookup } from '../../store/store.ts';
import type { RunInput } from '../../wire/agui/input/run-input.ts';
import type { StreamItem } from '../http/formats.ts';
import { runErrorOf, type RunReader } from './run-stream.ts';

export interface RunAsk {
  agent: string;
  principal: Principal;
  input: RunInput;
  /** Whether Standfast's own chat asks, or a front end of others. */
  source: AnswerSource;
  /** The thread's questions that answers can mean, where they have just been read. */
  holds?: HoldRow[];
  /** What is known of the run on the input's own thread, where that has just been read. */
  lookup?: RunLookup | undefined;
}

/** What a run comes to: a tail of its log, an answer that only reads, or a refusal. */
export interface RunPlan {
  kind: 'replayed' | 'posted' | 'engram' | 'restated' | 'refused';
  /** An error thrown in between becomes the RUN_ERROR that ends the stream. */
  events: (signal: AbortSignal) => AsyncGenerator<StreamItem[]>;
}

export const readerOf = ({ principal, input }: RunAsk): RunReader => ({
  principal,
  threadId: input.threadId,
  runId: input.runId,
  protocol: input.protocolVersion,
});

/** A stream that says no and ends. */
export function refusedPlan(error: StandfastError): RunPlan {
  return {
    kind: 'refused',
    async *events() {
      yield [{ event: runErrorOf(error) }];
    },
  };
}
