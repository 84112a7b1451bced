import { acts } from '../../../contract/acts/act-names.ts';
import { editedArgsField } from '../../../contract/holds/answer-names.ts';
import { DecisionBodySchema, type DecisionBody } from '../../../contract/holds/decision.ts';
import { StandfastError } from '../../../core/base/errors.ts';
import { inParallel } from '../../../host/process/repeating.ts';
import { decide, DecisionReplySchema } from '../../holds/decide.ts';
import { route, type ApiApp } from '../../http/route.ts';
import type { ApiContext } from '../../api-context.ts';
import { wordsOf } from '../../acts/acting.ts';
import { pageSourceOf } from '../../auth/same-origin.ts';
import { findHold } from '../../holds/find-hold.ts';
import { whyNotOfMany } from '../../holds/plain-answer.ts';
import { IdParamsSchema } from '../../http/query-params.ts';
import type { z } from 'zod';
import { BulkBodySchema, BulkReplySchema, type BulkReply } from '../../../contract/views/inbox.ts';
import type { Principal } from '../../../contract/base/principal.ts';
import { problemOf } from '../../http/problems.ts';

export function decisionRoutes(app: ApiApp, api: ApiContext): void {
  app.post(
    acts.answer.one.path,
    route('caller', 'holds', {
      ...wordsOf('answer'),
      params: IdParamsSchema,
      body: DecisionBodySchema,
      response: { 200: DecisionReplySchema },
    }),
    async (request) => {
      const { params, body, principal } = request;
      try {
        const hold = await findHold(api, params.id, principal);
        const reply = await decide(api, hold, body, principal, pageSourceOf(request, api.publicUrl) ?? 'rest');
        api.metrics.decisions.inc({ result: 'taken' });
        return reply;
      } catch (error) {
        api.metrics.decisions.inc({ result: error instanceof StandfastError ? error.code : 'internal' });
        throw error;
      }
    },
  );
}

// Many small answers at once: each named, each with the digest of what was on screen, each with a result of its own.
type Asked = z.infer<typeof BulkBodySchema>['decisions'][number];
type Result = BulkReply['results'][number];

const atOnce = 4;

const bodyOf = ({ status, values, reason, digest, planDigest }: Asked): DecisionBody =>
  status === 'resolved'
    ? { status, values: values ?? {}, digest, planDigest }
    : { status, digest, planDigest, ...(reason === undefined ? {} : { reason }) };

export function bulkRoutes(app: ApiApp, api: ApiContext): void {
  async function decideOne(asked: Asked, principal: Principal): Promise<Result> {
    const { id } = asked;
    try {
      const hold = await findHold(api, id, principal);
      const isEdited = asked.values?.[editedArgsField] !== undefined;
      const reason = isEdited ? 'edited arguments are sent alone' : whyNotOfMany(hold);
      if (reason !== null) throw new StandfastError('bulk_not_allowed', reason);
      const { hold: now } = await decide(api, hold, bodyOf(asked), principal, 'bulk');
      const { have, need } = now.votes;
      return { id, ok: true, status: now.status, votes: { have, need }, code: null, detail: null };
    } catch (error) {
      const { code, detail } = problemOf(error);
      if (code === 'internal') api.log.error({ err: error, holdId: id }, 'a decision of many failed');
      return { id, ok: false, status: null, votes: null, code, detail };
    }
  }

  app.post(
    '/api/holds/decisions',
    route('caller', 'holds', {
      summary: 'Decide several yes/no questions, each for itself',
      description:
        'Confirmations and unedited tool calls alone, never authorisations, forms, or what a policy calls dangerous (`bulk_not_allowed`). Each names the `digest` and the `planDigest` of the question as it was shown: under another policy, deadline or audience it is `changed_meanwhile` and not decided. At most 50; the results come in the order asked.',
      body: BulkBodySchema,
      response: { 200: BulkReplySchema },
    }),
    async ({ body, principal }) => {
      const results = await inParallel(body.decisions, atOnce, (asked) => decideOne(asked, principal));
      for (const { ok, code } of results) api.metrics.decisions.inc({ result: ok ? 'taken' : (code ?? 'internal') });
      return { results };
    },
  );
}
