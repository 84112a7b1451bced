// What every surface does with a callback: taken once, as the answer it means; failures are worded for its person.
import { isOpenAt, isTimeUp } from '../../core/answers/time-up.ts';
import { hasEnded } from '../../contract/holds/hold-names.ts';
import { createHash } from 'node:crypto';
import type { DecisionBody, DecisionSource } from '../../contract/holds/decision.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { shownQuestion, type ShownQuestion } from '../../core/questions/shown-question.ts';
import { formValues, yesNoBody, type Offer, type SurfaceLimits } from '../../core/questions/surface-question.ts';
import type { DeliveryKey } from '../../store/ports/deliveries.ts';
import type { HoldRow } from '../../store/store.ts';
import type { SurfaceCallback } from '../../surfaces/base/surface.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { principalByEmail, principalOfUser } from '../auth/user-principal.ts';
import { decide, type Deciding, type DecisionReply } from '../holds/decide.ts';
import { readShownTexts } from '../holds/hold-artifacts.ts';
import { filterOf } from '../inbox/inbox-views.ts';
import type { WithConfig, WithStore } from '../api-parts.ts';
import { ownEntry } from '../../core/base/own-entry.ts';

type Submitted = Extract<SurfaceCallback, { kind: 'submitted' }>;

/** What the answers of every surface need of the api. */
export type SurfaceApi = Deciding & WithConfig;

export const onlyPage = 'This question is decided on its own page only. Nothing was decided.';

/** A question as a surface with these limits shows it now. */
export const shownHere = async (api: SurfaceApi, hold: HoldRow, limits: SurfaceLimits): Promise<ShownQuestion> =>
  shownQuestion(api.config, api.publicUrl, hold, limits, {
    texts: await readShownTexts(api, hold),
    now: api.now().toISOString(),
  });

const listed = 20;

/** What waits for somebody, as lines of a list that lead to their pages. */
export async function waitingHere(
  { store, config, now, publicUrl }: SurfaceApi,
  principal: Principal,
  limits: SurfaceLimits,
): Promise<{ questions: ShownQuestion[]; hasMore: boolean }> {
  const filter = { ...filterOf('forMe', principal), sort: 'deadline' as const, limit: listed };
  const { items, nextCursor } = await store.holds.list(filter);
  const questions = items.map((hold) =>
    shownQuestion(config, publicUrl, hold, limits, { texts: null, now: now().toISOString() }),
  );
  return { questions, hasMore: nextCursor !== null };
}

/** Who somebody of a surface is: as the channel maps them, else by their mail address; null: not known here. */
export async function principalHere(
  api: SurfaceApi,
  users: Readonly<Record<string, string>>,
  { surface, person, email }: { surface: string; person: string; email: string | null },
): Promise<Principal | null> {
  const mapped = ownEntry(users, person);
  const byEmail = mapped !== undefined || email === null ? null : await principalByEmail(api, email);
  const principal = mapped === undefined ? byEmail : principalOfUser(api, mapped);
  return principal && { ...principal, credential: `${surface}:${person}` };
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** What to show a person about a failure, without internal details. */
export const wordsOf = (error: unknown): string =>
  error instanceof StandfastError
    ? `Nothing was decided: ${error.message}`
    : 'Nothing was decided: Standfast failed. Try again, or open the question.';

/** For somebody who is no user here: `by` is the account with the mail address. */
export const unmappedWords = (by: string): string =>
  `Standfast does not know you here: no user has the mail address of your ${by}. Nothing was decided. Sign in to Standfast, or have an operator add you to users or map you in the channel.`;

/** Why a question cannot be answered as it was shown; null: it can. */
export function staleWords(
  { now }: Pick<SurfaceApi, 'now'>,
  hold: HoldRow,
  { digest, shownBy }: { digest: string; shownBy: 'message' | 'card' },
): string | null {
  const at = now().toISOString();
  if (hold.digest === digest && isOpenAt(hold, at)) return null;
  const why =
    hold.status !== 'open'
      ? 'the question has ended'
      : isTimeUp(hold, at)
        ? 'its time is up, and its policy decides'
        : `the question has changed since this ${shownBy} was sent`;
  return `Nothing was decided: ${why}.`;
}

function resultText({ hold }: DecisionReply): string {
  if (hold.outgoing !== null)
    return `Recorded. It is sent to the agent at ${hold.outgoing.at}; until then it can be taken back on the question’s page.`;
  return !hasEnded(hold.status) ? `Your vote counts: ${hold.votes.have} of ${hold.votes.need} needed.` : 'Recorded.';
}

/** Whose press it is, and in which channel; `id` is the surface's own of it. */
interface Press {
  channel: string;
  source: Extract<DecisionSource, 'slack' | 'teams'>;
  person: string;
  principal: Principal;
  id: string;
}

/** Decides as somebody pressed; null: it was done before. */
export function decideOnce(
  api: SurfaceApi,
  hold: HoldRow,
  body: DecisionBody,
  { channel, source, person, principal, id }: Press,
): Promise<DecisionReply | null> {
  const key = { holdId: hold.holdId, channel, recipient: person, message: `callback.${hashOf(id)}` };
  return onlyOnce(api, key, () => decide(api, hold, body, principal, source));
}

/** The same, with what its person is shown of it, if there is something to say. */
export async function decideHere(
  api: SurfaceApi,
  hold: HoldRow,
  body: DecisionBody,
  press: Press,
): Promise<{ isNew: boolean; words: string | null }> {
  try {
    const reply = await decideOnce(api, hold, body, press);
    const isOpen = reply !== null && !hasEnded(reply.hold.status);
    return { isNew: reply !== null, words: isOpen ? resultText(reply) : null };
  } catch (error) {
    if (!(error instanceof StandfastError)) throw error;
    return { isNew: true, words: wordsOf(error) };
  }
}

/**
 * Does what a callback asks for once, and returns null for one that is done: it is recorded before, and marked after.
 * One that was begun and not finished, as the process ended, is done again: the same answer is taken once.
 */
async function onlyOnce<T>(
  { store: { deliveries } }: WithStore,
  key: DeliveryKey,
  act: () => Promise<T>,
): Promise<T | null> {
  if ((await deliveries.begin(key)).state !== 'sending') return null;
  try {
    const done = await act();
    await deliveries.sent(key);
    return done;
  } catch (error) {
    if (error instanceof StandfastError) await deliveries.sent(key);
    throw error;
  }
}

export function bodyOf(
  hold: HoldRow,
  offer: Offer,
  given: Pick<Submitted, 'digest' | 'reason' | 'texts'>,
): DecisionBody | null {
  const { digest, reason, texts } = given;
  if (reason !== null) return offer.kind === 'yes-no' ? yesNoBody(hold, { isYes: false, reason, digest }) : null;
  return offer.kind === 'form' ? { status: 'resolved', values: formValues(offer.fields, texts), digest } : null;
}
