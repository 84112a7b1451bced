// Who works on a question, who is asked, and one's own vote. A claim is a courtesy: it locks nobody out and stops no ladder.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { AmendCommand } from '../../contract/decision.ts';
import { HoldViewSchema, type HoldView } from '../../contract/hold.ts';
import { AudienceOptionsSchema } from '../../contract/inbox.ts';
import { plainText } from '../../contract/plain-text.ts';
import { AudienceEntrySchema } from '../../contract/policy.ts';
import type { Principal } from '../../contract/principal.ts';
import { assertNever } from '../../core/base/assert-never.ts';
import { isOperator, mayDecide } from '../../core/policy/audience.ts';
import { errorOf, HoldpointError } from '../../core/base/errors.ts';
import { withPeople } from '../../core/policy/ladder.ts';
import { channelsOfUsers } from '../../core/policy/user-channels.ts';
import type { HoldRow } from '../../store/store.ts';
import { closedError } from '../holds/closed-hold.ts';
import type { ApiContext } from '../api-context.ts';
import { findHold } from '../holds/find-hold.ts';
import { followHold } from '../engine/follow-rows.ts';
import {
  audienceOptions,
  refuseOutside,
  refuseTooFew,
  refuseUnknownAssignees,
  withinPolicy,
} from '../holds/assignees.ts';
import { IdParamsSchema } from '../http/query-params.ts';
import { requestReassignment } from '../holds/reassign-request.ts';
import { noAnswerError } from '../engine/no-answer.ts';
import { readHoldView } from './holds.ts';

const ClaimBodySchema = z
  .object({
    /** Also when somebody else works on it. */
    takeOver: z.boolean().optional(),
  })
  .nullish();
const ReassignBodySchema = z
  .object({ to: z.array(AudienceEntrySchema).min(1).max(20), note: plainText(2000).optional() })
  .meta({ id: 'ReassignBody' });

const ReassignAskBodySchema = z.object({ note: z.string().max(500).optional() }).nullish();

export function claimRoutes(app: FastifyInstance, api: ApiContext): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();
  const { store } = api;

  async function openHold(id: string, principal: Principal): Promise<HoldRow> {
    const hold = await findHold(api, id, principal);
    if (hold.status !== 'open') throw closedError(hold);
    return hold;
  }

  function view(row: HoldRow | null, before: HoldRow, principal: Principal): Promise<HoldView> {
    return readHoldView(api, row ?? before, principal);
  }

  /** Has the workflow change an open hold; the row shows it before the caller hears. */
  async function amend(hold: HoldRow, source: AmendCommand, isShown: (row: HoldRow) => boolean): Promise<HoldView> {
    const task = await store.tasks.get(hold.taskId);
    if (task === null) throw new HoldpointError('internal', `the task ${hold.taskId} has no row`);
    const result = await api.tasks.amend(task, source);
    switch (result.kind) {
      case 'answer': {
        const shown = await followHold(api, hold.holdId, (row) => row.status !== 'open' || isShown(row));
        return view(shown ?? (await store.holds.get(hold.holdId)), hold, source.principal);
      }
      case 'refusal':
        throw errorOf(result.refusal);
      case 'closed':
        throw closedError((await store.holds.get(hold.holdId)) ?? hold);
      case 'unanswered':
        throw await noAnswerError(api, result.by, 'worker_unavailable');
      default:
        return assertNever(result);
    }
  }

  typed.post(
    '/api/holds/:id/claim',
    {
      config: { access: 'caller' },
      schema: {
        tags: ['holds'],
        summary: 'Say that one works on a question',
        description: 'Somebody else’s claim stays, unless `takeOver` is true; the answer says who has it.',
        params: IdParamsSchema,
        body: ClaimBodySchema,
        response: { 200: HoldViewSchema },
      },
    },
    async ({ params, body, principal }) => {
      const hold = await openHold(params.id, principal);
      if (!mayDecide(hold, principal, hold.owner)) {
        throw new HoldpointError('not_allowed_to_decide', 'only who may decide a question can work on it');
      }
      const isFree = hold.claim === null || hold.claim.by === principal.id;
      if (!isFree && body?.takeOver !== true) return view(hold, hold, principal);
      const claim = { by: principal.id, at: api.now().toISOString() };
      return view(await store.holds.claim(hold.holdId, claim), hold, principal);
    },
  );

  typed.post(
    '/api/holds/:id/release',
    {
      config: { access: 'caller' },
      schema: {
        tags: ['holds'],
        summary: 'Let go of a question: one’s own claim, or as an operator any',
        params: IdParamsSchema,
        response: { 200: HoldViewSchema },
      },
    },
    async ({ params, principal }) => {
      const hold = await openHold(params.id, principal);
      const only = isOperator(principal) ? undefined : principal.id;
      return view(await store.holds.claim(hold.holdId, null, only), hold, principal);
    },
  );

  async function movableHold(id: string, principal: Principal): Promise<HoldRow> {
    const hold = await openHold(id, principal);
    if (isOperator(principal) || mayDecide(hold, principal, hold.owner)) return hold;
    throw new HoldpointError('not_allowed_to_decide', 'only who may decide a question, and operators, can pass it on');
  }

  typed.get(
    '/api/holds/:id/reassign',
    {
      config: { access: 'caller' },
      schema: {
        tags: ['holds'],
        summary: 'Whom a question could be passed on to: for who may do so',
        description:
          'Users and roles of the configuration who could decide it, and agents that its policy lets decide. Others may be named all the same.',
        params: IdParamsSchema,
        response: { 200: AudienceOptionsSchema },
      },
    },
    async ({ params, principal }) => {
      const hold = await movableHold(params.id, principal);
      return { items: audienceOptions(api.config, hold, api.now()) };
    },
  );

  typed.post(
    '/api/holds/:id/reassign',
    {
      config: { access: 'caller' },
      schema: {
        tags: ['holds'],
        summary: 'Ask others instead: for who may decide now, and operators',
        description:
          'The note is shown with the question and in the timeline of its task. To an agent only where the policy of the question asks it: handing over is no way around a policy.',
        params: IdParamsSchema,
        body: ReassignBodySchema,
        response: { 200: HoldViewSchema },
      },
    },
    async ({ params, body, principal }) => {
      const hold = await movableHold(params.id, principal);
      const to = [...new Set(body.to)];
      refuseUnknownAssignees(api.config, hold, to);
      refuseOutside(api.config, hold, to);
      refuseTooFew(api.config, hold, to, api.now());
      const receivedAt = api.now().toISOString();
      const source: AmendCommand = {
        kind: 'reassign',
        hold: hold.holdId,
        principal,
        receivedAt,
        to,
        note: body.note ?? null,
        notify: channelsOfUsers(api.config, to, hold.owner, api.now()),
        within: withinPolicy(api.config, hold, to),
      };
      return amend(hold, source, (row) => row.audience.join(' ') === withPeople(to).join(' '));
    },
  );

  typed.post(
    '/api/holds/:id/reassign-ask',
    {
      config: { access: 'caller' },
      schema: {
        tags: ['holds'],
        summary: 'Ask for others to be asked: for who sees a question and may not decide it',
        description:
          'Shown with the question to those asked and to operators, until one of them passes it on, and told to them by their channels (`reassign-asked`). Once each: the same again changes nothing.',
        params: IdParamsSchema,
        body: ReassignAskBodySchema,
        response: { 200: HoldViewSchema },
      },
    },
    async ({ params, body, principal }) => {
      const hold = await openHold(params.id, principal);
      if (isOperator(principal) || mayDecide(hold, principal, hold.owner)) {
        throw new HoldpointError('forbidden', 'who may pass a question on asks nobody for it');
      }
      if (principal.kind === 'agent') {
        throw new HoldpointError('forbidden', 'an agent’s key has no say in who is asked');
      }
      const note = body?.note?.trim() ?? '';
      const ask = { at: api.now().toISOString(), by: principal.id, note: note === '' ? null : note };
      // First told: a wish that is shown may be said no second time.
      if (!hold.reassignAsks.some(({ by }) => by === ask.by)) {
        await requestReassignment(api, hold, { by: ask.by, to: [], note: ask.note });
      }
      return view(await store.holds.askReassign(hold.holdId, ask), hold, principal);
    },
  );

  typed.post(
    '/api/holds/:id/undo',
    {
      config: { access: 'caller' },
      schema: {
        tags: ['holds'],
        summary: 'Take back one’s own decision, as long as it has not gone out',
        description:
          'Where the policy of the question has a `grace`; the question is open again as it was. Once it has gone out: `hold_closed`. The same again changes nothing.',
        params: IdParamsSchema,
        response: { 200: HoldViewSchema },
      },
    },
    async ({ params, principal }) => {
      const hold = await openHold(params.id, principal);
      const receivedAt = api.now().toISOString();
      const source: AmendCommand = { kind: 'undo', hold: hold.holdId, principal, receivedAt };
      return amend(hold, source, (row) => !row.outgoing);
    },
  );

  typed.delete(
    '/api/holds/:id/vote',
    {
      config: { access: 'caller' },
      schema: {
        tags: ['holds'],
        summary: 'Take back one’s own vote, as long as others are missing',
        params: IdParamsSchema,
        response: { 200: HoldViewSchema },
      },
    },
    async ({ params, principal }) => {
      const hold = await openHold(params.id, principal);
      const receivedAt = api.now().toISOString();
      const source: AmendCommand = { kind: 'withdraw-vote', hold: hold.holdId, principal, receivedAt };
      return amend(hold, source, (row) => row.votes.every((vote) => vote.by !== principal.id));
    },
  );
}
