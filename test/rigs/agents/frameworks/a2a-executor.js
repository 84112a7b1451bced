// An agent behind the A2A SDK for JavaScript, as its samples are put together, for frameworks without a server of their own: a
// turn sends its text piece by piece, reports what it is at, and resolves to the parts that it asks by, none where it is done.
// Copied next to the agents.
import { AGENT_CARD_PATH, AgentCard, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';

class TurnExecutor {
  contexts = new Map();
  cancelled = new Set();
  constructor(turn) {
    this.turn = turn;
  }

  async execute({ taskId, contextId, task, userMessage }, bus) {
    this.contexts.set(taskId, contextId);
    const contents = userMessage.parts.map(({ content }) => content);
    const of = (kind) => contents.flatMap((content) => (content?.$case === kind ? [content.value] : []));
    const begun = Task.fromJSON({ id: taskId, contextId, status: { state: 'TASK_STATE_WORKING' } });
    begun.history = [userMessage];
    bus.publish(AgentEvent.task(task ?? begun));
    const artifactId = crypto.randomUUID();
    let append = false;
    const say = (text) => {
      const event = { taskId, contextId, artifact: { artifactId, parts: [{ text }] }, append };
      bus.publish(AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON(event)));
      append = true;
    };
    const report = (parts) => this.publish(taskId, bus, 'WORKING', parts);
    const given = { taskId, isFirst: task === undefined, text: of('text').join(' '), data: of('data'), say, report };
    try {
      const parts = await this.turn(given);
      this.end(taskId, bus, parts.length > 0 ? 'INPUT_REQUIRED' : 'COMPLETED', parts);
    } catch (error) {
      this.end(taskId, bus, 'FAILED', [{ text: String(error.message) }]);
    }
  }

  async cancelTask(taskId, bus) {
    this.end(taskId, bus, 'CANCELED');
    this.cancelled.add(taskId);
  }

  end(taskId, bus, state, parts) {
    if (this.cancelled.has(taskId)) return;
    this.publish(taskId, bus, state, parts);
    bus.finished();
  }

  publish(taskId, bus, state, parts = []) {
    const names = { taskId, contextId: this.contexts.get(taskId) ?? '' };
    const message = { messageId: crypto.randomUUID(), role: 'ROLE_AGENT', ...names, parts };
    const status = { state: `TASK_STATE_${state}`, ...(parts.length > 0 && { message }) };
    bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ ...names, status })));
  }
}

export function serveTurns(port, turn) {
  const url = `http://127.0.0.1:${port}`;
  const card = AgentCard.fromJSON({
    name: 'payer',
    description: 'Pays invoices',
    version: '1.0.0',
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    supportedInterfaces: [{ url: `${url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  });
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), new TurnExecutor(turn));
  const app = express();
  app.use(`/${AGENT_CARD_PATH}`, agentCardHandler({ agentCardProvider: requestHandler }));
  app.use('/a2a', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  app.listen(port, '127.0.0.1');
}
