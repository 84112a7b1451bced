// A person's word that answers the task's one question in text is checked here, so that no activity has to.
import type { MessageInput } from '../../contract/decision.ts';
import type { Principal } from '../../contract/principal.ts';
import { judgeAnswer } from '../../core/answers/decision.ts';
import type { ApiContext } from '../api-context.ts';
import { answerFingerprint } from './answer-fingerprint.ts';
import { checkValues } from './check-values.ts';

/**
 * The stamp of words that are an answer; nothing where they are none, as far as the rows know: the workflow has the last word.
 * Throws `payload_invalid` for words that do not fit.
 */
export async function stampOfText(
  api: ApiContext,
  { taskId }: { taskId: string },
  text: string,
  who: { principal: Principal; receivedAt: string },
): Promise<Pick<MessageInput, 'checked'>> {
  const [hold, ...more] = (await api.store.holds.ofTask(taskId)).filter(({ status }) => status === 'open');
  if (hold === undefined || more.length > 0 || hold.question.kind !== 'text' || hold.asking) return {};
  // Clear text is no answer to a secret, and the workflow says so.
  if (hold.question.secrets.length > 0) return {};
  const answer = { status: 'resolved' as const, values: { text }, reason: null };
  const fingerprint = answerFingerprint(answer);
  const entry = { hold: hold.interruptId, ...answer, digest: null, fingerprint };
  const judged = judgeAnswer(hold, entry, who, hold.owner, who.receivedAt);
  if (!judged.ok || judged.kind === 'repeat') return {};
  await checkValues(api, hold, entry);
  return { checked: { digest: hold.digest, fingerprint } };
}
