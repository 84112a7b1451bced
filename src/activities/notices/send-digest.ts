// Sends one person what waits for them: one message on each channel that would have announced each question.
import { isOpenAt } from '../../core/answers/time-up.ts';
import type { Channel } from '../../contract/configuration/channels.ts';
import type { DigestStart } from '../../contract/tasks/activity.ts';
import { pageUrl } from '../../core/base/page-url.ts';
import { digestMail, digestOrder, type Digest } from '../../core/questions/digest-text.ts';
import { mailHtmlOf, noReplies } from '../../core/questions/mail-html.ts';
import { shownQuestion } from '../../core/questions/shown-question.ts';
import { createEgress } from '../../host/net/egress.ts';
import { sendMail } from '../../host/net/notice-channels.ts';
import { shortHash } from '../../host/secrets/hash.ts';
import type { Delivery } from '../../store/ports/deliveries.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ActivityDeps } from '../deps.ts';
import { listTo } from './deliver-to-surface.ts';
import { digestMomentsOf, listedEvent, startDigest } from './digest-queue.ts';
import { noticeFailure, waitForHours, worstOf } from './notice-failures.ts';
import { emailOf, isAsked, isCall } from './notice-people.ts';
import { isSurface, outletOf } from './outlets.ts';
import { pushPeople } from './push-people.ts';

type Deps = Pick<ActivityDeps, 'config' | 'store' | 'engine' | 'log' | 'now' | 'publicUrl' | 'windowsOf'>;

/** Each digest is sent once on each channel, whatever restarts happen: what was sent is in the store. */
export async function sendDigest(deps: Deps, start: DigestStart): Promise<void> {
  const { user } = start;
  const latestMs = latestMoment(deps, start);
  // A worker that was away sends the latest one alone.
  if (latestMs > Date.parse(start.at)) return void (await startDigest(deps, user, latestMs));
  try {
    waitForHours(deps, user);
  } catch (error) {
    throw noticeFailure('digest', error);
  }
  const all = await listed(deps, user);
  const failures: unknown[] = [];
  for (const name of new Set(all.map(({ delivery }) => delivery.channel))) {
    const items = all.filter(({ delivery }) => delivery.channel === name);
    await sendOn(deps, { ...start, name, items }).catch((error: unknown) => void failures.push(error));
  }
  await startNext(deps, user);
  if (failures.length > 0) throw noticeFailure('digest', worstOf(failures));
}

function latestMoment(deps: Deps, { user, at }: DigestStart): number {
  let latestMs = Date.parse(at);
  const nowMs = deps.now().getTime();
  for (const ms of digestMomentsOf(deps, user)?.(latestMs) ?? []) {
    if (ms > nowMs) break;
    latestMs = ms;
  }
  return latestMs;
}

/** As long as something waits there is a next one. */
async function startNext(deps: Deps, user: string): Promise<void> {
  if ((await deps.store.deliveries.onDigest(user)).length === 0) return;
  for (const ms of digestMomentsOf(deps, user)?.(deps.now().getTime()) ?? [])
    if (await startDigest(deps, user, ms)) return;
}

interface Item {
  delivery: Delivery;
  row: HoldRow;
}

/** What this user is still to be notified of; what is over for them is marked so. */
async function listed(deps: Deps, user: string): Promise<Item[]> {
  const { store, config, now } = deps;
  const others = await pushPeople(deps);
  const items: Item[] = [];
  for (const delivery of await store.deliveries.onDigest(user)) {
    const row = await store.holds.get(delivery.holdId);
    const isCalled = isCall(listedEvent(delivery));
    const isOpen = row !== null && isOpenAt(row, now().toISOString()) && !row.outgoing;
    if (row !== null && (!isCalled || (isOpen && isAsked(config, user, row, now(), others))))
      items.push({ delivery, row });
    else await store.deliveries.ended(delivery);
  }
  return items;
}

interface Sending extends DigestStart {
  /** Of the channel. */
  name: string;
  items: Item[];
}

async function sendOn(deps: Deps, sending: Sending): Promise<void> {
  const channel = deps.config.notifications.channels[sending.name];
  if (channel?.type === 'mail') await mail(deps, channel, sending);
  else if (channel !== undefined && isSurface(channel)) {
    const outlet = await outletOf(deps, sending.name, channel);
    await listTo(deps, outlet, { channel: sending.name, user: sending.user }, digestOf(deps, sending));
  }
  // Questions are listed for as long as they wait, unless the person has no digests any more.
  const hasMore = digestMomentsOf(deps, sending.user) !== null;
  for (const { delivery } of sending.items)
    if (!hasMore || !isCall(listedEvent(delivery))) await deps.store.deliveries.ended(delivery);
}

const nothing = { title: 0, message: 0, args: 0, fields: 0, choices: 0 };

function digestOf({ config, now, publicUrl }: Deps, { at, items }: Sending): Digest {
  const shown = (row: HoldRow): Digest['waiting'][number] =>
    shownQuestion(config, publicUrl, row, nothing, { texts: null, now: now().toISOString() });
  const waiting = items.filter(({ delivery }) => isCall(listedEvent(delivery)));
  const news = items.filter(({ delivery }) => !isCall(listedEvent(delivery)));
  // Several events of one question are one line.
  const rows = new Map(waiting.map(({ row }) => [row.holdId, row]));
  return {
    at,
    waiting: [...rows.values()].map(shown).toSorted(digestOrder),
    news: news.map(({ delivery, row }) => ({ question: shown(row), event: listedEvent(delivery) })),
    link: pageUrl(publicUrl, '/'),
  };
}

async function mail(deps: Deps, channel: Extract<Channel, { type: 'mail' }>, sending: Sending): Promise<void> {
  const { user, at, name } = sending;
  const address = emailOf(deps.config, user);
  if (address === undefined) return;
  const key = { holdId: 'digest', channel: name, recipient: user, message: at };
  if ((await deps.store.deliveries.begin(key)).state !== 'sending') return;
  const { subject, text, page } = digestMail(digestOf(deps, sending));
  const id = `digest.${at.replaceAll(/[^0-9TZ]/g, '')}.${shortHash(address)}`;
  const words = `${text}\n\n${noReplies}`;
  const one = { from: channel.from, to: address, subject, text: words, html: mailHtmlOf(page, null), id, thread: [] };
  await sendMail(channel.server, one, createEgress(deps.config.egress));
  await deps.store.deliveries.sent(key);
}
