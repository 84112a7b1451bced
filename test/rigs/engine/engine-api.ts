// The api over an engine of this process: what comes by HTTP goes the whole way to Temporal, without a port.
import { createSigner } from '../../../src/host/secrets/signing.ts';
import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { buildApp } from '../../../src/api/app.ts';
import { createLogger } from '../../../src/host/process/log.ts';
import type { CodecKeys } from '../../../src/host/secrets/codec-keys.ts';
import { testKey } from '../proofs.ts';
import { createSealer } from '../../../src/host/secrets/sealing.ts';
import { createLinkSigner } from '../../../src/host/secrets/tokens.ts';
import type { Engine } from './engine.ts';

export function apiOf(
  { config, store, tasks, schemas, prover }: Engine,
  codec: CodecKeys | null = null,
): FastifyInstance {
  return buildApp({
    config,
    store,
    tasks,
    codec,
    checkAnswer: (schema, values) => schemas.check(schema, values),
    sealer: createSealer(testKey),
    links: createLinkSigner('5e'.repeat(32)),
    signer: createSigner('5e'.repeat(32)),
    prover,
    readHistory: () => Promise.resolve({ result: 'away', why: 'there is no agent' }),
    engram: () => {
      throw new Error('there is no agent');
    },
    registry: new Registry(),
    log: createLogger({ level: 'silent', name: 'test' }),
    now: () => new Date(),
    publicUrl: 'http://127.0.0.1:8600',
    temporalUiUrl: null,
  });
}
