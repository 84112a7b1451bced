// Delivers one event of one hold to one channel. Temporal retries; deliveries are recorded, so no retry repeats one.
import { createHash } from 'node:crypto';
import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Channel } from '../../contract/configuration/config.ts';
import type { NoticeCause, NoticeInput } from '../../contract/tasks/activity.ts';
import { noticeOf, type Notice, type NoticeValues } from '../../core/questions/notice.ts';
import { isLinkable } from '../../core/questions/link-page.ts';
import { holdUrl, pageUrl } from '../../core/base/page-url.ts';
import { decisionLabel, verdictOf } from '../../core/answers/yes-no.ts';
import { type Egress, createEgress } from '../../host/net/egress.ts';
import { sendSlack, sendWebhook, NoticeError, sendMail } from '../../host/net/notice-channels.ts';
import { linkHash } from '../../host/secrets/tokens.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ActivityDeps } from '../deps.ts';
import { isForNobody, isOver, peopleFor } from './notice-people.ts';

type Deps = Pick<ActivityDeps, 'config' | 'store' | 'links' | 'log' | 'now' | 'publicUrl'>;

export type DeliverNoticeInput = NoticeInput & { channel: string };

export async function deliverNotice(deps: Deps, input: DeliverNoticeInput): Promise<void> {
  const channel = deps.config.notifications.channels[input.channel];
  const row = await deps.store.holds.get(input.holdId);
  // The channel was removed from the configuration, or there is nobody to notify.
  if (channel === undefined || row === null || !channel.on.includes(input.event)) return;
  // People are not notified of a question that has ended in the meantime; programs get every event.
  const isCall = channel.type !== 'webhook' && !isOver(input.event);
  if (isCall && row.status !== 'open') return;
  const people = peopleFor(deps.config, input, row, deps.now());
  if (isCall && isForNobody(deps.config, input.channel, row, people)) return;
  const { cancellationSignal } = Context.current();
  try {
    await deliver(deps, channel, { input, row, people }, cancellationSignal);
  } catch (error) {
    if (!(error instanceof NoticeError)) throw error;
    const { isFinal, retryAfterMs, message } = error;
    deps.log.warn(
      { channel: input.channel, event: input.event, holdId: input.holdId, why: message },
      'a notice did not go out',
    );
    throw ApplicationFailure.create({
      type: 'notice_failed',
      message: `${input.channel}: ${message}`,
      nonRetryable: isFinal,
      ...(retryAfterMs === null ? {} : { nextRetryDelay: retryAfterMs }),
    });
  }
}

/** Whoever gets a reassignment request may pass the question on without being asked themselves. */
const isCallToDecide = (event: NoticeInput['event']): boolean =>
  !isOver(event) && event !== 'reassign-asked' && event !== 'mentioned';

interface NoticeTarget {
  input: DeliverNoticeInput;
  row: HoldRow;
  /** Users it is for. */
  people: string[];
}

async function deliver(deps: Deps, channel: Channel, telling: NoticeTarget, signal: AbortSignal): Promise<void> {
  const { input, row } = telling;
  const values = valuesOf(deps, input, row);
  // Several people may make the same request.
  const by = input.event === 'reassign-asked' ? `.${shortHash(input.cause?.by ?? '')}` : '';
  const id = `${row.holdId}.${input.event}.${input.k}${by}`;
  const notice = noticeOf(values, channel);
  const sending = { egress: createEgress(deps.config.egress), signal };
  switch (channel.type) {
    case 'slack':
      return once(deps, `${id}.${input.channel}`, () => sendSlack(channel.url, notice.text, sending));
    case 'webhook':
      // Receivers recognise a repeat by its id, so Holdpoint keeps no record.
      return sendWebhook(
        channel,
        { id: `msg_${id}`, at: deps.now(), payload: payloadOf(channel, values, row) },
        sending,
      );
    case 'mail':
      return mailAll(deps, channel, { ...telling, id, notice, egress: sending.egress });
    default:
      return channel satisfies never;
  }
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

async function once(deps: Deps, name: string, send: () => Promise<void>): Promise<void> {
  const fact = `notice:${name}`;
  if ((await deps.store.settings.get(fact)) !== null) return;
  await send();
  await deps.store.settings.putOnce(fact, deps.now().toISOString());
}

interface Mailing extends NoticeTarget {
  id: string;
  notice: Notice;
  egress: Egress;
}

/** One mail a person: nobody learns who else is asked, and a link is for one person only. */
async function mailAll(deps: Deps, channel: Extract<Channel, { type: 'mail' }>, mailing: Mailing): Promise<void> {
  const { id, input, row, notice, egress } = mailing;
  const addressed = channel.to?.map((address) => ({ user: null, address })) ?? addressesOf(deps, mailing.people);
  if (addressed.length === 0)
    deps.log.warn({ channel: input.channel, holdId: row.holdId }, 'nobody who is asked has a mail address');
  let failure: unknown = null;
  for (const { user, address } of addressed) {
    const fingerprint = shortHash(address);
    const link =
      user === null || !channel.decideLinks || !isCallToDecide(input.event) ? null : await decideLink(deps, row, user);
    const text =
      link === null ? notice.text : `${notice.text}\n\nDecide without signing in (works once, only for you):\n${link}`;
    const mail = { from: channel.from, to: address, subject: notice.subject, text, id: `${id}.${fingerprint}` };
    // One refused address does not stop the other mails.
    await once(deps, `${id}.${input.channel}.${fingerprint}`, () => sendMail(channel.server, mail, egress)).catch(
      (error: unknown) => {
        failure = worseFailure(failure, error);
      },
    );
  }
  if (failure !== null) throw failure;
}

/** Of two failures the one that can be retried. */
function worseFailure(before: unknown, now: unknown): unknown {
  return before instanceof NoticeError && !before.isFinal ? before : now;
}

function addressesOf(
  { config: { users } }: Pick<ActivityDeps, 'config'>,
  people: string[],
): { user: string; address: string }[] {
  return people.flatMap((user) => {
    const address = Object.hasOwn(users, user) ? users[user]?.email : undefined;
    return address === undefined ? [] : [{ user, address }];
  });
}

/** Only if a yes or a no is the whole answer, and deciding is neither dangerous nor an authorisation. */
async function decideLink({ store, links, publicUrl }: Deps, row: HoldRow, user: string): Promise<string | null> {
  const { holdId, digest, expiresAt } = row;
  if (links === null || expiresAt === null || !isLinkable(row)) return null;
  const claim = { holdId, digest, user, expiresAt };
  const token = links.tokenOf(claim);
  const link = await store.links.issue({ ...claim, hash: linkHash(token) });
  return link.usedAt !== null || link.revokedAt !== null ? null : pageUrl(publicUrl, `/decide/${token}`);
}

function formatStep(row: HoldRow): string {
  const next = row.nextStep;
  if (next === null) return '';
  return `${next.do}${next.to.length === 0 ? '' : ` to ${next.to.join(', ')}`} at ${next.at}`;
}

const describeCause = ({ by, note }: NoticeCause): string => (note === null ? by : `${by}: ${note}`);

function valuesOf(deps: Deps, { event, cause }: NoticeInput, row: HoldRow): NoticeValues {
  const { question, decision } = row;
  const values = Object.entries(decision?.values ?? {}).filter(([name]) => !question.secrets.includes(name));
  const isRejected = decision !== null && verdictOf(question, decision) === 'no';
  return {
    event,
    title: question.title,
    agent: deps.config.agents[row.agent]?.title ?? row.agent,
    deadline: row.expiresAt,
    link: holdUrl(deps.publicUrl, row.holdId),
    step: formatStep(row),
    message: question.message,
    requester: row.owner,
    toolArgs: question.tool?.args ?? {},
    values: Object.fromEntries(values),
    reason: cause === undefined ? (decision?.reason ?? null) : describeCause(cause),
    ended: row.status === 'open' ? '' : `It is ${isRejected ? 'rejected' : row.status}.`,
    isAnswered: decision !== null,
    isRejected,
  };
}

function payloadOf(channel: Extract<Channel, { type: 'webhook' }>, values: NoticeValues, row: HoldRow): object {
  const shown = Object.fromEntries(channel.show.map((field) => [field, values[field]]));
  const { title, agent, deadline, link } = values;
  const decision = row.decision === null ? null : decisionLabel(row);
  return {
    type: `hold.${values.event}`,
    timestamp: row.updatedAt,
    data: { holdId: row.holdId, status: row.status, decision, title, agent, deadline, link, ...shown },
  };
}
