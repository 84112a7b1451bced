import { z } from 'zod';
import { DecisionBodySchema } from '../../../contract/holds/decision.ts';
import { StandfastError } from '../../../core/base/errors.ts';
import type { ApiContext } from '../../api-context.ts';
import { checkValues } from '../../holds/check-values.ts';
import { entryOf } from '../../holds/decide.ts';
import { findHold } from '../../holds/find-hold.ts';
import { refuseAltered } from '../../holds/refuse-altered.ts';
import { askToSign } from '../../holds/sign-answer.ts';
import { route, type ApiApp } from '../../http/route.ts';
import { IdParamsSchema } from '../../http/query-params.ts';

export function signingRoutes(app: ApiApp, api: ApiContext): void {
  app.post(
    '/api/holds/:id/signing',
    route('caller', 'holds', {
      summary: 'What your passkey is to sign for this answer: options for `navigator.credentials.get`',
      description:
        'For a question whose `sign` is `passkey`. Decide with the same body and the assertion in `passkey`, within five minutes.',
      params: IdParamsSchema,
      body: DecisionBodySchema,
      response: { 200: z.object({ options: z.record(z.string(), z.unknown()) }).meta({ id: 'Signing' }) },
    }),
    async ({ params, body, principal }) => {
      const hold = await findHold(api, params.id, principal);
      if (hold.plan.sign === undefined)
        throw new StandfastError('input_invalid', `the policy of ${params.id} asks for no signature`);
      if (hold.status !== 'open') throw new StandfastError('hold_closed', `${hold.interruptId} was ${hold.status}`);
      await refuseAltered(api, hold);
      const entry = await entryOf(api, hold, body);
      await checkValues(api, hold, entry);
      return { options: { ...(await askToSign(api, hold, entry, principal)) } };
    },
  );
}
