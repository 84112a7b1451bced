// Questions on a surface: one message for each person who is asked (or in one channel), brought up to date by later events.
import { isOpenAt } from '../../core/answers/time-up.ts';
import type { DeliverNoticeInput } from '../../contract/tasks/activity.ts';
import { objectOf } from '../../core/base/json.ts';
import { contextText } from '../../core/questions/context-text.ts';
import type { Digest } from '../../core/questions/digest-text.ts';
import { noticeKinds } from '../../contract/configuration/notice-names.ts';
import { shownQuestion, type ShownQuestion } from '../../core/questions/shown-question.ts';
import { fingerprintOf, shortHash } from '../../host/secrets/hash.ts';
import { NoticeError } from '../../host/net/notice-channels.ts';
import type { Delivery, DeliveryKey } from '../../store/ports/deliveries.ts';
import { stateWhenAsked } from '../../store/log/run-state.ts';
import type { HoldRow } from '../../store/store.ts';
import { SurfaceError, type MessageName, type Recipient, type Surface } from '../../surfaces/base/surface.ts';
import { textsAsShown } from '../../wire/agui/artifacts/shown-artifacts.ts';
import type { ActivityDeps } from '../deps.ts';
import { putOnDigest } from './digest-queue.ts';
import { waitForHours, worstOf } from './notice-failures.ts';
import { noteNoticeLevel } from './notice-level.ts';
import { isCall } from './notice-people.ts';

type Deps = Pick<ActivityDeps, 'config' | 'store' | 'engine' | 'log' | 'metrics' | 'publicUrl' | 'windowsOf' | 'now'>;

/** A surface with the people whom one channel reaches there. */
export interface Outlet {
  surface: Surface;
  /** One message for all of them, in this channel of the surface; null: one for each. */
  sharedChannel: string | null;
  /** Where a user is reached; `id` tells several places of one user apart, and is '' if there is but one. */
  placesOf(user: string): Promise<{ id: string; to: Recipient }[]>;
  /** What to log about a user who is reached nowhere. */
  nowhere: string;
  /** Puts the conversation's last words into the thread of a question. */
  hasContext: boolean;
  /** People see each update, so that one that changes nothing is not sent. */
  isLoud: boolean;
}

interface Telling {
  input: DeliverNoticeInput;
  row: HoldRow;
  /** Users it is for. */
  people: string[];
}

const question = 'question';
const nameOf = (part: string, place: string): string => (place === '' ? part : `${part}.${place}`);

/** Shows the question to those who are asked and have no message yet, and brings all others up to date. */
export async function deliverToSurface(deps: Deps, outlet: Outlet, telling: Telling): Promise<void> {
  const failures: unknown[] = [];
  // One message that cannot be sent does not stop the others.
  const attempt = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => void failures.push(noticeErrorOf(error)));
  const { input, row } = telling;
  const isOpen = isOpenAt(row, deps.now().toISOString()) && !row.outgoing;
  if (isOpen && isCall(input.event) && noticeKinds[input.event].isUpdate !== true) {
    const { sharedChannel } = outlet;
    const users = sharedChannel === null || telling.people.length === 0 ? telling.people : [''];
    // The same for all of them, and read for the first who gets it.
    let shown: Promise<ShownQuestion> | null = null;
    const shownOnce = (): Promise<ShownQuestion> => (shown ??= shownAt(deps, outlet.surface, row));
    for (const user of users) await attempt(showTo(deps, outlet, { input, row, user, shownOnce }, attempt));
  }
  const sent = await deps.store.deliveries.ofChannel(row.holdId, input.channel);
  for (const one of sent) if (isQuestion(one)) await attempt(bringUpToDate(deps, outlet, one));
  if (failures.length > 0) throw worstOf(failures);
}

const isQuestion = ({ message }: Delivery): boolean => message === question || message.startsWith(`${question}.`);
const placeIdOf = ({ message }: Delivery): string => message.slice(question.length + 1);

const noticeErrorOf = (error: unknown): unknown =>
  error instanceof SurfaceError ? new NoticeError(error.message, error.isFinal, error.retryAfterMs) : error;

interface Showing {
  input: DeliverNoticeInput;
  row: HoldRow;
  /** '' for the shared channel. */
  user: string;
  shownOnce: () => Promise<ShownQuestion>;
}

async function showTo(
  deps: Deps,
  outlet: Outlet,
  showing: Showing,
  attempt: (work: Promise<void>) => Promise<void>,
): Promise<void> {
  const { user, input, row } = showing;
  if (user !== '') {
    const key = { holdId: row.holdId, channel: input.channel, recipient: user, message: `${input.event}.${input.k}` };
    if (await putOnDigest(deps, showing, key)) return;
    waitForHours(deps, user);
  }
  const places = await placesOf(outlet, user);
  if (places.length === 0) deps.log.warn({ channel: input.channel, user, holdId: row.holdId }, outlet.nowhere);
  for (const place of places) await attempt(show(deps, outlet, showing, place));
}

/** Sends one user a list of what waits for them, once, wherever they are reached there. */
export async function listTo(
  deps: Pick<Deps, 'store' | 'log'>,
  outlet: Outlet,
  { channel, user }: { channel: string; user: string },
  digest: Digest,
): Promise<void> {
  if (digest.waiting.length === 0) return;
  const places = await outlet.placesOf(user);
  if (places.length === 0) deps.log.warn({ channel, user }, outlet.nowhere);
  const failures: unknown[] = [];
  for (const { id, to } of places) {
    const key = { holdId: 'digest', channel, recipient: user, message: nameOf(digest.at, id) };
    await once(deps, key, (name) => outlet.surface.list(digest, to, name)).catch(
      (error: unknown) => void failures.push(noticeErrorOf(error)),
    );
  }
  if (failures.length > 0) throw worstOf(failures);
}

async function placesOf(outlet: Outlet, user: string): Promise<{ id: string; to: Recipient }[]> {
  const { sharedChannel } = outlet;
  return sharedChannel === null ? outlet.placesOf(user) : [{ id: '', to: { channel: sharedChannel } }];
}

async function show(
  deps: Deps,
  { surface, hasContext, isLoud }: Outlet,
  { input, row, user, shownOnce }: Showing,
  { id, to }: { id: string; to: Recipient },
): Promise<void> {
  const key = { holdId: row.holdId, channel: input.channel, recipient: user };
  const shown = await shownOnce();
  const handle = await once(deps, { ...key, message: nameOf(question, id) }, async (name) => {
    const sent = await surface.show(shown, to, name);
    noteNoticeLevel(deps, { input, row }, user === '' ? null : user);
    return sent;
  });
  if (isLoud) await markShown(deps, { ...key, message: stateOf(shown, id) });
  const context = hasContext ? await contextOf(deps, row, shown) : null;
  if (context !== null)
    await once(deps, { ...key, message: nameOf('context', id) }, (name) =>
      surface.reply(objectOf(handle), { text: context, question: shown }, name),
    );
  if (input.event !== 'reminder') return;
  const text = `This ${noticeKinds[input.event].words}.`;
  await once(deps, { ...key, message: nameOf(`reminder.${input.k}`, id) }, (name) =>
    surface.reply(objectOf(handle), { text, question: shown }, name),
  );
}

async function shownAt(
  { config, now, publicUrl, store }: Deps,
  { limits }: Surface,
  row: HoldRow,
): Promise<ShownQuestion> {
  const texts = await textsAsShown(row.artifacts ?? [], () => stateWhenAsked(store, row), fingerprintOf);
  return shownQuestion(config, publicUrl, row, limits, { texts, now: now().toISOString() });
}

async function contextOf({ store }: Deps, row: HoldRow, { agent, requester }: ShownQuestion): Promise<string | null> {
  const thread = await store.threads.get(row.agent, row.threadId);
  return thread === null ? null : contextText(thread.messages, agent, requester);
}

const idOf = ({ holdId, channel, recipient, message }: DeliveryKey): string =>
  [holdId, channel, recipient, message].join('/');

/** Sends a message unless it was sent; what an unfinished attempt sent is read first. */
async function once(
  { store }: Pick<Deps, 'store'>,
  key: DeliveryKey,
  send: (name: MessageName) => Promise<Delivery['handle']>,
): Promise<Delivery['handle']> {
  const { isNew, state, handle, begunAt } = await store.deliveries.begin(key);
  if (state !== 'sending') return handle;
  return store.deliveries.sent(key, await send({ id: idOf(key), begunAt: isNew ? null : begunAt }));
}

/** Names what a message says apart from the question itself. */
const stateOf = ({ digest, deadline, end }: ShownQuestion, place: string): string =>
  nameOf(`state.${shortHash(JSON.stringify([digest, deadline, end]))}`, place);

async function markShown({ store }: Pick<Deps, 'store'>, key: DeliveryKey): Promise<void> {
  if ((await store.deliveries.begin(key)).state === 'sending') await store.deliveries.sent(key);
}

/** The row is read again: the question may have changed or ended while messages were sent. */
async function bringUpToDate(deps: Deps, outlet: Outlet, one: Delivery): Promise<void> {
  if (one.state === 'ended') return;
  const { store } = deps;
  const { surface, isLoud } = outlet;
  const row = await store.holds.get(one.holdId);
  // What was begun and not finished is sent by the retry of its own event, unless the question has ended.
  if (row === null || (one.state === 'sending' && row.status === 'open')) return;
  const handle = one.state === 'sent' ? one.handle : await unfinished(deps, outlet, one);
  if (handle === null) return;
  const shown = await shownAt(deps, surface, row);
  const update = (): Promise<void> => surface.update(objectOf(handle), shown);
  const key = { ...one, message: stateOf(shown, placeIdOf(one)) };
  if (isLoud) await once(deps, key, async () => update().then(() => null));
  else await update();
  if (row.status !== 'open') await store.deliveries.ended(one);
}

/** The handle of a message that was begun and is not sent again, since the question has ended. */
async function unfinished(deps: Deps, outlet: Outlet, one: Delivery): Promise<Delivery['handle']> {
  const place = (await placesOf(outlet, one.recipient)).find(({ id }) => id === placeIdOf(one));
  const found = place && (await outlet.surface.find(place.to, { id: idOf(one), begunAt: one.begunAt }));
  return found ? deps.store.deliveries.sent(one, found) : null;
}
