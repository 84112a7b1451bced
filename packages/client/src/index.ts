export { NotAnswered } from './ask.ts';
export type {
  Answer,
  Approval,
  ApprovalOptions,
  AskOptions,
  AskReply,
  FormOf,
  Pending,
  QuestionOptions,
  StandardSchema,
  ToolCall,
  WaitOptions,
} from './ask.ts';
export { createHoldpointClient } from './client.ts';
export type {
  BulkDecision,
  BulkResult,
  Chat,
  DecisionBody,
  DecisionReply,
  Hold,
  HoldpointClient,
  HoldpointOptions,
  HoldQuery,
  HoldRow,
  Me,
  Task,
  TaskQuery,
  TimelineEntry,
} from './client.ts';
export { HoldpointError } from './errors.ts';
export type { FieldError } from './errors.ts';
export type { InboxEvent, InboxOptions } from './inbox.ts';
export type { components, paths } from './api-types.ts';
