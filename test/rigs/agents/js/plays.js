// What the agents of sdk-agents.js do, each in the way of one of the public samples of the A2A SDKs.
import { randomUUID } from 'node:crypto';
import { Message, Part, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import { AgentEvent } from '@a2a-js/sdk/server';
import { tckPlay } from './tck-play.js';

/** An extension of messages: who activates it finds in each status when it was sent. */
export const timestamps = 'https://agents.example/extensions/timestamps/v1';
const stampKey = `${timestamps}/saidAt`;

const textOf = (message) =>
  message.parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : [])).join(' ');

/**
 * What an executor says, as events of its task. The SDK wants the task itself before anything else, in each turn. Many
 * public samples publish it for a new task alone, and begin a follow-up with a status: `isStatusFirst`.
 */
function speaker({ taskId, contextId, task, userMessage, context }, bus, { isStatusFirst }) {
  if (task === undefined || !isStatusFirst) {
    const fresh = Task.fromJSON({ id: taskId, contextId, status: { state: 'TASK_STATE_SUBMITTED' } });
    fresh.history = [userMessage];
    bus.publish(AgentEvent.task(task ?? fresh));
  }
  const isStamped = context?.requestedExtensions?.includes(timestamps) === true;
  const metadata = isStamped ? { [stampKey]: new Date().toISOString() } : undefined;
  const agentMessage = (parts) => ({ messageId: randomUUID(), role: 'ROLE_AGENT', taskId, contextId, parts, metadata });
  return {
    status(state, parts) {
      const status = { state: `TASK_STATE_${state}`, ...(parts && { message: agentMessage(parts) }) };
      bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, contextId, status })));
    },
    /** Of an open one more is to come, by what is returned. */
    artifact(name, parts, { isOpen = false } = {}) {
      const artifactId = randomUUID();
      const publish = (more) =>
        bus.publish(AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON({ taskId, contextId, ...more })));
      publish({ artifact: { artifactId, name, parts }, lastChunk: !isOpen });
      return (rest) => publish({ artifact: { artifactId, name, parts: rest }, append: true, lastChunk: true });
    },
  };
}

const form = (values, errors) => ({
  data: {
    type: 'a2a.hitl.form',
    formId: 'trip',
    title: 'Trip',
    fields: [{ name: 'days', label: 'Days', type: 'integer', required: true }],
    ...(errors && { metadata: { errors, values } }),
  },
});

/** Tasks by what they wait for: their next step, or to be cancelled. */
const steps = new Map();

export const plays = {
  tck: tckPlay(speaker),
  async hello(context, bus, manner) {
    const say = speaker(context, bus, manner);
    say.status('WORKING', [{ text: 'I read your message.' }]);
    say.artifact('Result', [{ text: `Hello, you said: ${textOf(context.userMessage)}` }]);
    say.status('COMPLETED');
  },
  async survey(context, bus, manner) {
    const say = speaker(context, bus, manner);
    if (context.task === undefined) {
      say.status('WORKING', [{ text: 'I begin the survey.' }]);
      say.status('INPUT_REQUIRED', [{ text: 'Which colour?' }]);
      return;
    }
    // The handler has added this message to the history already.
    const texts = context.task.history.filter((message) => message.role === context.userMessage.role).map(textOf);
    say.status('WORKING', [{ text: `I note ${texts.at(-1)}.` }]);
    await manner.gate();
    if (texts.length < 3) {
      say.status('INPUT_REQUIRED', [{ text: 'Which size?' }]);
      return;
    }
    say.artifact('survey', [{ text: texts.join(' / ') }]);
    say.status('COMPLETED', [{ text: 'Thank you.' }]);
  },
  async trip(context, bus, manner) {
    const say = speaker(context, bus, manner);
    const answer = context.userMessage.parts.find(
      ({ content }) => content?.$case === 'data' && content.value.type === 'a2a.hitl.formResponse',
    );
    const values = answer?.content.value.values;
    if (values === undefined) say.status('INPUT_REQUIRED', [{ text: 'How long?' }, form()]);
    else if (values.days > 5) {
      say.status('INPUT_REQUIRED', [{ text: 'Not so long.' }, form(values, { days: 'at most 5' })]);
    } else {
      say.artifact('trip', [{ text: `${values.days} days` }]);
      say.status('COMPLETED');
    }
  },
  async echo(context, bus, manner) {
    const say = speaker(context, bus, manner);
    say.artifact('echo', context.userMessage.parts.map(Part.toJSON));
    say.status('COMPLETED');
  },
  async reply({ contextId, userMessage }, bus) {
    const parts = [{ text: `You said: ${textOf(userMessage)}` }];
    const message = { messageId: randomUUID(), role: 'ROLE_AGENT', contextId, parts };
    bus.publish(AgentEvent.message(Message.fromJSON(message)));
  },
  /** Three steps, and asks itself before each whether it is to go on. */
  async steps(context, bus, manner) {
    const say = speaker(context, bus, manner);
    const task = { isCancelled: false };
    steps.set(context.taskId, task);
    for (const step of [1, 2, 3]) {
      if (!task.isCancelled) {
        say.status('WORKING', [{ text: `Step ${step} of 3.` }]);
        await manner.gate();
      }
      if (task.isCancelled) return say.status('CANCELED', [{ text: 'Stopped as you wished.' }]);
    }
    say.status('COMPLETED', [{ text: 'All steps are done.' }]);
  },
  /** Works until the message "enough"; other messages meanwhile are noted. */
  async listener(context, bus, manner) {
    const say = speaker(context, bus, manner);
    const text = textOf(context.userMessage);
    if (context.task === undefined) {
      say.status('WORKING', [{ text: 'I listen.' }]);
      await new Promise((resolve) => steps.set(context.taskId, resolve));
      return;
    }
    say.status('WORKING', [{ text: `I note ${text}.` }]);
    if (text !== 'enough') return;
    // Sent here: when this call is over, the SDK listens to no other of this task.
    say.status('COMPLETED', [{ text: 'I heard enough.' }]);
    steps.get(context.taskId)();
  },
  /** Takes a follow-up without a word about it. */
  async mute(context, bus, manner) {
    if (context.task !== undefined) return;
    speaker(context, bus, manner).status('INPUT_REQUIRED', [{ text: 'Anything else?' }]);
  },
};

export function cancel(taskId, bus) {
  const task = steps.get(taskId);
  if (task?.isCancelled === false) {
    task.isCancelled = true;
    return;
  }
  const status = { state: 'TASK_STATE_CANCELED' };
  bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, status })));
}

export { textOf };
