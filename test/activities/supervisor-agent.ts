// A supervisor agent on a real port: each question is answered as the test says, and kept.
import { AgentCard, Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import type { JsonObject } from '../../src/contract/base/json.ts';
import { cardOf, listen, transportTo } from './a2a-agents.ts';
import type { A2aTransport } from '../../src/activities/a2a/a2a-transport.ts';

/** What it does with a question; `form` is the data part it got. */
export type Verdict =
  | { artifact: JsonObject }
  | { status: JsonObject; state?: string }
  | { message: JsonObject }
  | { words: string; state?: string }
  | { wait: true };

export interface SupervisorAgent {
  /** Address of its card's directory. */
  url: string;
  transport: A2aTransport;
  /** Messages that reached it: the words, and the form. */
  asked: { messageId: string; contextId: string; words: string; form: JsonObject }[];
  cancelled: string[];
  /** Ends the tasks that wait, with this artifact. */
  finish(artifact: JsonObject): void;
}

export async function startSupervisor(
  judge: (form: JsonObject) => Verdict,
  streaming = true,
): Promise<SupervisorAgent> {
  const asked: SupervisorAgent['asked'] = [];
  const cancelled: string[] = [];
  const waiting = new Map<string, (artifact: JsonObject | null) => void>();
  const contexts = new Map<string, string>();
  const executor: AgentExecutor = {
    async execute(context, bus) {
      const { taskId, contextId } = context;
      contexts.set(taskId, contextId);
      const question = questionOf(context);
      asked.push(question);
      const verdict = judge(question.form);
      if ('message' in verdict) {
        const parts = [{ data: verdict.message }];
        bus.publish(
          AgentEvent.message(Message.fromJSON({ messageId: `m-${taskId}`, role: 'ROLE_AGENT', contextId, parts })),
        );
        bus.finished();
        return;
      }
      const fresh = Task.fromJSON({ id: taskId, contextId, status: { state: 'TASK_STATE_SUBMITTED' } });
      fresh.history = [context.userMessage];
      bus.publish(AgentEvent.task(fresh));
      emitState(bus, context, 'TASK_STATE_WORKING', []);
      const late = 'wait' in verdict ? await new Promise<JsonObject | null>((done) => waiting.set(taskId, done)) : null;
      if ('wait' in verdict && late === null) return;
      const artifact = 'artifact' in verdict ? verdict.artifact : late;
      if (artifact !== null) publishArtifact(bus, context, artifact);
      const parts =
        'status' in verdict ? [{ data: verdict.status }] : 'words' in verdict ? [{ text: verdict.words }] : [];
      emitState(bus, context, ('state' in verdict && verdict.state) || 'TASK_STATE_COMPLETED', parts);
      bus.finished();
    },
    async cancelTask(taskId, bus) {
      cancelled.push(taskId);
      emitState(bus, { taskId, contextId: contexts.get(taskId) ?? '' }, 'TASK_STATE_CANCELED', []);
      bus.finished();
      waiting.get(taskId)?.(null);
    },
  };
  const url = await listen((address) => {
    const card = AgentCard.fromJSON(cardOf(address, { streaming }));
    const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
    const app = express();
    app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
    app.use('/a2a', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
    return app;
  });
  return {
    url,
    transport: transportTo(url),
    asked,
    cancelled,
    finish: (artifact) => {
      for (const done of waiting.values()) done(artifact);
    },
  };
}

type Ids = Pick<RequestContext, 'taskId' | 'contextId'>;

function emitState(bus: ExecutionEventBus, { taskId, contextId }: Ids, state: string, parts: object[]): void {
  const message = { messageId: `${taskId}-${state}`, role: 'ROLE_AGENT', parts };
  const status = { state, ...(parts.length === 0 ? {} : { message }) };
  bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, contextId, status })));
}

function publishArtifact(bus: ExecutionEventBus, { taskId, contextId }: Ids, data: JsonObject): void {
  const artifact = { artifactId: 'answer', parts: [{ text: 'My answer:' }, { data }] };
  bus.publish(
    AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON({ taskId, contextId, artifact, lastChunk: true })),
  );
}

function questionOf({ userMessage, contextId }: RequestContext): SupervisorAgent['asked'][number] {
  const contents = userMessage.parts.map(({ content }) => content);
  const words = contents.flatMap((content) => (content?.$case === 'text' ? [content.value] : [])).join('\n');
  const forms = contents.flatMap((content) => (content?.$case === 'data' ? [content.value as JsonObject] : []));
  return { messageId: userMessage.messageId, contextId, words, form: forms[0] ?? {} };
}
