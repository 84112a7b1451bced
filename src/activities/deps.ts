import type { Config } from '../contract/configuration/config.ts';
import type { JsonObject } from '../contract/base/json.ts';
import type { Calendar } from '../contract/configuration/policy.ts';
import type { WindowsFrom } from '../core/policy/calendar.ts';
import type { LinkSigner } from '../host/secrets/tokens.ts';
import type { Sealer } from '../host/secrets/sealing.ts';
import type { Store } from '../store/store.ts';
import type { TaskQueryView } from '../workflows/messages.ts';
import type { A2aTransport } from './a2a/a2a-transport.ts';
import type { TurnTiming } from './timing.ts';

/** What activities need from Temporal itself; `cli` makes it from the client. */
export interface Engine {
  requestCancel(workflowId: string, firstExecutionRunId: string): Promise<void>;
  /** Reports to the workflow whether the agent has a long turn's message; best effort. */
  signalDelivered(workflowId: string, firstExecutionRunId: string, turn: number, isDelivered: boolean): Promise<void>;
  /** Signals that the agent's task has moved, with the pause or turn that was watched, so that late signals show. */
  signalMoved(
    workflowId: string,
    firstExecutionRunId: string,
    watched: { kind: 'pause' | 'turn'; watchVersion: number },
  ): Promise<void>;
  /** Starts the push notifications of a caller's task; calling it again starts no second one. */
  startPush(taskId: string, configId: string): Promise<void>;
  /** `open`, how it closed, or `gone` when the server does not know it (any more). */
  describe(workflowId: string, firstExecutionRunId: string): Promise<EngineState>;
  /** Executions of tasks that are open, at most so many; newest first. */
  listOpen(limit: number): Promise<{ workflowId: string; startedAt: string }[]>;
  /** First execution run id of the chain that has this id now. */
  firstRunOf(workflowId: string): Promise<string>;
  /** Asks the workflow itself, by its query `task`. */
  view(workflowId: string, firstExecutionRunId: string): Promise<TaskQueryView>;
}
export type EngineState =
  /**
   * `failingAttempts`: attempts of a workflow task that keeps failing, 0 when all is well. `isTurning`: a turn runs, or
   * waits for a worker. `shown`: what it shows of its open questions, as search attributes.
   */
  | {
      state: 'open';
      failingAttempts: number;
      isTurning?: boolean;
      shown?: { openHolds: number; deadline: string | null };
    }
  | { state: 'closed'; kind: 'completed' | 'failed' | 'canceled' | 'terminated' | 'timed-out' }
  | { state: 'gone' };

export type SchemaVerdict =
  | { ok: true }
  | { ok: false; errors: { path: string; message: string }[] }
  | { ok: false; unusable: string };

/** Hooks between a commit and its report to history; crash tests end or pause the process there. */
type Seam = 'turn.committed';

export interface Log {
  debug(values: object, message: string): void;
  info(values: object, message: string): void;
  warn(values: object, message: string): void;
  error(values: object, message: string): void;
}

/** Everything activities touch; arguments, never singletons. */
export interface ActivityDeps {
  config: Config;
  store: Store;
  engine: Engine;
  transportOf(agent: string): A2aTransport;
  /** By the runner's own time limit, unless given. */
  checkSchema(schema: JsonObject, values: JsonObject, options?: { timeoutMs: number }): Promise<SchemaVerdict>;
  /** Opens the secrets of answers on their way to the agent. */
  sealer: Sealer;
  /** Makes links to decide by; null: no channel sends any. */
  links: LinkSigner | null;
  /** Opening windows of a policy's calendar. */
  windowsOf(calendar: Calendar): WindowsFrom;
  log: Log;
  now(): Date;
  timing: TurnTiming;
  /** Absolute address of the pages, for links. */
  publicUrl: string;
  atSeam(seam: Seam): Promise<void>;
}
