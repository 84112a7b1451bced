// What a person has typed and not sent: seen by them alone, in each of their browsers, without the fields that hold secrets.
import { z } from 'zod';
import type { JsonObject } from '../../../contract/base/json.ts';
import { StandfastError } from '../../../core/base/errors.ts';
import { findOpenHold } from '../../holds/find-hold.ts';
import { route, type ApiApp } from '../../http/route.ts';
import { IdParamsSchema } from '../../http/query-params.ts';
import type { PolicyActs } from '../../api-parts.ts';

const maxDraftBytes = 256 * 1024;

const DraftBodySchema = z.object({ values: z.record(z.string(), z.unknown()) }).meta({ id: 'DraftBody' });
const DraftSchema = z.object({ values: z.record(z.string(), z.unknown()), savedAt: z.string() }).meta({ id: 'Draft' });

export function draftRoutes(app: ApiApp, api: PolicyActs): void {
  app.put(
    '/api/holds/:id/draft',
    {
      ...route('caller', 'holds', {
        summary: 'Keep one’s unsent answer; empty values remove it',
        params: IdParamsSchema,
        body: DraftBodySchema,
        response: { 200: DraftSchema },
      }),
      bodyLimit: maxDraftBytes,
    },
    async ({ params, body, principal }) => {
      const hold = await findOpenHold(api, params.id, principal);
      if (principal.kind === 'agent') {
        throw new StandfastError('not_allowed_to_decide', 'an agent’s key decides nothing, and so drafts nothing');
      }
      const { holdId, question } = hold;
      // Safe: it came as JSON.
      const given = Object.entries(body.values as JsonObject);
      const values = Object.fromEntries(given.filter(([name]) => !question.secrets.includes(name)));
      if (given.length === 0) {
        await api.store.drafts.remove(holdId, principal.id);
        return { values: {}, savedAt: api.now().toISOString() };
      }
      const draft = await api.store.drafts.put({ holdId, principal: principal.id, values });
      return { values: draft.values, savedAt: draft.savedAt };
    },
  );
}
