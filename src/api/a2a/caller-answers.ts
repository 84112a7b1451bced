// A caller who may answer (`ask: caller`, `ask: both`) does so by a message: one answer to all that is asked.
import { RequestMalformedError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import type { CallerMessage } from '../../contract/tasks/caller.ts';
import type { AnswerEntry } from '../../contract/holds/decision.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { objectOf } from '../../core/base/json.ts';
import { needsVotes } from '../../core/policy/ladder.ts';
import { tooLarge } from '../../core/task/answer-size.ts';
import { fingerprintOf } from '../../host/secrets/hash.ts';
import type { HoldRow } from '../../store/store.ts';
import { readCallerAnswer, unread } from '../../wire/a2a/caller/caller-answer.ts';
import { holdExtension, seenDigests } from '../../wire/a2a/caller/caller-status.ts';
import { partsOfCaller } from '../../wire/a2a/caller/caller-message.ts';
import type { ApiContext } from '../api-context.ts';
import { answerFingerprint } from '../holds/answers.ts';
import { describePayload, valueErrors } from '../holds/check-values.ts';
import { proved } from '../holds/prove-answer.ts';
import { sealAnswer } from '../holds/seal-answers.ts';

interface CallerAnswers {
  entries: AnswerEntry[];
  /** What is kept of the message. */
  incoming: CallerMessage;
}

/** Throws if people are asked and not the caller, or if the answer is invalid. */
export async function answersOf(
  api: Pick<ApiContext, 'checkAnswer' | 'now' | 'prover' | 'sealer' | 'store'>,
  open: readonly HoldRow[],
  incoming: CallerMessage,
  principal: Principal,
): Promise<CallerAnswers> {
  const { id, kind } = principal;
  if (open.some(({ plan }) => plan.ask === undefined)) {
    const people = [...new Set(open.flatMap(({ audience }) => audience))].join(', ');
    throw new UnsupportedOperationError(`the task waits for people (${people}); what is sent to it now must wait, too`);
  }
  if (kind === 'agent') throw new UnsupportedOperationError(`${id} has an agent’s key, which decides nothing`);
  const at = api.now().toISOString();
  const parts = partsOfCaller(incoming);
  const metadata = objectOf(incoming.message['metadata']);
  const mine = open.filter(({ votes }) => !votes.some(({ by }) => by === id));
  if (mine.length === 0)
    throw new UnsupportedOperationError('this caller has agreed already; the task waits for others');
  const hasSecrets = mine.some(({ question }) => question.secrets.length > 0);
  const seen = seenDigests(metadata);
  const entries: AnswerEntry[] = [];
  const read = mine.map(({ question }) => readCallerAnswer(question, parts, metadata));
  const { isWritten, sentAs } = goingOf(incoming, mine, read);
  for (const [index, hold] of mine.entries()) {
    const found = read[index];
    if (found === undefined) continue;
    const { values: own, isRead } = found.isWord && !isWritten ? unread(hold.question, parts) : found;
    const values = isRead || !needsVotes(hold.plan) ? own : { ...own, message: wholeOf(incoming) };
    const large = tooLarge(values);
    if (large !== null) throw new RequestMalformedError(large);
    if (hasSecrets && !isRead)
      throw new UnsupportedOperationError('this question is answered on its page: it asks for a secret');
    const answer = { status: 'resolved' as const, values: await sealAnswer(api, hold, values), reason: null };
    const fingerprint = answerFingerprint(answer);
    const entry: AnswerEntry = {
      hold: hold.interruptId,
      ...answer,
      digest: seen.get(hold.holdId) ?? null,
      fingerprint,
    };
    const errors = isRead ? await valueErrors(api, hold, entry) : [];
    if (errors.length > 0) throw new RequestMalformedError(`the answer does not fit: ${describePayload(errors)}`);
    entries.push(
      proved(api, hold, { ...entry, checked: { digest: hold.digest } }, { principal, source: 'resume', at, ...sentAs }),
    );
  }
  return { entries, incoming: hasSecrets ? withoutParts(incoming) : incoming };
}

/** What no values say of a message goes to the agent, too: who agrees to it agrees to all that is sent with it. */
function wholeOf({ message, metadata, references, extensions }: CallerMessage): string {
  const { [holdExtension]: _seen, ...own } = objectOf(message['metadata']);
  return fingerprintOf({ parts: message['parts'] ?? [], own, metadata, references, extensions });
}

/** One message goes to the agent: as it came and is proved, unless all of it can be written in the agent's own shape and has to be. */
function goingOf(
  incoming: CallerMessage,
  mine: readonly HoldRow[],
  read: readonly ReturnType<typeof readCallerAnswer>[],
): { isWritten: boolean; sentAs: { message?: string } } {
  const isRead = read.every((one) => one.isRead);
  const isWritten = isRead && read.some(({ isWord }) => isWord);
  // Who agrees, agrees to values: words next to them are of the last one alone.
  const isOfAll = isRead && mine.some(({ plan }) => needsVotes(plan));
  const isSealed = mine.some(({ question }) => question.secrets.length > 0);
  // No other message goes in its place, whatever its run's row says by then.
  return { isWritten, sentAs: isWritten || isOfAll || isSealed ? {} : { message: fingerprintOf(incoming) } };
}

const withoutParts = (incoming: CallerMessage): CallerMessage => ({
  ...incoming,
  message: { ...incoming.message, parts: [{ text: '(an answer with a secret)' }], metadata: {} },
  isSealed: true,
});

/** Another answer was faster: this one must not become a message into the working task. */
export function refuseLate(holds: readonly HoldRow[], caller: string): void {
  const last = holds.at(-1);
  const end = last?.ended ?? null;
  if (last?.plan.ask === undefined || end === null || end.by === caller) return;
  throw new UnsupportedOperationError(`${last.interruptId} was ${end.why} by ${end.by} at ${end.at}; the task goes on`);
}
