// The public key of receipts and of Standfast's own agent cards, where verifiers look for it.
import { z } from 'zod';
import { route, type ApiApp } from '../../http/route.ts';
import type { ApiContext } from '../../api-context.ts';

const JwksSchema = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      x: z.string(),
      kid: z.string(),
      alg: z.literal('EdDSA'),
      use: z.literal('sig'),
    }),
  ),
});

export function jwksRoutes(app: ApiApp, { signer }: Pick<ApiContext, 'signer'>): void {
  app.get(
    '/.well-known/jwks.json',
    route('public', 'operation', {
      summary: 'The key that signs receipts and agent cards, as a JWK Set',
      response: { 200: JwksSchema },
    }),
    // A verifier that keeps it too long would take receipts of a key that was changed.
    async (_request, reply) =>
      reply.header('cache-control', 'public, max-age=60').send({ keys: signer === null ? [] : [signer.jwk] }),
  );
}
