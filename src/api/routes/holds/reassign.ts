// Who is asked instead: passed on by those who may decide, and asked for by those who only see the question.
import { z } from 'zod';
import { HoldViewSchema } from '../../../contract/holds/hold.ts';
import { AudienceOptionsSchema } from '../../../contract/views/inbox.ts';
import { plainText } from '../../../contract/base/text-schemas.ts';
import { AudienceEntrySchema } from '../../../contract/configuration/policy.ts';
import type { Principal } from '../../../contract/base/principal.ts';
import { HoldpointError } from '../../../core/base/errors.ts';
import { isOperator, mayDecide } from '../../../core/policy/audience.ts';
import type { HoldRow } from '../../../store/store.ts';
import { route, type ApiApp } from '../../http/route.ts';
import type { ApiContext } from '../../api-context.ts';
import { findOpenHold } from '../../holds/amend-hold.ts';
import { audienceOptions } from '../../holds/assignees.ts';
import { moveToTakeBack, reassignHold, refuseMoving } from '../../holds/reassign-hold.ts';
import { requestReassignment } from '../../holds/reassign-request.ts';
import { IdParamsSchema } from '../../http/query-params.ts';
import { readHoldView } from './holds.ts';

const ReassignBodySchema = z
  .object({ to: z.array(AudienceEntrySchema).min(1).max(20), note: plainText(2000).optional() })
  .meta({ id: 'ReassignBody' });

const ReassignAskBodySchema = z.object({ note: plainText(500).optional() }).nullish();

async function movableHold(
  api: Pick<ApiContext, 'config' | 'store'>,
  id: string,
  principal: Principal,
): Promise<HoldRow> {
  // Theirs to see no more, it may be theirs to take back.
  const isTheirs = (row: HoldRow): boolean => moveToTakeBack(row, principal) !== null;
  const hold = await findOpenHold(api, id, principal, isTheirs);
  if (!isTheirs(hold)) refuseMoving(hold, principal);
  return hold;
}

export function reassignRoutes(app: ApiApp, api: Pick<ApiContext, 'config' | 'now' | 'store' | 'tasks'>): void {
  app.get(
    '/api/holds/:id/reassign',
    route('caller', 'holds', {
      summary: 'Whom a question could be passed on to: for who may do so',
      description:
        'Users and roles of the configuration who could decide it, and agents that its policy lets decide. Others may be named all the same.',
      params: IdParamsSchema,
      response: { 200: AudienceOptionsSchema },
    }),
    async ({ params, principal }) => {
      const hold = await movableHold(api, params.id, principal);
      return { items: audienceOptions(api.config, hold, api.now()) };
    },
  );

  app.post(
    '/api/holds/:id/reassign',
    route('caller', 'holds', {
      summary: 'Ask others instead: for who may decide now, and operators',
      description:
        'The note is shown with the question and in the timeline of its task. To an agent only where the policy of the question asks it: handing over is no way around a policy. Who passed a question on takes it back by naming those who were asked before (`from` of its move), as long as it has not been claimed, agreed to, decided or passed on since.',
      params: IdParamsSchema,
      body: ReassignBodySchema,
      response: { 200: HoldViewSchema },
    }),
    async ({ params, body, principal }) => {
      const hold = await movableHold(api, params.id, principal);
      return readHoldView(api, await reassignHold(api, hold, principal, body), principal);
    },
  );

  app.post(
    '/api/holds/:id/reassign-ask',
    route('caller', 'holds', {
      summary: 'Ask for others to be asked: for who sees a question and may not decide it',
      description:
        'Shown with the question to those asked and to operators, until one of them passes it on, and sent to them by their channels (`reassign-asked`). Once each: the same again changes nothing.',
      params: IdParamsSchema,
      body: ReassignAskBodySchema,
      response: { 200: HoldViewSchema },
    }),
    async ({ params, body, principal }) => {
      const hold = await findOpenHold(api, params.id, principal);
      if (isOperator(principal) || mayDecide(hold, principal, hold.owner)) {
        throw new HoldpointError('forbidden', 'you may pass this question on yourself');
      }
      if (principal.kind === 'agent') {
        throw new HoldpointError('forbidden', 'an agent’s key has no say in who is asked');
      }
      const note = body?.note?.trim() ?? '';
      const ask = { at: api.now().toISOString(), by: principal.id, note: note === '' ? null : note };
      // Notified first: a request that is shown is accepted no second time.
      if (!hold.reassignAsks.some(({ by }) => by === ask.by)) {
        await requestReassignment(api, hold, { by: ask.by, to: [], note: ask.note });
      }
      return readHoldView(api, (await api.store.holds.askReassign(hold.holdId, ask)) ?? hold, principal);
    },
  );
}
