// What an agent sent, with the data of dialects marked, so that code that shows the event needs to know no dialect.
import type { Message, StreamResponse, Task } from '@a2a-js/sdk';
import type { AgentMessage, NeutralArtifact, NeutralPart, TurnEvent } from '../../../contract/tasks/turn.ts';
import { keepOriginalOf } from '../codec/original.ts';
import { decodeMessage, decodeStreamResponse, decodeTask } from '../codec/task-update.ts';
import { isOfDialect, isQuestionArtifact } from './registry.ts';

/** One event of a stream (A2A 1.0 `StreamResponse`); never throws. */
export const readStreamResponse = (response: StreamResponse): TurnEvent => markDialects(decodeStreamResponse(response));

/** A Task, as returned by GetTask, CancelTask and ListTasks; never throws. */
export const readTask = (task: Task): TurnEvent => markDialects(decodeTask(task));

/** A Message that is the whole reply; never throws. */
export const readMessage = (message: Message): TurnEvent => markDialects(decodeMessage(message));

function markDialects(event: TurnEvent): TurnEvent {
  return keepOriginalOf(event, marked(event));
}

function marked(event: TurnEvent): TurnEvent {
  switch (event.type) {
    case 'task':
      return {
        ...event,
        message: event.message && inMessage(event.message),
        history: event.history.map(inMessage),
        artifacts: event.artifacts.map(inArtifact),
      };
    case 'status':
      return { ...event, message: event.message && inMessage(event.message) };
    case 'message':
      return { ...event, message: inMessage(event.message) };
    case 'artifact':
      return { ...event, artifact: inArtifact(event.artifact) };
    case 'unknown':
      return event;
    default:
      return event satisfies never;
  }
}

const inMessage = (message: AgentMessage): AgentMessage => ({ ...message, parts: message.parts.map(markPart) });
const inArtifact = (artifact: NeutralArtifact): NeutralArtifact =>
  isQuestionArtifact(artifact) ? { ...artifact, isQuestion: true } : artifact;

const markPart = (part: NeutralPart): NeutralPart =>
  part.kind === 'data' && isOfDialect(part) ? { ...part, isOfDialect: true } : part;
