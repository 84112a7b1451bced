// One turn of an agent: what it says from one user message until it pauses or ends.
//
// Message ids are made from the user message's id and a count, so that a turn repeated after a crash says the same
// under the same ids.

import { setTimeout as delay } from 'node:timers/promises';
import { Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import { AgentEvent } from '@a2a-js/sdk/server';

/** Thrown inside a turn whose task was cancelled; the caller of the turn swallows it. */
export class TurnStopped extends Error {}

/**
 * @typedef {ReturnType<typeof createTurn>} Turn
 * @typedef {{ text?: string, data?: unknown, url?: string, metadata?: object }} WirePart a part as A2A 1.0 writes it
 * @param {import('@a2a-js/sdk/server').RequestContext} ctx
 * @param {import('@a2a-js/sdk/server').ExecutionEventBus} bus
 * @param {AbortSignal} signal fires when the task is cancelled
 */
export function createTurn(ctx, bus, signal) {
  const { taskId, contextId, userMessage } = ctx;
  let sentCount = 0;
  let published = 0;
  const publish = (event) => {
    if (signal.aborted) throw new TurnStopped();
    published += 1;
    bus.publish(event);
  };
  const message = (parts, extra = {}) => ({
    messageId: `${userMessage.messageId}:${++sentCount}`,
    role: 'ROLE_AGENT',
    taskId,
    contextId,
    parts,
    ...extra,
  });
  const status = (state, parts, extra) =>
    publish(
      AgentEvent.statusUpdate(
        TaskStatusUpdateEvent.fromJSON({
          taskId,
          contextId,
          status: {
            state,
            timestamp: new Date().toISOString(),
            ...(parts && { message: message(parts, extra) }),
          },
        }),
      ),
    );
  const artifact = (value, { append = false, lastChunk = true } = {}) =>
    publish(
      AgentEvent.artifactUpdate(
        TaskArtifactUpdateEvent.fromJSON({ taskId, contextId, artifact: value, append, lastChunk }),
      ),
    );

  return {
    signal,
    /** Events published so far in this turn. */
    published: () => published,
    /** The first event of a turn must be the task; on a follow-up that is the task as it was stored. */
    open() {
      publish(
        AgentEvent.task(
          ctx.task ??
            Task.fromJSON({
              id: taskId,
              contextId,
              status: { state: 'TASK_STATE_SUBMITTED', timestamp: new Date().toISOString() },
              history: [Message.toJSON(userMessage)],
            }),
        ),
      );
    },
    /** Answers without a task; nothing may be sent before or after it. */
    reply(text) {
      publish(AgentEvent.message(Message.fromJSON({ ...message([{ text }]), taskId: '' })));
    },
    /** @param {string} state `TASK_STATE_…` @param {WirePart[]} [parts] @param {object} [extra] message fields */
    status,
    artifact,
    /** Streams a text artifact piece by piece; the first piece replaces what an earlier attempt left. */
    async streamText(artifactId, pieces, { name = artifactId, delayMs = 0 } = {}) {
      for (const [index, piece] of pieces.entries()) {
        artifact(
          { artifactId, name, parts: [{ text: piece }] },
          { append: index > 0, lastChunk: index === pieces.length - 1 },
        );
        await this.pause(delayMs);
      }
    },
    async pause(delayMs) {
      await delay(delayMs, undefined, { signal }).catch(() => {
        throw new TurnStopped();
      });
    },
  };
}

/** Cuts a text into pieces at spaces, as a language model's tokens come. */
export function wordPieces(text) {
  return text.match(/\S+\s*/g) ?? [];
}
