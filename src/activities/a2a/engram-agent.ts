// Engram over A2A: its methods are raw JSON-RPC calls, its subscriptions are tasks that are followed like any other.
import { isEndState } from '../../contract/tasks/agent-state-names.ts';
import { z } from 'zod';
import {
  EngramCallError,
  EngramUnreachable,
  engramExtension,
  type EngramAgent,
  type EngramFrame,
} from '../../contract/views/engram.ts';
import type { Json } from '../../contract/base/json.ts';
import type { NeutralArtifact, NeutralPart, TurnEvent } from '../../contract/tasks/turn.ts';
import { messageText } from '../../wire/agui/model/text.ts';
import type { A2aTransport } from './a2a-transport.ts';
import { isObject } from '../../core/base/json.ts';

const ReplySchema = z.union([
  z.object({
    error: z.object({ code: z.number().catch(0), message: z.string().catch('refused'), data: z.json().optional() }),
  }),
  z.object({ result: z.record(z.string(), z.json()) }),
]);

function eventsIn(parts: readonly NeutralPart[]): Json[] {
  return parts.flatMap((part) => {
    if (part.kind !== 'data' || !isObject(part.data) || part.data['type'] !== 'engram/event') return [];
    return [part.data['event'] ?? null];
  });
}

const eventsOf = (artifacts: readonly NeutralArtifact[]): EngramFrame[] => {
  const events = artifacts.flatMap(({ parts }) => eventsIn(parts));
  return events.length === 0 ? [] : [{ kind: 'events', events }];
};

/** Why a subscription ended, as the agent reports it: a data part with a reason, else its text. */
function reasonOf(parts: readonly NeutralPart[]): string | null {
  for (const part of parts) {
    const reason = part.kind === 'data' && isObject(part.data) ? part.data['reason'] : null;
    if (typeof reason === 'string') return reason.slice(0, 200);
  }
  const text = messageText([...parts]).trim();
  return text === '' ? null : text.slice(0, 200);
}

function framesOf(event: TurnEvent): EngramFrame[] {
  if (event.type === 'artifact') return eventsOf([event.artifact]);
  if (event.type !== 'task' && event.type !== 'status') return [];
  const parts = event.message?.parts ?? [];
  const last: EngramFrame[] = isEndState(event.state)
    ? [{ kind: 'ended', state: event.state, reason: reasonOf(parts) }]
    : [];
  return [...(event.type === 'task' ? eventsOf(event.artifacts) : []), ...last];
}

export function createEngramAgent(transport: A2aTransport): EngramAgent {
  const extensions = [engramExtension];
  const fault = (error: unknown, signal: AbortSignal): unknown => {
    if (error instanceof EngramCallError || signal.aborted) return error;
    const { kind, what, message } = transport.classify(error, signal);
    const isFinal =
      kind === 'final' && ['refused', 'agent-error', 'unsupported', 'no-method', 'no-version'].includes(what);
    return isFinal ? new EngramCallError(0, message, null) : new EngramUnreachable(message, { cause: error });
  };
  const isGone = (error: unknown, signal: AbortSignal): boolean =>
    transport.classify(error, signal).what === 'task-not-found';
  return {
    async isAdvertised(signal) {
      const card = await transport.card({ signal }).catch((error: unknown) => {
        throw fault(error, signal);
      });
      return (card.capabilities?.extensions ?? []).some(({ uri }) => uri === engramExtension);
    },
    async call(method, params, signal) {
      let answer: unknown;
      try {
        answer = await transport.rawCall({ method, params, extensions }, { signal });
      } catch (error) {
        throw fault(error, signal);
      }
      const reply = ReplySchema.safeParse(answer);
      if (!reply.success) throw new EngramUnreachable(`the answer to ${method} is no JSON-RPC`);
      if (!('error' in reply.data)) return reply.data.result;
      const { code, message, data = null } = reply.data.error;
      throw new EngramCallError(code, message.slice(0, 300), data);
    },
    async *frames(taskId, onOpen, signal) {
      try {
        for await (const event of transport.resubscribe(taskId, { signal, extensions, onResponse: onOpen })) {
          yield* framesOf(event);
        }
      } catch (error) {
        if (!isGone(error, signal)) throw fault(error, signal);
      }
    },
    async task(taskId, signal) {
      try {
        return framesOf(await transport.getTask(taskId, {}, { signal, extensions }));
      } catch (error) {
        if (isGone(error, signal)) return null;
        throw fault(error, signal);
      }
    },
    async cancel(taskId, signal) {
      await transport.cancel(taskId, { signal, extensions });
    },
  };
}
