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
export { createStandfastClient } from './client.ts';
export type {
  BulkDecision,
  BulkResult,
  Chat,
  DecisionBody,
  DecisionReply,
  Hold,
  HoldQuery,
  HoldRow,
  Me,
  StandfastClient,
  StandfastOptions,
  Task,
  TaskQuery,
  TimelineEntry,
} from './client.ts';
export { StandfastError } from './errors.ts';
export type { FieldError } from './errors.ts';
export type { InboxEvent, InboxOptions } from './inbox.ts';
export type { components, paths } from './api-types.ts';
