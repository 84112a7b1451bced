// A grant that was ended holds for nothing that was not sent: what it would have answered is asked about.
import type { TurnInput, TurnOutcome } from '../../contract/tasks/turn.ts';
import { messageIdOf } from '../../core/base/ids.ts';
import { isStanding } from '../../core/consent/grants.ts';
import { sha1Hex } from '../../host/secrets/hash.ts';
import type { Proving, WithStore } from '../dep-parts.ts';
import type { TurnLog } from './turn-log.ts';

/** The pause once more, where a grant behind its answers has ended and no attempt has sent them; else null. */
export async function askedAfterRevoked(
  { store, prover }: WithStore & Pick<Proving, 'prover'>,
  { send, isDelivered, task, turn, a2aTaskId, contextId, pauseMessageId }: TurnInput,
  log: Pick<TurnLog, 'flush'> | null,
): Promise<TurnOutcome | null> {
  if (send.kind !== 'answers' || isDelivered) return null;
  const granted = send.answers.flatMap(({ closed }) => closed.decision?.granted ?? []);
  if (granted.length === 0 || contextId === null) return null;
  const grants = await Promise.all(granted.map(({ id }) => store.grants.get(id)));
  if (grants.every((grant) => grant !== null && isStanding(prover, grant))) return null;
  // An attempt that was cut off may have sent it.
  if ((await store.intents.get(messageIdOf(sha1Hex, task.taskId, turn))) !== null) return null;
  const rows = await Promise.all(send.answers.map(({ closed }) => store.holds.get(closed.holdId)));
  const questions = rows.flatMap((row) => (row === null || row.fault !== undefined ? [] : [row.question]));
  if (questions.length < rows.length) {
    const message = 'the grant by which it was answered has ended, and its question cannot be read any more';
    return { kind: 'failed', code: 'internal', message, a2aTaskId, contextId };
  }
  await log?.flush();
  const explanation = 'the grant by which it was answered has ended';
  const state = 'input-required' as const;
  return { kind: 'paused', a2aTaskId, contextId, state, pauseMessageId, explanation, questions };
}
