// Delivers one event of one hold to one channel. Temporal retries; deliveries are recorded, so no retry repeats what was
// confirmed. Webhooks have no record: their receivers recognise a repeat by its id.
import { isOpenAt } from '../../core/answers/time-up.ts';
import { Context } from '@temporalio/activity';
import type { Channel } from '../../contract/configuration/channels.ts';
import { noticeEvents, noticeKinds } from '../../contract/configuration/notice-names.ts';
import type { NoticeInput } from '../../contract/tasks/activity.ts';
import { decideWords, mailHtmlOf, noReplies } from '../../core/questions/mail-html.ts';
import { mailNoticeOf, type MailNotice, noticeOf, type NoticeValues } from '../../core/questions/notice.ts';
import { noticePayload, noticeValues } from '../../core/questions/notice-values.ts';
import { askerChannel } from '../../core/questions/ask.ts';
import { isLinkable, isShownWhole } from '../../core/questions/link-page.ts';
import { pageUrl } from '../../core/base/page-url.ts';
import { type Egress, createEgress } from '../../host/net/egress.ts';
import { sendSlack, sendTeams, sendWebhook, NoticeError, sendMail } from '../../host/net/notice-channels.ts';
import { shortHash } from '../../host/secrets/hash.ts';
import { linkHash } from '../../host/secrets/tokens.ts';
import type { DeliveryKey } from '../../store/ports/deliveries.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ActivityDeps } from '../deps.ts';
import { reportToAsker } from './report-to-asker.ts';
import { deliverToSurface } from './deliver-to-surface.ts';
import { noteNoticeLevel, noteNoticeMissed } from './notice-level.ts';
import { putOnDigest } from './digest-queue.ts';
import { isLastAttempt } from './last-attempt.ts';
import { noticeFailure, OutOfHoursError, waitForHours, worstOf } from './notice-failures.ts';
import { concernsNone, emailOf, isCall, isOver, peopleFor, wants } from './notice-people.ts';
import { isSurface, outletOf, type SurfaceChannel } from './outlets.ts';
import { pushPeople } from './push-people.ts';
import type { WithConfig } from '../dep-parts.ts';

type Deps = Pick<
  ActivityDeps,
  'config' | 'store' | 'engine' | 'links' | 'log' | 'metrics' | 'now' | 'prover' | 'publicUrl' | 'signer' | 'windowsOf'
>;

export type DeliverNoticeInput = NoticeInput & { channel: string };

export async function deliverNotice(deps: Deps, input: DeliverNoticeInput): Promise<void> {
  const row = await deps.store.holds.get(input.holdId);
  if (row === null) return;
  if (input.channel === askerChannel) return sendCounted(deps, input, row, () => reportToAsker(deps, row));
  const channel = deps.config.notifications.channels[input.channel];
  // The channel was removed from the configuration, or does not want this event.
  if (channel === undefined) return;
  if (isSurface(channel)) return sendCounted(deps, input, row, () => deliverOnSurface(deps, channel, { input, row }));
  if (!channel.on.includes(input.event)) return;
  // People are not notified of a question that has ended in the meantime; programs get every event.
  const needsOpen = channel.type !== 'webhook' && !isOver(input.event);
  if (needsOpen && !isOpenAt(row, deps.now().toISOString())) return;
  const people = peopleFor(deps.config, input, row, deps.now());
  if (needsOpen && concernsNone(deps.config, input.channel, row, people)) return;
  const { cancellationSignal } = Context.current();
  await sendCounted(deps, input, row, () => deliver(deps, channel, { input, row, people }, cancellationSignal));
}

/** Every event updates sent messages, even if `on` does not name it. */
async function deliverOnSurface(
  deps: Deps,
  channel: SurfaceChannel,
  { input, row }: Omit<NoticeTarget, 'people'>,
): Promise<void> {
  const others = channel.type === 'push' ? await pushPeople(deps) : [];
  const people = channel.on.includes(input.event) ? peopleFor(deps.config, input, row, deps.now(), others) : [];
  const isForNone = concernsNone(deps.config, input.channel, row, people);
  await deliverToSurface(deps, await outletOf(deps, input.channel, channel), {
    input,
    row,
    people: isForNone ? [] : people,
  });
}

/**
 * Counted as sent once nothing is left to send, also where nothing was. A failure goes to Temporal, which tries again unless
 * the receiver refuses for good.
 */
async function sendCounted(
  deps: Pick<Deps, 'log' | 'metrics' | 'config' | 'windowsOf' | 'now'>,
  input: DeliverNoticeInput,
  row: HoldRow,
  send: () => Promise<void>,
): Promise<void> {
  try {
    await send();
    deps.metrics.notices.inc({ channel: input.channel, result: 'sent' });
  } catch (error) {
    if (!(error instanceof NoticeError)) throw error;
    const { isFinal, retryAfterMs, message } = error;
    if (error instanceof OutOfHoursError) throw noticeFailure(input.channel, error);
    const isGivenUp = isFinal || isLastAttempt(Context.current().info, retryAfterMs, deps.now());
    deps.metrics.notices.inc({ channel: input.channel, result: isGivenUp ? 'given_up' : 'failed' });
    if (isGivenUp) noteNoticeMissed(deps, { input, row });
    const details = {
      channel: input.channel,
      event: input.event,
      holdId: input.holdId,
      taskId: row.taskId,
      why: message,
    };
    if (isGivenUp) deps.log.error(details, 'a notice was given up: it will not be sent');
    else deps.log.warn(details, 'a notice was not sent; it is tried again');
    throw noticeFailure(input.channel, error);
  }
}

interface NoticeTarget {
  input: DeliverNoticeInput;
  row: HoldRow;
  /** Users it is for. */
  people: string[];
}

async function deliver(
  deps: Deps,
  channel: Exclude<Channel, SurfaceChannel>,
  telling: NoticeTarget,
  signal: AbortSignal,
): Promise<void> {
  const { input, row } = telling;
  const values = noticeValues(deps.config, deps.publicUrl, row, input);
  const by = noticeKinds[input.event].isByPerson === true ? `.${shortHash(input.cause?.by ?? '')}` : '';
  const messageKey = `${input.event}.${input.k}${by}`;
  const id = `${row.holdId}.${messageKey}`;
  const key = { holdId: row.holdId, channel: input.channel, recipient: '', message: messageKey };
  const sending = { egress: createEgress(deps.config.egress), signal };
  switch (channel.type) {
    case 'slack':
      return sendUnlessSent(deps, telling, key, () => sendSlack(channel.url, noticeOf(values, channel).text, sending));
    case 'teams':
      return sendUnlessSent(deps, telling, key, () =>
        sendTeams(channel.url, { text: noticeOf(values, channel).text, link: values.link }, sending),
      );
    case 'webhook':
      // Receivers recognise a repeat by its id, so Standfast keeps no record.
      await sendWebhook(channel, webhookMessage(deps, channel, values, { row, id: `msg_${id}` }), sending);
      return noteNoticeLevel(deps, telling, null);
    case 'mail':
      return mailAll(deps, channel, {
        ...telling,
        messageKey,
        notice: mailNoticeOf(values, channel),
        bare: mailNoticeOf(values, { show: [] }),
        egress: sending.egress,
      });
    default:
      return channel satisfies never;
  }
}

function webhookMessage(
  { publicUrl, now }: Deps,
  channel: Extract<Channel, { type: 'webhook' }>,
  values: NoticeValues,
  { row, id }: { row: HoldRow; id: string },
): Parameters<typeof sendWebhook>[1] {
  const contentType = channel.format === 'cloudevents' ? 'application/cloudevents+json' : 'application/json';
  return { id, at: now(), contentType, payload: noticePayload(channel, { id, source: publicUrl }, values, row) };
}

/** Sends the message unless it was sent; one that was begun and not confirmed is sent again. */
async function sendUnlessSent(
  deps: Deps,
  telling: NoticeTarget,
  key: DeliveryKey,
  send: () => Promise<void>,
): Promise<void> {
  const { deliveries } = deps.store;
  if ((await deliveries.begin(key)).state !== 'sending') return;
  await send();
  await deliveries.sent(key);
  noteNoticeLevel(deps, telling, key.recipient === '' ? null : key.recipient);
}

interface Mailing extends NoticeTarget {
  /** Names the event among those of its hold. */
  messageKey: string;
  notice: MailNotice;
  /** Without contents, for who may not see the question any more. */
  bare: MailNotice;
  egress: Egress;
}

/**
 * One mail an address of `to`, or else a person, unless a list of theirs takes it: it does not name the others who are asked,
 * and its link is for one person only.
 */
async function mailAll(deps: Deps, channel: Extract<Channel, { type: 'mail' }>, mailing: Mailing): Promise<void> {
  const { messageKey, input, row, notice, egress } = mailing;
  const replaced = channel.to === undefined && isOver(input.event) ? await calledAndReplaced(deps, mailing) : [];
  const addressed =
    channel.to?.map((address) => ({ user: null, address })) ?? addressesOf(deps, [...mailing.people, ...replaced]);
  if (addressed.length === 0)
    deps.log.warn({ channel: input.channel, holdId: row.holdId }, 'no one who is asked has a mail address');
  const earlier = await mailsBefore(deps, mailing);
  const failures: unknown[] = [];
  for (const { user, address } of addressed) {
    const addressHash = shortHash(address);
    const key = { holdId: row.holdId, channel: input.channel, recipient: user ?? addressHash, message: messageKey };
    if (user !== null && (await putOnDigest(deps, mailing, key))) continue;
    const link =
      user === null || !channel.decideLinks || !isCall(input.event) ? null : await issueDecideLink(deps, row, user);
    const { subject, text: words, page } = user !== null && replaced.includes(user) ? mailing.bare : notice;
    const thread = earlier
      .filter(({ recipient }) => recipient === key.recipient)
      .map((one) => mailId(one, addressHash));
    const mail = {
      from: channel.from,
      to: address,
      // Mail programs keep a thread together by its subject as well.
      subject: thread.length > 0 && channel.template?.subject === undefined ? `Re: ${subject}` : subject,
      text: [words, ...(link === null ? [] : [`${linkWords}\n${link}`]), noReplies].join('\n\n'),
      html: mailHtmlOf(page, link),
      id: mailId(key, addressHash),
      thread,
    };
    // One refused address does not stop the other mails.
    const send = async (): Promise<void> => {
      waitForHours(deps, user);
      await sendMail(channel.server, mail, egress);
    };
    await sendUnlessSent(deps, mailing, key, send).catch((error: unknown) => void failures.push(error));
  }
  if (failures.length > 0) throw worstOf(failures);
}

const linkWords = `${decideWords}:`;

const mailId = ({ holdId, message }: Pick<DeliveryKey, 'holdId' | 'message'>, addressHash: string): string =>
  `${holdId}.${message}.${addressHash}`;

/** Earlier mails about this question, and about the one that it asks again. */
async function mailsBefore({ store }: Deps, { row, input, messageKey }: Mailing): Promise<DeliveryKey[]> {
  const holds = row.supersedes === null ? [row.holdId] : [row.supersedes, row.holdId];
  const sent = await Promise.all(holds.map((holdId) => store.deliveries.ofChannel(holdId, input.channel)));
  return sent
    .flat()
    .filter(
      (one) =>
        one.state !== 'sending' &&
        !one.message.startsWith('digest.') &&
        !(one.holdId === row.holdId && one.message === messageKey),
    );
}

/** Users who were called by this channel and are asked no more, as others took their place: they are notified of the end. */
async function calledAndReplaced({ store, config }: Deps, { row, input, people }: Mailing): Promise<string[]> {
  const sent = await store.deliveries.ofChannel(row.holdId, input.channel);
  const calls = noticeEvents.filter(isCall);
  const called = sent.filter(({ message }) =>
    calls.some((event) => message.replace(/^digest\./, '').startsWith(`${event}.`)),
  );
  // `people` are those who chose this event: another is not in it, replaced or not.
  return [...new Set(called.map(({ recipient }) => recipient))].filter(
    (user) => wants(config, user, input.event) && !people.includes(user),
  );
}

function addressesOf({ config }: WithConfig, people: string[]): { user: string; address: string }[] {
  return people.flatMap((user) => {
    const address = emailOf(config, user);
    return address === undefined ? [] : [{ user, address }];
  });
}

/** Only if its page would offer to decide: a yes or a no is the whole answer, nothing is dangerous, and the page shows all of it. */
async function issueDecideLink({ store, links, publicUrl }: Deps, row: HoldRow, user: string): Promise<string | null> {
  const { holdId, digest, expiresAt } = row;
  if (links === null || expiresAt === null || !isLinkable(row) || !isShownWhole(row)) return null;
  const claim = { holdId, digest, user, expiresAt };
  const token = links.tokenOf(claim);
  const link = await store.links.issue({ ...claim, hash: linkHash(token) });
  return link.usedAt !== null || link.revokedAt !== null ? null : pageUrl(publicUrl, `/decide/${token}`);
}
