import type { TaskId, WorkflowId } from '../contract/base/id-types.ts';
import type { SchemaVerdict } from '../contract/holds/schema-verdict.ts';
import type { Gate } from '../contract/configuration/gate.ts';
import type { UpstreamClient } from '../host/net/mcp-upstream.ts';
import type { Config } from '../contract/configuration/config.ts';
import type { AskSignal } from '../core/questions/ask.ts';
import type { AskAnswer } from '../core/questions/ask-answer.ts';
import type { AnswersForm, AskedForServer } from '../core/turn/server-form.ts';
import type { KnownTask, OverCommand } from '../contract/tasks/task.ts';
import type { DecideCommand } from '../contract/holds/decision.ts';
import type { JsonObject } from '../contract/base/json.ts';
import type { DigestStart } from '../contract/tasks/activity.ts';
import type { Calendar } from '../contract/configuration/policy.ts';
import type { WindowsFrom } from '../core/policy/calendar.ts';
import type { Clock } from '../host/process/clock.ts';
import type { WorkerMetrics } from '../host/metrics/worker-metrics.ts';
import type { LinkSigner } from '../host/secrets/tokens.ts';
import type { Prover } from '../host/secrets/proofs.ts';
import type { Signer } from '../host/secrets/signing.ts';
import type { Sealer } from '../host/secrets/sealing.ts';
import type { Store } from '../store/store.ts';
import type { TaskQueryView } from '../workflows/messages.ts';
import type { A2aTransport } from './a2a/a2a-transport.ts';
import type { Circuits } from './circuits/port.ts';
import type { Slots } from './circuits/slots.ts';
import type { TurnTiming } from './timing.ts';

/** What activities need from Temporal itself; `cli` makes it from the client. */
export interface Engine {
  /** Standfast's own. */
  namespace: string;
  requestCancel(workflowId: WorkflowId, firstExecutionRunId: string): Promise<void>;
  /** Reports to the workflow whether the agent has a long turn's message; best effort. */
  signalDelivered(
    workflowId: WorkflowId,
    firstExecutionRunId: string,
    turn: number,
    isDelivered: boolean,
  ): Promise<void>;
  /**
   * Signals that the agent's task has moved, or that it takes messages again, with the pause, turn or message that waited,
   * so that late signals show.
   */
  signalMoved(
    workflowId: WorkflowId,
    firstExecutionRunId: string,
    watched: { kind: 'pause' | 'turn' | 'message'; watchVersion: number; key?: string },
  ): Promise<void>;
  /** Starts the push notifications of a caller's task; calling it again starts no second one. */
  startPush(taskId: TaskId, configId: string): Promise<void>;
  /** Has a person's digest sent at its time; once, however often it is called. False: it was sent. */
  startDigest(start: DigestStart): Promise<boolean>;
  /** `open`, how it closed, or `gone` when the server does not know it (any more). */
  describe(workflowId: WorkflowId, firstExecutionRunId: string): Promise<EngineState>;
  /** Ends an execution that is open although the row of its task has ended. */
  endBefore(workflowId: WorkflowId, firstExecutionRunId: string, command: OverCommand): Promise<void>;
  /** Gives a workflow an answer again that it had before Temporal was restored; why it was not taken, null: it was. */
  decideAgain(task: KnownTask, command: DecideCommand): Promise<string | null>;
  /** Executions of tasks that are open and began within these times, null: ever; at most so many, newest first. */
  listOpen(
    range: { since?: string | null; until?: string | null },
    limit: number,
  ): Promise<{ workflowId: WorkflowId; startedAt: string }[]>;
  /** Workflows of executions of tasks that closed since then; at most so many, newest first. */
  listClosed(since: string, limit: number): Promise<WorkflowId[]>;
  /** Executions of tasks, open and closed, that Temporal still has; oldest first. */
  listAll(): Promise<{ workflowId: WorkflowId; runId: string }[]>;
  /** What an execution was given, what its activities were given and came to, and how it closed. */
  history(workflowId: WorkflowId, runId: string): Promise<ExecutionHistory>;
  /** The id of the key that an execution is encrypted with, where this process lacks it. */
  lackedKey(workflowId: WorkflowId, runId: string): Promise<string | null>;
  /** First execution run id of the chain that has this id now. */
  firstRunOf(workflowId: WorkflowId): Promise<string>;
  /** Signals a workflow of somebody else's, in clear and in any namespace; a repeat with the same `requestId` is no second one. */
  signalOther(to: AskSignal, argument: object, requestId: string): Promise<'sent' | 'gone'>;
  /** Asks the workflow itself, by its query `task`. */
  view(workflowId: WorkflowId, firstExecutionRunId: string): Promise<TaskQueryView>;
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
      shown?: { openHolds: number; question: number | null; deadline: string | null };
    }
  | { state: 'closed'; kind: 'completed' | 'failed' | 'canceled' | 'terminated' | 'timed-out' }
  | { state: 'gone' };

export interface ExecutionHistory {
  firstExecutionRunId: string;
  startedAt: string;
  /** First argument of the workflow. */
  start: unknown;
  /** In the order in which they were scheduled; `result`: undefined unless it completed. */
  activities: { name: string; input: unknown; result: unknown }[];
  closed:
    | null
    | { kind: 'continued' }
    | { kind: 'completed'; result: unknown }
    | { kind: 'failed' | 'canceled' | 'terminated' | 'timed-out' };
}

/** Hooks between a commit and its report to history; crash tests end or pause the process there. */
type Seam =
  | 'turn.committed'
  | 'call.checked'
  | 'call.intended'
  | 'call.answered'
  | 'call.kept'
  | 'amend.writing'
  | 'amend.committed';

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
  /** Connects to the MCP server behind a gate; `answersForm`: what it asks meanwhile. */
  connectGate(gate: Gate, answersForm: AnswersForm): Promise<UpstreamClient>;
  /** Asks people a form for who made a call, and waits for the answer. */
  askForServer(asked: AskedForServer, signal: AbortSignal): Promise<AskAnswer>;
  /** Agents that are away, as all workers know them. */
  circuits: Circuits;
  /** Slots of this worker. */
  slots: Slots;
  /** By the runner's own time limit, unless given. */
  checkSchema(schema: JsonObject, values: JsonObject, options?: { timeoutMs: number }): Promise<SchemaVerdict>;
  /** Opens the secrets of answers on their way to the agent. */
  sealer: Sealer;
  /** Signs receipts of approvals; null: there is no key for them. */
  signer: Signer | null;
  /** Makes and checks the proofs of decisions. */
  prover: Prover;
  /** Makes links to decide by; null: no channel sends any. */
  links: LinkSigner | null;
  /** Opening windows of a policy's calendar. */
  windowsOf(calendar: Calendar): WindowsFrom;
  log: Log;
  metrics: WorkerMetrics;
  now(): Date;
  /** The system's own, unless given. */
  clock?: Clock;
  timing: TurnTiming;
  /** Absolute address of the pages, for links. */
  publicUrl: string;
  atSeam(seam: Seam): Promise<void>;
}
