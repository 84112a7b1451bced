// Who waits for an answer and may not give it has those who may notified once more.
import { HoldViewSchema } from '../../../contract/holds/hold.ts';
import { HoldpointError } from '../../../core/base/errors.ts';
import { mayNudge } from '../../../core/policy/nudge.ts';
import type { ApiContext } from '../../api-context.ts';
import { findOpenHold } from '../../holds/amend-hold.ts';
import { nudge, secondsToNudge } from '../../holds/nudge-people.ts';
import { IdParamsSchema } from '../../http/query-params.ts';
import { route, type ApiApp } from '../../http/route.ts';
import { readHoldView } from './holds.ts';

export function nudgeRoutes(app: ApiApp, api: Pick<ApiContext, 'config' | 'now' | 'store' | 'tasks'>): void {
  app.post(
    '/api/holds/:id/nudge',
    route('caller', 'holds', {
      summary: 'Have the notice of a question sent again: for who waits for it and may not decide it',
      description:
        'To those who may decide it now, by the channels of the question and their own (`nudged`). Once an hour for each question; sooner it is `rate_limited`, with the seconds in `retry-after`. It is in the timeline of the task.',
      params: IdParamsSchema,
      response: { 200: HoldViewSchema },
    }),
    async ({ params, principal }, reply) => {
      const hold = await findOpenHold(api, params.id, principal);
      if (!mayNudge(hold, principal, hold.owner))
        throw new HoldpointError('forbidden', 'only people who wait for an answer and may not give it can nudge');
      const seconds = secondsToNudge(hold, api.now().getTime());
      if (seconds !== null) {
        void reply.header('retry-after', String(seconds));
        throw new HoldpointError('rate_limited', `this question was nudged within the hour; again in ${seconds} s`);
      }
      return readHoldView(api, await nudge(api, hold, principal.id), principal);
    },
  );
}
