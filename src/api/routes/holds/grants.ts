// Standing grants: calls like one that was approved are not asked about any more.
import { z } from 'zod';
import { GrantBodySchema, type GrantRow, GrantViewSchema, type GrantView } from '../../../contract/base/grant.ts';
import type { Principal } from '../../../contract/base/principal.ts';
import { StandfastError } from '../../../core/base/errors.ts';
import type { HoldRow } from '../../../store/store.ts';
import type { ApiContext } from '../../api-context.ts';
import { findHold } from '../../holds/find-hold.ts';
import { giveGrant, grantViewOf, joinGrant, mayRevoke } from '../../holds/grants.ts';
import { IdParamsSchema } from '../../http/query-params.ts';
import { route, type ApiApp } from '../../http/route.ts';

export function grantRoutes(app: ApiApp, api: Pick<ApiContext, 'config' | 'now' | 'prover' | 'store'>): void {
  const { store } = api;

  async function viewOf(grant: GrantRow, principal: Principal): Promise<GrantView> {
    return grantViewOf(api, { grant, hold: await store.holds.get(grant.hold) }, principal);
  }

  /** Only for who may end it: others do not learn that it is there. */
  async function found(id: string, principal: Principal): Promise<{ grant: GrantRow; hold: HoldRow | null }> {
    const grant = await store.grants.get(id);
    const hold = grant === null ? null : await store.holds.get(grant.hold);
    if (grant === null || !mayRevoke(grant, hold, principal))
      throw new StandfastError('not_found', `there is no grant ${id}`);
    return { grant, hold };
  }

  app.get(
    '/api/grants',
    route('caller', 'holds', {
      summary: 'Standing grants that the caller gave, may give or may end; for operators all',
      response: { 200: z.object({ items: z.array(GrantViewSchema) }) },
    }),
    async ({ principal }) => {
      const all = await Promise.all(
        (await store.grants.list()).map(async (grant) => ({ grant, hold: await store.holds.get(grant.hold) })),
      );
      const own = all.filter(({ grant, hold }) => mayRevoke(grant, hold, principal));
      return { items: own.map((one) => grantViewOf(api, one, principal)) };
    },
  );

  app.post(
    '/api/grants',
    route('caller', 'holds', {
      summary: 'Grants calls like one that was approved, as its policy allows: they are not asked about any more',
      description:
        'By who may decide such calls. `ranges`: comparisons within which arguments may differ; `sum`, `times`, `until`: at most. What is left out is as wide as the policy allows. It holds once as many persons as the policy wants have given it. The same again is the same grant.',
      body: GrantBodySchema,
      response: { 200: GrantViewSchema },
    }),
    async ({ body, principal }) => {
      const hold = await findHold(api, body.hold, principal);
      return viewOf(await giveGrant(api, hold, body, principal), principal);
    },
  );

  app.post(
    '/api/grants/:id/give',
    route('caller', 'holds', {
      summary: 'Gives a grant that needs several persons, as another one did',
      params: IdParamsSchema,
      response: { 200: GrantViewSchema },
    }),
    async ({ params, principal }) => {
      const { grant, hold } = await found(params.id, principal);
      if (hold === null) throw new StandfastError('hold_closed', 'the approval that it was made of is there no more');
      return viewOf(await joinGrant(api, grant, hold, principal), principal);
    },
  );

  app.delete(
    '/api/grants/:id',
    route('caller', 'holds', {
      summary: 'Ends a grant at once, for what is not sent yet, too',
      params: IdParamsSchema,
      response: { 200: GrantViewSchema },
    }),
    async ({ params, principal }) => {
      const { grant } = await found(params.id, principal);
      const ended = { by: principal.id, at: api.now().toISOString(), why: 'revoked' as const };
      return viewOf((await store.grants.end(grant.id, ended)) ?? grant, principal);
    },
  );
}
