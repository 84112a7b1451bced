// Temporal's UI and CLI ask here for what they cannot read: a codec endpoint, for operators or by a key of its own.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { z } from 'zod';
import type { Principal } from '../../../contract/base/principal.ts';
import { StandfastError } from '../../../core/base/errors.ts';
import { isOperator } from '../../../core/policy/audience.ts';
import { createPayloadCodec, withoutMac } from '../../../host/temporal/payload-codec.ts';
import type { ApiApp } from '../../http/route.ts';
import type { ApiContext } from '../../api-context.ts';
import { refuseOnBehalf } from '../../auth/on-behalf-of.ts';
import { localPrincipal, keyOf, refuseUnknownHost } from '../../auth/principal.ts';
import { codecOrigins } from '../../http/cors.ts';

const base64 = z.base64();
/** As protobuf's JSON has a payload. */
const PayloadsSchema = z.object({
  payloads: z
    .array(z.object({ metadata: z.record(z.string(), base64).optional(), data: base64.optional() }))
    .max(10_000)
    // Temporal's CLI sends `{}` where a call has no arguments: protobuf's JSON leaves empty lists out.
    .default([]),
});

type JsonPayload = z.infer<typeof PayloadsSchema>['payloads'][number];

const bytesOf = ({ metadata = {}, data = '' }: JsonPayload): Payload => ({
  metadata: Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')])),
  data: Buffer.from(data, 'base64'),
});

const jsonOf = ({ metadata, data }: Payload): JsonPayload => ({
  metadata: Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
  ),
  data: Buffer.from(data ?? []).toString('base64'),
});

const clear: PayloadCodec = { encode: async (payloads) => payloads, decode: async (payloads) => payloads };

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** By the endpoint's own key, or as an operator; a page asks from an origin that the configuration names. */
async function refuseOthers(request: FastifyRequest, reply: FastifyReply, api: ApiContext): Promise<string> {
  const { origin, authorization } = request.headers;
  const isOwnPage = origin === undefined || origin === new URL(api.publicUrl).origin;
  if (!isOwnPage && !codecOrigins(api.config).includes(origin))
    throw new StandfastError('forbidden', 'pages of this origin may not ask: codec.origins names those that may');
  refuseOnBehalf(request);
  const { key } = api.config.codec;
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (key !== undefined && token !== undefined && timingSafeEqual(sha256(token), sha256(key))) return 'key:codec';
  const caller = await callerOf(request, api);
  if (caller === null) return api.failedKeys.refuse(request, reply, 'bearer');
  if (!isOperator(caller)) throw new StandfastError('forbidden', 'only operators may do this');
  return caller.id;
}

async function callerOf(
  request: FastifyRequest,
  api: Pick<ApiContext, 'keys' | 'publicUrl' | 'sessions'>,
): Promise<Principal | null> {
  const { authorization } = request.headers;
  if (authorization !== undefined && !api.keys.isEmpty) return keyOf(api.keys, authorization)?.principal ?? null;
  if (api.keys.isEmpty) {
    refuseUnknownHost(request, new URL(api.publicUrl).host);
    return localPrincipal;
  }
  const session = await api.sessions.find(request.cookies);
  if (session === null)
    throw new StandfastError('not_authenticated', 'send a key (Authorization: Bearer <key>), or sign in');
  return session.principal;
}

export function codecRoutes(app: ApiApp, api: ApiContext): void {
  const { codec } = api;
  // Without encryption as well: the command line shows as JSON only what has no MAC.
  const payloads = codec === null || codec === undefined ? clear : createPayloadCodec(codec);
  for (const way of ['encode', 'decode'] as const) {
    app.post(
      `/codec/${way}`,
      {
        // It has a key of its own, which opens nothing else; strangers must not use up what its callers may ask.
        config: { access: 'public', isUncounted: true },
        onRequest: async (request, reply) => {
          const by = await refuseOthers(request, reply, api);
          // Who reads people's words here reads them past Standfast's own rules.
          request.log.info({ by, way }, 'the codec endpoint was used');
        },
        schema: {
          summary: `${way}s payloads of Temporal, for its UI and CLI`,
          tags: ['operators'],
          body: PayloadsSchema,
          response: { 200: PayloadsSchema },
        },
      },
      async ({ body }) => {
        const done = await payloads[way](body.payloads.map(bytesOf)).catch((error: unknown) => {
          throw new StandfastError('input_invalid', error instanceof Error ? error.message : 'not one of Standfast’s');
        });
        return { payloads: done.map((payload) => jsonOf(way === 'decode' ? withoutMac(payload) : payload)) };
      },
    );
  }
}
