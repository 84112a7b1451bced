// Web Push: the key that a browser subscribes with, a person's browsers, and decisions made in a notification.
import { z } from 'zod';
import { PushSubscriptionSchema } from '../../../contract/configuration/personal.ts';
import { StandfastError } from '../../../core/base/errors.ts';
import { yesNoBody } from '../../../core/questions/surface-question.ts';
import { decidesByPush, pushLimits } from '../../../surfaces/push/push-message.ts';
import type { ApiContext } from '../../api-context.ts';
import { decide, DecisionReplySchema } from '../../holds/decide.ts';
import { findHold } from '../../holds/find-hold.ts';
import { route, type ApiApp } from '../../http/route.ts';
import { IdParamsSchema } from '../../http/query-params.ts';
import { addDevice, devicesOf, pushChannelOf } from '../../surfaces/push-devices.ts';
import { shownHere } from '../../surfaces/surface-answers.ts';

const DeviceSchema = z.object({ id: z.string(), label: z.string(), since: z.string() }).meta({ id: 'PushDevice' });
const PushSchema = z.object({ publicKey: z.string().nullable(), devices: z.array(DeviceSchema) }).meta({ id: 'Push' });
const DeviceBodySchema = z
  .object({ subscription: PushSubscriptionSchema, label: z.string().max(100).default('') })
  .meta({ id: 'PushDeviceBody' });
const PushDecisionBodySchema = z
  .object({ choice: z.enum(['yes', 'no']), digest: z.string().min(1).max(100) })
  .meta({ id: 'PushDecisionBody' });

export function webPushRoutes(app: ApiApp, api: ApiContext): void {
  const channel = pushChannelOf(api);

  app.get(
    '/api/web-push',
    route('caller', 'session', {
      summary: 'The key to subscribe with (null: there is no channel of type push), and your browsers',
      response: { 200: PushSchema },
    }),
    async ({ principal }) => ({ publicKey: channel?.publicKey ?? null, devices: await devicesOf(api, principal.id) }),
  );

  app.post(
    '/api/web-push/devices',
    route('caller', 'session', {
      summary: 'Notify you in this browser; the same again is harmless',
      body: DeviceBodySchema,
      response: { 200: z.object({ id: z.string() }) },
    }),
    async (request) => {
      if (channel === null) throw new StandfastError('not_found', 'there is no channel of type push');
      if (request.principal.kind !== undefined)
        throw new StandfastError('forbidden', 'only people are notified in browsers');
      const { subscription, label } = request.body;
      return { id: await addDevice(api, request, subscription, label) };
    },
  );

  app.delete(
    '/api/web-push/devices/:id',
    route('caller', 'session', {
      summary: 'Stop notifying you in this browser',
      params: IdParamsSchema,
      response: { 204: z.null() },
    }),
    async ({ principal, params }, reply) => {
      const isRemoved = await api.store.personal.remove({ user: principal.id, kind: 'push', name: params.id });
      if (!isRemoved) throw new StandfastError('not_found', `you have no browser ${params.id}`);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/web-push/holds/:id/decision',
    route('caller', 'holds', {
      summary: 'Decide a yes/no question from a notification that showed all of it',
      params: IdParamsSchema,
      body: PushDecisionBodySchema,
      response: { 200: DecisionReplySchema },
    }),
    async ({ params, body, principal }) => {
      const { choice, digest } = body;
      const hold = await findHold(api, params.id, principal);
      const shown = await shownHere(api, hold, pushLimits);
      const answer = yesNoBody(hold, { isYes: choice === 'yes', reason: '', digest });
      const mayHere = channel !== null && decidesByPush({ ...shown, end: null }, channel);
      if (answer === null || !mayHere)
        throw new StandfastError('forbidden', 'this question is decided on its own page only');
      return decide(api, hold, answer, principal, 'push');
    },
  );
}
