// The message of a turn as the gate before its agent lets it go.
import type { TurnInput, TurnOutcome } from '../../contract/tasks/turn.ts';
import type { OpenRun } from '../run-log/run-writer.ts';
import type { CallDeps } from './call-tool.ts';
import { metadataIntoTask } from '../../wire/agui/input/run-options.ts';
import { askedBeforeSending, refusedMessage, type releasedMessage, whyNotInto } from './held-message.ts';
import { prepareMessage, type TurnMessage } from './turn-send.ts';

type Deps = CallDeps & Parameters<typeof prepareMessage>[0];

interface ToSend {
  opened: OpenRun;
  sending: TurnInput;
  ended: string | null | undefined;
  gated: TurnMessage | null;
}

/** The message that the gate let pass, as it was made there; one into a task that is adopted has its address since. */
export async function messageIn(
  deps: Deps,
  { opened, sending, ended, gated }: ToSend,
  adopted: Parameters<typeof prepareMessage>[3]['adopted'],
): Promise<TurnMessage> {
  if (gated !== null && adopted === null) return gated;
  const message = await prepareMessage(deps, sending, opened, { adopted, ended });
  const isOwn = sending.send.kind === 'answers' && message.message.forwarded !== undefined;
  // The answer of a caller is sent in their own words, or else as the dialect of its question writes it.
  if (isOwn && (await whyNotInto(deps, sending.task, message.message, adoptionOf(opened))) !== null)
    return prepareMessage(deps, sending, opened, { adopted, ended, isWritten: true });
  return { ...message, isFoundOnly: gated?.isFoundOnly ?? false };
}

const adoptionOf = ({ options }: OpenRun): { isAdopted: boolean } => ({ isAdopted: options.taskId !== null });

/** A message at its agent's gate, and how the turn ends there before anything is sent (null: it goes on); null: there is no gate. */
export async function gatedInTurn(
  deps: Deps,
  input: TurnInput,
  opened: OpenRun,
  released: Awaited<ReturnType<typeof releasedMessage>>,
): Promise<{ prepared: TurnMessage | null; outcome: TurnOutcome | null } | null> {
  if (input.send.kind === 'talk' && !input.isDelivered) return askedBack(deps, input, opened);
  const isFirst = input.send.kind === 'message' && deps.config.agents[input.task.agent]?.gate !== undefined;
  if (released === null && !isFirst) return null;
  const isHeld = released !== null;
  const prepared = await prepareMessage(deps, released?.input ?? input, opened, { adopted: null, isHeld });
  const { message } = prepared;
  if (released !== null) return { prepared, outcome: refusedMessage(released, message) };
  const asked = await askedBeforeSending(deps, input, message);
  return asked === 'found'
    ? { prepared: { ...prepared, isFoundOnly: true }, outcome: null }
    : { prepared, outcome: asked };
}

/** What a person asks back is a message into the task like any other, as far as its agent's gate is concerned. */
async function askedBack(
  deps: Deps,
  { task, a2aTaskId, contextId }: TurnInput,
  opened: OpenRun,
): Promise<{ prepared: null; outcome: TurnOutcome } | null> {
  const message = { metadata: metadataIntoTask(opened.options.metadata) };
  const why = await whyNotInto(deps, task, message, adoptionOf(opened));
  if (why === null) return null;
  return { prepared: null, outcome: { kind: 'failed', code: 'forbidden', message: why, a2aTaskId, contextId } };
}
