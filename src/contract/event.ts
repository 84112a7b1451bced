import type { JsonObject } from './json.ts';

/** One entry of a run's event log: `seq` counts 1, 2, … without gaps within its run. */
export interface LogEntry {
  seq: number;
  event: JsonObject & { type: string };
}

export type AguiEvent = JsonObject & { type: string };

/** How a run ended, or `open`. */
export type RunStatus = 'open' | 'interrupt' | 'success' | 'cancelled' | 'error';

export interface RunKey {
  agent: string;
  threadId: string;
  runId: string;
}
