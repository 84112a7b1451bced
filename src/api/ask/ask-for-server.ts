// A question that somebody else's call brings up while it is made: asked for the caller, waited for, and withdrawn with the wait.
import { durationMs } from '../../core/policy/duration.ts';
import type { AskAnswer } from '../../core/questions/ask-answer.ts';
import type { AskedForServer } from '../../core/turn/server-form.ts';
import { withdrawAbandoned } from './withdraw-ask.ts';
import { answerOf, askPeople, type AskingApi } from './ask-people.ts';

export async function askForServer(
  api: AskingApi,
  { principal, id, ...asked }: AskedForServer,
  signal: AbortSignal,
): Promise<AskAnswer> {
  const version = await askPeople(api, { id, ...asked, untitled: null, isHeld: true }, principal);
  const answer = await answerOf(api, id, principal, { timeoutMs: durationMs(asked.within), signal, version });
  // No one waits for it any more.
  if (answer.status === 'waiting')
    await withdrawAbandoned(api, id, principal).catch((err: unknown) =>
      api.log.warn({ err, ask: id }, 'a question whose call is over was not withdrawn; it ends with its own time'),
    );
  return answer;
}
