import type { TaskId, WorkflowId } from '../../contract/base/id-types.ts';
import type { Circuit, CircuitState } from '../../core/turn/circuit.ts';

/** The circuit of an agent that is away, or was until now; an agent without one takes messages. */
export interface AgentCircuit extends Circuit {
  agent: string;
  /** Since when the agent has been away, ISO 8601. */
  since: string;
  /** How long that is, by the database's clock, when this was read. */
  awayMs: number;
}

/** A message that its agent has not taken, and that no slot is held for. */
export interface WaitingMessage {
  /** Names it among all: of a turn's message the task's own id. */
  key: string;
  taskId: TaskId;
  agent: string;
  workflowId: WorkflowId;
  firstExecutionRunId: string;
  /** How often it was tried, or its turn resumed; a later try waits by a row of its own. */
  resumes: number;
  /** It carries what people gave. */
  hasAnswers: boolean;
}

/** Circuits of agents, shared by all workers, by the database's clock, and the messages that wait for them. */
export interface Circuits {
  /** Returns the circuits that are not closed, by agent. */
  list(): Promise<AgentCircuit[]>;
  get(agent: string): Promise<AgentCircuit | null>;
  /** Applies a change, again where another worker came between; null is a closed circuit. */
  change(agent: string, next: (before: Circuit | null) => Circuit | null): Promise<AgentCircuit | null>;
  /** Takes what is due now on this caller, for so long; false: it is not due, or another has it. */
  claimDue(agent: string, state: CircuitState, forMs: number): Promise<boolean>;
  /** Lets this task's message try whether the agent takes any; false: another one does. */
  claimTrial(agent: string, taskId: TaskId, forMs: number): Promise<boolean>;
  /** Notes a message that waits; an earlier row of the same is replaced. */
  wait(message: WaitingMessage): Promise<void>;
  /** Takes messages of this agent, answers first, then the oldest; others see them again after so long. */
  claimWaiting(agent: string, limit: number, forMs: number): Promise<WaitingMessage[]>;
  /** Removes messages that were woken, unless they wait again. */
  woken(messages: WaitingMessage[]): Promise<void>;
  /** Number of messages that wait, by agent. */
  countWaiting(): Promise<Record<string, number>>;
}
