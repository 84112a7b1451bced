// Who works on a question, and one's own vote. A claim is a courtesy: it locks no one out and stops no ladder.
import { z } from 'zod';
import type { AmendCommand } from '../../../contract/holds/decision.ts';
import { HoldViewSchema } from '../../../contract/holds/hold.ts';
import { HoldpointError } from '../../../core/base/errors.ts';
import { isOperator, mayDecide } from '../../../core/policy/audience.ts';
import type { HoldRow } from '../../../store/store.ts';
import { route, type ApiApp } from '../../http/route.ts';
import type { ApiContext } from '../../api-context.ts';
import { amendHold, findOpenHold } from '../../holds/amend-hold.ts';
import { IdParamsSchema } from '../../http/query-params.ts';
import { readHoldView } from './holds.ts';

const ClaimBodySchema = z
  .object({
    /** Also when another person works on it. */
    takeOver: z.boolean().optional(),
  })
  .nullish();

export function claimRoutes(app: ApiApp, api: Pick<ApiContext, 'config' | 'now' | 'store' | 'tasks'>): void {
  app.post(
    '/api/holds/:id/claim',
    route('caller', 'holds', {
      summary: 'Say that one works on a question',
      description: 'Somebody else’s claim stays, unless `takeOver` is true; the answer says who has it.',
      params: IdParamsSchema,
      body: ClaimBodySchema,
      response: { 200: HoldViewSchema },
    }),
    async ({ params, body, principal }) => {
      const hold = await findOpenHold(api, params.id, principal);
      if (!mayDecide(hold, principal, hold.owner)) {
        throw new HoldpointError('not_allowed_to_decide', 'only who may decide a question can work on it');
      }
      const isFree = hold.claim === null || hold.claim.by === principal.id;
      if (!isFree && body?.takeOver !== true) return readHoldView(api, hold, principal);
      const claim = { by: principal.id, at: api.now().toISOString() };
      return readHoldView(api, (await api.store.holds.claim(hold.holdId, claim)) ?? hold, principal);
    },
  );

  app.post(
    '/api/holds/:id/release',
    route('caller', 'holds', {
      summary: 'Release a question: one’s own claim, or as an operator any',
      params: IdParamsSchema,
      response: { 200: HoldViewSchema },
    }),
    async ({ params, principal }) => {
      const hold = await findOpenHold(api, params.id, principal);
      const only = isOperator(principal) ? undefined : principal.id;
      return readHoldView(api, (await api.store.holds.claim(hold.holdId, null, only)) ?? hold, principal);
    },
  );

  app.post(
    '/api/holds/:id/undo',
    route('caller', 'holds', {
      summary: 'Take back a decision, as long as it has not been sent',
      description:
        'Where the policy of the question has a `grace`: by the person who gave the decision, operators, and those the question escalates to. The question is open again as it was, and the next decision of that person is sent at once. Once it has been sent: `hold_closed`. The same again changes nothing.',
      params: IdParamsSchema,
      response: { 200: HoldViewSchema },
    }),
    async ({ params, principal }) => {
      const hold = await findOpenHold(api, params.id, principal);
      const receivedAt = api.now().toISOString();
      const source: AmendCommand = { kind: 'undo', hold: hold.holdId, principal, receivedAt };
      return readHoldView(api, await amendHold(api, hold, source, (row) => !row.outgoing), principal);
    },
  );

  app.delete(
    '/api/holds/:id/vote',
    route('caller', 'holds', {
      summary: 'Take back one’s own vote, as long as others are missing',
      params: IdParamsSchema,
      response: { 200: HoldViewSchema },
    }),
    async ({ params, principal }) => {
      const hold = await findOpenHold(api, params.id, principal);
      const receivedAt = api.now().toISOString();
      const source: AmendCommand = { kind: 'withdraw-vote', hold: hold.holdId, principal, receivedAt };
      const isWithdrawn = (row: HoldRow): boolean => row.votes.every((vote) => vote.by !== principal.id);
      return readHoldView(api, await amendHold(api, hold, source, isWithdrawn), principal);
    },
  );
}
