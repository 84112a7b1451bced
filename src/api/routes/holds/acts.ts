// The routes of the acts on a question, of one and of many: paths, words and bodies are those of the table.
import { type ActName, actList, acts, whoWords } from '../../../contract/acts/act-names.ts';
import { type ActBody, bodyOf, AmendManyBodySchema, AmendManyReplySchema } from '../../../contract/acts/acts.ts';
import type { Principal } from '../../../contract/base/principal.ts';
import { CommentsSchema, type CommentsView, HoldViewSchema } from '../../../contract/holds/hold.ts';
import { AudienceOptionsSchema } from '../../../contract/views/inbox.ts';
import { asActedOn, mayAct } from '../../../core/acts/may.ts';
import type { HoldRow } from '../../../store/store.ts';
import type { ApiContext } from '../../api-context.ts';
import { amendMany } from '../../acts/act-many.ts';
import { type Acting, refuseAct, type Run, wordsOf } from '../../acts/acting.ts';
import { rowActs } from '../../acts/row-acts.ts';
import { workflowActs } from '../../acts/workflow-acts.ts';
import { audienceOptions } from '../../holds/assignees.ts';
import { knownNow } from '../../holds/known-people.ts';
import { findHold, findOpenHold } from '../../holds/find-hold.ts';
import { discussersOf } from '../../holds/mentions.ts';
import { readHoldView } from '../../holds/read-hold-view.ts';
import { IdParamsSchema } from '../../http/query-params.ts';
import { route, type ApiApp } from '../../http/route.ts';
import { aliasesOf, holdFilterOf, HoldQuerySchema } from '../../inbox/hold-query.ts';

/** Acts with other answers have routes of their own: decisions, and the cancelling of a task. */
type HoldAct = Exclude<ActName, 'answer' | 'cancel' | 'reapply'>;

const runs: { [N in HoldAct]: Run<ActBody<N>> } = { ...rowActs, ...workflowActs };

/** The question that an act is done to; throws what it is refused with. */
async function findActedOn(api: Acting, act: ActName, id: string, principal: Principal): Promise<HoldRow> {
  // Theirs to see no more, a question may be theirs to take back.
  const isTheirs = (row: HoldRow): boolean =>
    act === 'reassign' &&
    asActedOn(row, principal).passedOn?.by === principal.id &&
    mayAct(act, asActedOn(row, principal), principal, row.owner);
  const hold =
    act === 'comment' ? await findHold(api, id, principal) : await findOpenHold(api, id, principal, isTheirs);
  refuseAct(act, hold, principal);
  return hold;
}

async function commentsOf(api: Acting, { holdId, ...hold }: HoldRow, { id }: Principal): Promise<CommentsView> {
  const items = (await api.store.comments.ofHold(holdId)).map(({ commentId, at, by, text, mentions }) => ({
    id: commentId,
    at,
    by,
    text,
    mentions,
  }));
  return { items, people: discussersOf(api, { holdId, ...hold }, id) };
}

function actRoute(app: ApiApp, api: ApiContext, act: HoldAct): void {
  const { method, path } = acts[act].one;
  const body = bodyOf(act);
  // Safe: both are of the same act.
  const run = runs[act] as Run<unknown>;
  const isComment = act === 'comment';
  app.route({
    method,
    url: path,
    ...route('caller', 'holds', {
      ...wordsOf(act),
      params: IdParamsSchema,
      ...(body !== null && { body }),
      response: { 200: isComment ? CommentsSchema : HoldViewSchema },
    }),
    handler: async ({ params, body: given, principal }) => {
      const hold = await findActedOn(api, act, params.id, principal);
      const after = await run(api, { hold, principal, body: given });
      return isComment ? commentsOf(api, after, principal) : readHoldView(api, after, principal);
    },
  });
}

export function actRoutes(app: ApiApp, api: ApiContext): void {
  for (const { name } of actList) if (Object.hasOwn(runs, name)) actRoute(app, api, name as HoldAct);

  app.get(
    '/api/holds/:id/reassign',
    route('caller', 'holds', {
      summary: 'Whom a question could be passed on to',
      description: `For ${whoWords('reassign')}. Users and roles of the configuration who could decide it, and agents that its policy lets decide. Others may be named all the same.`,
      params: IdParamsSchema,
      response: { 200: AudienceOptionsSchema },
    }),
    async ({ params, principal }) => {
      const hold = await findActedOn(api, 'reassign', params.id, principal);
      return { items: audienceOptions(api.config, knownNow(api), hold) };
    },
  );

  app.get(
    '/api/holds/:id/comments',
    route('caller', 'holds', {
      summary: 'Comments of those who may decide a question; the agent never gets them',
      description: `For ${whoWords('comment')}.`,
      params: IdParamsSchema,
      response: { 200: CommentsSchema },
    }),
    async ({ params, principal }) =>
      commentsOf(api, await findActedOn(api, 'comment', params.id, principal), principal),
  );

  app.post(
    '/api/holds/amend',
    route('operator', 'holds', {
      summary: 'Extend, reassign, cancel or answer many open questions, or reapply their policy; for operators',
      description:
        'Of what `GET /api/holds` finds with the same query those that are open, at most 1,000. Without `set` nothing is changed, and the reply has the questions that match as a `set`: a mark by each id. Sent back with the same act, that confirms exactly these: what has changed since in its question, policy, deadline or audience, what matches only now and what matches no more is left as it is, and named as `changed_meanwhile`; a task is cancelled only if each of its questions that match was confirmed. `reapply` plans each question again as if its policy had been what it is now when the question opened: steps whose time has passed count as taken, and a question with an answer or a vote, or that would have expired, stays as it is; without `set` the reply says what would become of each, and if that changes it was not confirmed. Each question is changed as if for itself, by the rules of its policy, and its record names the caller. `answer` gives each a plain yes or no under the caller’s name, with the digest of the question: who may not decide it, a form, a secret, what a policy calls dangerous and what is to be signed with a passkey stay as they are and are named, also without `set`, where the reply has the headline of each. To answer chosen ones: `POST /api/holds/decisions`.',
      querystring: HoldQuerySchema.omit({ cursor: true, limit: true }),
      body: AmendManyBodySchema,
      response: { 200: AmendManyReplySchema },
    }),
    async ({ query, body, principal }) =>
      amendMany(api, holdFilterOf(query, principal, aliasesOf(api)), body, principal),
  );
}
