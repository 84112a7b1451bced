// What a turn sends, to which task of the agent, and what follows when it could not be sent.
import type { A2aTaskId } from '../../contract/base/id-types.ts';
import type { TurnInput, TurnOutcome } from '../../contract/tasks/turn.ts';
import { messageIdOf } from '../../core/base/ids.ts';
import { sha1Hex } from '../../host/secrets/hash.ts';
import type { OutgoingMessage } from '../a2a/a2a-transport.ts';
import { pushOf } from '../a2a/push-target.ts';
import type { SendContext } from '../a2a/request.ts';
import type { ActivityDeps } from '../deps.ts';
import type { OpenRun } from '../run-log/run-writer.ts';
import { seenDelivered, sendOnce, type Sent } from './send-once.ts';
import type { Adopted } from './turn-adopt.ts';
import { type HowSent, messageToSend } from './turn-message.ts';

type Deps = Pick<ActivityDeps, 'config' | 'store' | 'transportOf' | 'sealer' | 'signer' | 'prover' | 'publicUrl'>;

export interface TurnMessage {
  messageId: string;
  /** The agent's task, where it is known before anything is sent. */
  ids: { a2aTaskId: A2aTaskId | null; contextId: string | null };
  /** Without parts there is nothing to say: the turn only follows. */
  message: OutgoingMessage;
  /** The agent's gate let it go on as one that the agent has: it is probed for, and not sent. */
  isFoundOnly: boolean;
  /** Answers, or what a person asks back. */
  isAnswering: boolean;
  /** Into a task that is there: its pause, seen again, is not a new one. */
  isReplying: boolean;
  pauseMessageId: string | null;
}

/** Its message and address; the message of a turn that goes on was sent, and is not read again. */
export async function prepareMessage(
  deps: Deps,
  input: TurnInput,
  { options, found }: OpenRun,
  known: HowSent & { adopted: Extract<Adopted, { result: 'adopted' }> | null },
): Promise<TurnMessage> {
  const { adopted, ended } = known;
  const { kind } = input.send;
  const messageId = messageIdOf(sha1Hex, input.task.taskId, input.turn);
  const ids = [input.a2aTaskId, found.task?.a2aTaskId ?? null];
  const a2aTaskId = ids.find((id) => id !== null && id !== ended) ?? null;
  const toSend: TurnInput = input.isDelivered ? { ...input, send: { kind: 'nothing' } } : input;
  const message = await messageToSend(deps, toSend, { ...known, messageId, a2aTaskId, options });
  const isAnswering = ended === undefined && (kind === 'answers' || kind === 'talk');
  return {
    messageId,
    ids: { a2aTaskId, contextId: message.contextId },
    message,
    isFoundOnly: false,
    isAnswering,
    isReplying: isAnswering || (adopted !== null && kind === 'message'),
    pauseMessageId: ended !== undefined ? null : adopted === null ? input.pauseMessageId : adopted.pauseMessageId,
  };
}

/** Once, with the address to notify; where the agent refuses that address nothing was taken, and the same goes without it. */
export async function sendMessage(context: SendContext, input: TurnInput, turn: TurnMessage): Promise<Sent> {
  const { messageId, message, isAnswering, isReplying, pauseMessageId, isFoundOnly } = turn;
  const { a2aTaskId } = turn.ids;
  if (message.parts.length === 0) return seenDelivered(null);
  const send = (outgoing: OutgoingMessage): Promise<Sent> =>
    sendOnce(context, {
      intentKey: input.isResendAllowed ? `${messageId}#${input.runId}` : messageId,
      message: outgoing,
      a2aTaskId: isReplying ? a2aTaskId : null,
      madeTaskId: isReplying ? null : a2aTaskId,
      contextId: outgoing.contextId ?? '',
      isFoundOnly,
      pause: isAnswering ? { messageId: pauseMessageId } : null,
    });
  const sent = await send({ ...message, ...(await pushOf(context.deps, context.agent)) });
  return sent.result === 'refused' && sent.isAboutPush === true ? send(message) : sent;
}

/** How the turn ends without the agent; null: it goes on, and a task that refused its message says itself what is. */
export function outcomeOfSend(sent: Sent, ids: TurnMessage['ids']): TurnOutcome | null {
  switch (sent.result) {
    case 'delivered':
      return null;
    case 'delivery-unknown':
      return { kind: 'delivery-unknown', ...ids, what: sent.what };
    case 'away':
      throw new Error('a message that waits for its agent ends no turn');
    case 'unreachable':
      return { kind: 'failed', code: 'agent_unreachable', message: sent.message, ...ids };
    case 'refused':
      return ids.a2aTaskId === null ? { kind: 'failed', code: 'agent_failed', message: sent.message, ...ids } : null;
    default:
      return sent satisfies never;
  }
}
