import type { TaskId, WorkflowId } from '../contract/base/id-types.ts';
import type {
  AmendHoldsInput,
  AskSupervisorInput,
  AskSupervisorResult,
  CheckAnswersInput,
  CheckAnswersResult,
  CloseTaskInput,
  CloseTaskResult,
  DeliverNoticeInput,
  DigestStart,
  InjectInput,
  MessageWaits,
  OpenedHold,
  OpenHoldsInput,
  RebuildInput,
  RebuildReport,
  ReconcileReport,
  RecordDecisionsInput,
  RecordStepInput,
  RecordStepResult,
  StopAgentInput,
  StopAgentResult,
} from '../contract/tasks/activity.ts';
import type { TurnInput, TurnOutcome } from '../contract/tasks/turn.ts';

/** The activities that workflows may call; `create-activities.ts` implements them. */
export interface Activities {
  runTurn(input: TurnInput): Promise<TurnOutcome>;
  injectMessage(input: InjectInput): Promise<MessageWaits | null>;
  openHolds(input: OpenHoldsInput): Promise<OpenedHold[]>;
  checkAnswers(input: CheckAnswersInput): Promise<CheckAnswersResult>;
  recordDecisions(input: RecordDecisionsInput): Promise<void>;
  recordStep(input: RecordStepInput): Promise<RecordStepResult>;
  /** Votes, audience, `asking`: rows, and the end of a run that shows them. */
  amendHolds(input: AmendHoldsInput): Promise<void>;
  askSupervisor(input: AskSupervisorInput): Promise<AskSupervisorResult | MessageWaits>;
  deliverNotice(input: DeliverNoticeInput): Promise<void>;
  sendDigest(input: DigestStart): Promise<void>;
  /** True when there is more to deliver than one attempt has time for. */
  deliverPush(input: { taskId: TaskId; configId: string }): Promise<boolean>;
  /** Histories of before have no result of it. */
  closeTask(input: CloseTaskInput): Promise<CloseTaskResult | undefined>;
  stopAgent(input: StopAgentInput): Promise<StopAgentResult>;
  /** Asks the server to cancel this execution, without which it cannot end as Canceled. */
  requestCancel(input: { workflowId: WorkflowId; firstExecutionRunId: string }): Promise<void>;
  reconcile(): Promise<ReconcileReport>;
  /** Makes the read model again from Temporal and the agents; what is there already stays as it is. */
  rebuild(input: RebuildInput): Promise<RebuildReport>;
}
