// The message of a turn as the gate before its agent lets it go.
import type { TurnInput, TurnOutcome } from '../../contract/tasks/turn.ts';
import type { OpenRun } from '../run-log/run-writer.ts';
import type { CallDeps } from './call-tool.ts';
import { askedBeforeSending, refusedMessage, type releasedMessage } from './held-message.ts';
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
  return { ...message, isFoundOnly: gated?.isFoundOnly ?? false };
}

/** A message at its agent's gate, and how the turn ends there before anything is sent (null: it goes on); null: there is no gate. */
export async function gatedInTurn(
  deps: Deps,
  input: TurnInput,
  opened: OpenRun,
  released: Awaited<ReturnType<typeof releasedMessage>>,
): Promise<{ prepared: TurnMessage; outcome: TurnOutcome | null } | null> {
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
