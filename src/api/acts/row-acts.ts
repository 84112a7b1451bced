// Acts that change the row of a question, or what lies next to it: the workflow that waits for its answer is not asked.
import type { ActBody } from '../../contract/acts/acts.ts';
import { maxComments } from '../../contract/holds/hold.ts';
import { nextNudgeAt } from '../../contract/holds/nudge.ts';
import type { NoticeCause } from '../../contract/tasks/activity.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { isOperator } from '../../core/policy/audience.ts';
import { sha1Hex } from '../../host/secrets/hash.ts';
import { noAnswerError } from '../engine/temporal-failures.ts';
import { channelsWith, operatorsOf, startNotice } from '../holds/hold-notice.ts';
import { discussersOf, mentionsIn } from '../holds/mentions.ts';
import type { Acting, Given } from './acting.ts';
import type { HoldRow } from '../../store/store.ts';

const longestSnoozeMs = 366 * 86_400_000;

/** A claim is a courtesy: it locks no one out and stops no ladder. */
async function claim(api: Acting, { hold, principal, body }: Given<ActBody<'claim'>>): Promise<HoldRow> {
  const isFree = hold.claim === null || hold.claim.by === principal.id;
  if (!isFree && body?.takeOver !== true) return hold;
  return (await api.store.holds.claim(hold.holdId, { by: principal.id, at: api.now().toISOString() })) ?? hold;
}

async function release({ store }: Acting, { hold, principal }: Given<undefined>): Promise<HoldRow> {
  const only = isOperator(principal) ? undefined : principal.id;
  return (await store.holds.claim(hold.holdId, null, only)) ?? hold;
}

function snooze(api: Acting, given: Given<ActBody<'snooze'>>): Promise<HoldRow> {
  const untilMs = Date.parse(given.body.until);
  const aheadMs = untilMs - api.now().getTime();
  if (aheadMs <= 0 || aheadMs > longestSnoozeMs)
    throw new StandfastError('input_invalid', 'until: name a time to come, within a year');
  return snoozeUntil(api, given, new Date(untilMs).toISOString());
}

const unsnooze = (api: Acting, given: Given<undefined>): Promise<HoldRow> => snoozeUntil(api, given, null);

async function snoozeUntil(
  { store }: Acting,
  { hold, principal }: Given<unknown>,
  until: string | null,
): Promise<HoldRow> {
  const { holdId } = hold;
  await store.tx(async (tables) => {
    if (until === null) await tables.snoozes.remove(holdId, principal.id);
    else await tables.snoozes.put({ holdId, principal: principal.id, until });
    await tables.holds.touch([holdId]);
  });
  return (await store.holds.get(holdId)) ?? hold;
}

async function comment(api: Acting, { hold, principal, body }: Given<ActBody<'comment'>>): Promise<HoldRow> {
  const { store, log } = api;
  const { holdId } = hold;
  const text = body.text.trim();
  if (text === '') throw new StandfastError('input_invalid', 'text: say something');
  // One that is kept and never shown would be lost without a word.
  if ((await store.comments.ofHold(holdId)).length >= maxComments)
    throw new StandfastError('input_invalid', `text: a question takes at most ${maxComments} comments`);
  const mentions = mentionsIn(text, discussersOf(api, hold, principal.id));
  const { commentId } = await store.tx(async (tables) => {
    const added = await tables.comments.add({ holdId, by: principal.id, text, mentions });
    await tables.holds.touch([holdId]);
    return added;
  });
  if (mentions.length === 0) return hold;
  const to = mentions.map((name) => `user:${name}`);
  // Not by the channels of its steps: those named are reached by their own. The comment is kept whether or not that works.
  const channels = channelsWith(api, { ...hold, stepsTaken: 0 }, to);
  const notice = { event: 'mentioned', k: commentId, cause: { by: principal.id, to, note: text }, channels } as const;
  if (!(await startNotice(api, hold, notice)))
    log.warn({ holdId, commentId }, 'who is named in a comment could not be notified');
  return hold;
}

/**
 * Sends the notice again, and then keeps that it was: one that is shown is sent no second time within the hour. Two at once, also
 * in two processes, have one name and are one notice.
 */
async function nudge(api: Acting, { hold, principal }: Given<undefined>): Promise<HoldRow> {
  const { holdId, nudges } = hold;
  const nowMs = api.now().getTime();
  const next = nextNudgeAt(nudges, nowMs);
  if (next !== null) {
    const retryAfterS = Math.ceil((next - nowMs) / 1_000);
    const why = `this question was nudged within the hour; again in ${retryAfterS} s`;
    throw new StandfastError('rate_limited', why, { data: { retryAfterS } });
  }
  const k = nudges.length;
  const cause: NoticeCause = { by: principal.id, to: [], note: null };
  const channels = channelsWith(api, hold, hold.audience);
  if (!(await startNotice(api, hold, { event: 'nudged', k, cause, channels })))
    throw await noAnswerError(api, 'engine', 'worker_unavailable');
  return (await api.store.holds.nudge(holdId, k, { at: api.now().toISOString(), by: principal.id })) ?? hold;
}

/** Notified first, once for each person until the question is passed on: a request that is shown is accepted no second time. */
async function askReassign(api: Acting, { hold, principal, body }: Given<ActBody<'ask-reassign'>>): Promise<HoldRow> {
  const note = body?.note?.trim() ?? '';
  const ask = { at: api.now().toISOString(), by: principal.id, note: note === '' ? null : note };
  if (!hold.reassignAsks.some(({ by }) => by === ask.by)) {
    const k = hold.moves.length;
    const cause: NoticeCause = { by: ask.by, to: [], note: ask.note };
    const notice = { event: 'reassign-asked', k, cause, channels: channelsWith(api, hold, operatorsOf(api)) } as const;
    const name = `reassign-asked-${k}-${sha1Hex(Buffer.from(ask.by))}`;
    if (!(await startNotice(api, hold, notice, name))) throw await noAnswerError(api, 'engine', 'worker_unavailable');
  }
  return (await api.store.holds.askReassign(hold.holdId, ask)) ?? hold;
}

export const rowActs = { claim, release, snooze, unsnooze, comment, nudge, 'ask-reassign': askReassign };
