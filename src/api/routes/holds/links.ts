// `/decide/:token`: a link from a message. GET shows, POST decides, once, for the person it was sent to alone.
import { isOpenAt, isTimeUp } from '../../../core/answers/time-up.ts';
import { hasEnded } from '../../../contract/holds/hold-names.ts';
import { utcTime } from '../../../core/base/utc-time.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { plainText } from '../../../contract/base/text-schemas.ts';
import type { Principal } from '../../../contract/base/principal.ts';
import { problems } from '../../../contract/base/problem.ts';
import { mayDecide } from '../../../core/policy/audience.ts';
import { StandfastError } from '../../../core/base/errors.ts';
import { holdUrl } from '../../../core/base/page-url.ts';
import { votesNextTo } from '../../../core/consent/stage.ts';
import { sayingOf, yesOf } from '../../../core/consent/verdict.ts';
import { needsVotes } from '../../../core/policy/ladder.ts';
import { decisionText, isLinkable, isShownWhole, offersDecideLinks } from '../../../core/questions/link-page.ts';
import {
  agentTitle,
  endWords,
  type ShownText,
  statedText,
  textsBeyond,
} from '../../../core/questions/shown-question.ts';
import { linkHash } from '../../../host/secrets/tokens.ts';
import type { LinkRow } from '../../../store/ports/access.ts';
import type { HoldRow } from '../../../store/store.ts';
import { route, type ApiApp } from '../../http/route.ts';
import type { ApiContext } from '../../api-context.ts';
import { principalOfUser } from '../../auth/user-principal.ts';
import { argFields } from '../../../core/questions/arg-fields.ts';
import { linkPagePolicy, type LinkAbout, questionPage, messagePage } from './link-page.ts';
import { decide } from '../../holds/decide.ts';
import { z } from 'zod';
import { findHold } from '../../holds/find-hold.ts';
import { readShownTexts } from '../../holds/hold-artifacts.ts';
import { IdParamsSchema } from '../../http/query-params.ts';
import type { PolicyReads, PolicyTimes, WithClock, WithConfig, WithUrl } from '../../api-parts.ts';

interface Claimed {
  link: LinkRow;
  hold: HoldRow;
  principal: Principal;
  /** What the agent wrote before it asked; null: there is more than text, or it cannot be read. */
  texts: ShownText[] | null;
}

const maxFormBytes = 1_000;

async function claimed(
  api: Pick<ApiContext, 'config' | 'links' | 'now' | 'store'>,
  token: string,
): Promise<Claimed | string> {
  const { links, store } = api;
  const link = links === null || !offersDecideLinks(api.config) ? null : await store.links.get(linkHash(token));
  // A row alone proves nothing: a writer to the database has no key.
  if (link === null || link.revokedAt !== null || links?.isTokenOf(token, link) !== true)
    return 'This link is not one of Standfast’s, was revoked, or was cut on its way. Open the question from your inbox.';
  const hold = await store.holds.get(link.holdId);
  const principal = principalOfUser(api, link.user);
  if (hold === null || principal === null) return 'What this link was about is not here any more.';
  return { link, hold, principal, texts: isShownWhole(hold) ? await readShownTexts(api, hold) : null };
}

const elsewhere =
  'There is more to this question than this page shows. Read all of it on its own page, and decide there.';

/** Why a link decides nothing (any more), or null. */
function whyNot({ link, hold, texts }: Claimed, { config, now }: PolicyTimes): string | null {
  const end = endWords(config.users, hold);
  if (end !== null) return `${end}.`;
  if (isTimeUp(hold, now().toISOString())) return 'The time to decide is over.';
  if (link.usedAt !== null) return 'This link was used already; it works once.';
  if (now().toISOString() > link.expiresAt) return 'The time to decide is over.';
  if (link.digest !== hold.digest) return 'The question has changed since this message was sent; nothing was decided.';
  if (!isLinkable(hold)) return 'This question is decided on its own page only.';
  return texts === null ? elsewhere : null;
}

/** A forwarded link does not act for its addressee: where another person is signed in, it decides nothing. */
async function whoElse(
  { sessions }: Pick<ApiContext, 'sessions'>,
  request: FastifyRequest,
  user: string,
): Promise<string | null> {
  const session = await sessions.find(request.cookies);
  return session === null || session.principal.id === user ? null : session.principal.id;
}

const otherPage = (other: string, link: string): string =>
  messagePage(
    'This link was sent to somebody else',
    `You are signed in as ${other}. Where you are asked too, decide on the question’s own page.`,
    link,
  );

/** What either button does. A vote can be taken back on the question's own page; a no is the last word at once. */
function meansOf({ canRefuse, plan }: HoldRow): string {
  const no = canRefuse ? 'Rejecting tells the agent no; it goes on.' : 'Rejecting cancels the task.';
  if (!needsVotes(plan) && plan.graceMs) return `${no} Either can be taken back for a moment, on the question’s page.`;
  if (!needsVotes(plan)) return `${no} Either is final.`;
  return `Approving is one vote of ${plan.quorum} needed; until the last one it can be withdrawn on the question’s page. One rejection decides, and is final. ${no}`;
}

type TokenRequest = FastifyRequest<{ Params: { token: string } }>;

export function linkRoutes(app: ApiApp, api: ApiContext): void {
  void app.register(async (scope) => {
    // The form of the page; nothing else of this app takes forms.
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxFormBytes },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    const options = { config: { access: 'public' as const }, schema: { hide: true } };
    scope.get('/decide/:token', options, (request: TokenRequest, reply) => show(api, request, reply));
    scope.post('/decide/:token', options, (request: TokenRequest, reply) => press(api, request, reply));
  });
}

const linkOf = ({ publicUrl }: WithUrl, hold: HoldRow): string => holdUrl(publicUrl, hold.holdId);

const titleOf = ({ config }: WithConfig, { agent }: HoldRow): string => agentTitle(config.agents, agent);

const units = [
  ['day', 1_440],
  ['hour', 60],
  ['minute', 1],
] as const;

/** With the time that is left, or over: the page knows no clock of its reader's. */
function deadlineOf({ expiresAt }: Claimed['link'], { now }: WithClock): string {
  const minutes = (Date.parse(expiresAt) - now().getTime()) / 60_000;
  const [unit, size] = units.find(([, most]) => Math.abs(minutes) >= 2 * most) ?? ['minute', 1];
  return `${utcTime(expiresAt)} (${new Intl.RelativeTimeFormat('en').format(Math.trunc(minutes / size), unit)})`;
}

const aboutOf = (api: PolicyTimes, { hold, link }: Claimed): LinkAbout => ({
  title: hold.question.title,
  agent: titleOf(api, hold),
  deadline: isOpenAt(hold, api.now().toISOString()) ? deadlineOf(link, api) : null,
});

const sendPage = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply
    .code(status)
    .header('content-security-policy', linkPagePolicy)
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(text);

/** What the link of this request is about, or the page that says why its reader gets nothing of it. */
async function opened(api: ApiContext, request: TokenRequest): Promise<Claimed | { status: number; page: string }> {
  const found = await claimed(api, request.params.token);
  if (typeof found === 'string') return { status: 404, page: messagePage('Nothing to decide here', found, null) };
  const other = await whoElse(api, request, found.link.user);
  return other === null ? found : { status: 403, page: otherPage(other, linkOf(api, found.hold)) };
}

async function show(api: ApiContext, request: TokenRequest, reply: FastifyReply): Promise<FastifyReply> {
  const found = await opened(api, request);
  if ('page' in found) return sendPage(reply, found.status, found.page);
  const { hold, link, principal } = found;
  // Who is no longer asked may not read it any more, by a link or by a key.
  const isAsked = mayDecide(hold, principal, hold.owner);
  const reason = whyNot(found, api) ?? (isAsked ? null : 'Others are asked this by now, and you are not.');
  if (reason !== null) {
    const heading = reason === elsewhere ? 'Decide on the question’s own page' : 'Nothing to decide any more';
    return sendPage(reply, 200, messagePage(heading, reason, linkOf(api, hold), isAsked ? aboutOf(api, found) : null));
  }
  if (votesNextTo(hold).some((vote) => vote.by === found.principal.id)) {
    const text = 'It can be withdrawn on the question’s page until the last one has come.';
    return sendPage(reply, 200, messagePage('Your vote counts already', text, linkOf(api, hold), aboutOf(api, found)));
  }
  const { question } = hold;
  const isCall = question.kind === 'tool_call';
  return sendPage(
    reply,
    200,
    questionPage({
      title: question.title,
      message: question.message,
      agent: titleOf(api, hold),
      user: link.user,
      deadline: deadlineOf(link, api),
      yes: isCall ? 'Approve the call' : 'Approve',
      no: 'Reject',
      means: meansOf(hold),
      link: linkOf(api, hold),
      args: isCall ? argFields(question.tool?.args ?? {}) : [],
      tool: question.tool?.name ?? null,
      texts: textsBeyond(question.message, found.texts ?? []),
      stated: statedText(question, titleOf(api, hold)),
      asked: decisionText(question),
    }),
  );
}

async function press(api: ApiContext, request: TokenRequest, reply: FastifyReply): Promise<FastifyReply> {
  const found = await opened(api, request);
  if ('page' in found) return sendPage(reply, found.status, found.page);
  const { hold, principal, link } = found;
  const about = mayDecide(hold, principal, hold.owner) ? aboutOf(api, found) : null;
  const page = (status: number, heading: string, text: string): FastifyReply =>
    sendPage(reply, status, messagePage(heading, text, linkOf(api, hold), about));
  const reason = whyNot(found, api);
  if (reason !== null) return page(409, 'Nothing was decided', reason);
  const chosen = request.body instanceof URLSearchParams ? request.body.get('decision') : null;
  const yes = yesOf(hold.question);
  const values = chosen === 'yes' ? yes : sayingOf(hold.question, false);
  if ((chosen !== 'yes' && chosen !== 'no') || yes === null || values === null) {
    return page(400, 'Nothing was decided', 'Choose one of the two buttons.');
  }
  // First, so that of two presses at once one decides; a press that decided nothing leaves it unused.
  if (!(await api.store.links.use(link.hash))) return page(409, 'Nothing was decided', 'This link was used already.');
  try {
    const { hold: now } = await decide(
      api,
      hold,
      { status: 'resolved', values, digest: link.digest },
      principal,
      'link',
    );
    const text = now.outgoing
      ? `It is sent to the agent at ${utcTime(now.outgoing.at)}; until then you can take it back on the question’s page.`
      : !hasEnded(now.status)
        ? `Your answer counts: ${now.votes.have} of ${now.votes.need} needed. Until the last one it can be withdrawn on the question’s page.`
        : `Recorded: ${chosen === 'yes' ? 'approved' : 'rejected'}. The agent has it.`;
    return page(200, 'Recorded', text);
  } catch (error) {
    await api.store.links.release(link.hash);
    if (!(error instanceof StandfastError)) throw error;
    return page(problems[error.code].http ?? 409, 'Nothing was decided', error.message);
  }
}

// Takes back links that were sent: their holders then decide on the question's page, or not at all.
const QuerySchema = z.object({ user: plainText(200).optional().describe('only those sent to this user') });
const RevokedSchema = z.object({ revoked: z.int() }).meta({ id: 'RevokedLinks' });

export function linkRevocationRoutes(app: ApiApp, api: PolicyReads): void {
  app.delete(
    '/api/holds/:id/links',
    route('operator', 'holds', {
      summary: 'Take back the links by which a question could be decided',
      params: IdParamsSchema,
      querystring: QuerySchema,
      response: { 200: RevokedSchema },
    }),
    async ({ params, query, principal }) => {
      const { holdId } = await findHold(api, params.id, principal);
      return { revoked: await api.store.links.revoke(holdId, query.user ?? null) };
    },
  );
}
