// A later deadline for an open question, by those whom its policy allows; and one change of many questions, by operators.
import { HoldViewSchema } from '../../../contract/holds/hold.ts';
import { AmendManyBodySchema, AmendManyReplySchema, ExtendBodySchema } from '../../../contract/views/amend.ts';
import { route, type ApiApp } from '../../http/route.ts';
import type { ApiContext } from '../../api-context.ts';
import { amendMany } from '../../holds/amend-many.ts';
import { findOpenHold } from '../../holds/amend-hold.ts';
import { extendHold } from '../../holds/extend-hold.ts';
import { IdParamsSchema } from '../../http/query-params.ts';
import { aliasesOf, holdFilterOf, HoldQuerySchema } from '../../inbox/hold-query.ts';
import { readHoldView } from './holds.ts';

export function amendRoutes(app: ApiApp, api: ApiContext): void {
  app.post(
    '/api/holds/:id/extend',
    route('caller', 'holds', {
      summary: 'Move the deadline of a question to a later time',
      description:
        'For operators, and where the policy has `extend: asked` for who may decide the question. The same `until` again changes nothing; `by` counts from the present deadline, so it adds up when it is repeated.',
      params: IdParamsSchema,
      body: ExtendBodySchema,
      response: { 200: HoldViewSchema },
    }),
    async ({ params, body, principal }) => {
      const hold = await findOpenHold(api, params.id, principal);
      return readHoldView(api, await extendHold(api, hold, principal, body), principal);
    },
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
