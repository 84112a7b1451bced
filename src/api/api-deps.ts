// The dependencies of the api, passed in by `cli`.
import type { A2aTaskId } from '../contract/base/id-types.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import type { EngramAgent } from '../contract/views/engram.ts';
import type { Config } from '../contract/configuration/config.ts';
import type { JsonObject } from '../contract/base/json.ts';
import type { SchemaVerdict } from '../contract/holds/schema-verdict.ts';
import type { AgentHistoryResult } from '../contract/tasks/turn.ts';
import type { CodecKeys } from '../host/secrets/codec-keys.ts';
import type { LinkSigner } from '../host/secrets/tokens.ts';
import type { Prover } from '../host/secrets/proofs.ts';
import type { Signer } from '../host/secrets/signing.ts';
import type { Sealer } from '../host/secrets/sealing.ts';
import type { Store } from '../store/store.ts';
import type { TaskClient } from './engine/task-client.ts';

/** Asks an agent once for a task's conversation; never rejects, and may continue in the background after `signal`. */
export type ReadHistory = (agent: string, a2aTaskId: A2aTaskId, signal: AbortSignal) => Promise<AgentHistoryResult>;

/** A span of a request that came by HTTP. */
export interface RequestSpan {
  /** Runs what handles the request: whatever that calls is part of the trace. */
  run(handle: () => void): void;
  end(status: number): void;
}

/** Begins a span, as part of the trace that the headers name, if they do. */
export type TraceRequest = (request: {
  method: string;
  /** As it is registered: it has no ids. */
  route: string;
  headers: Record<string, string | string[] | undefined>;
}) => RequestSpan;

export interface ApiDeps {
  config: Config;
  store: Store;
  tasks: TaskClient;
  checkAnswer: (schema: JsonObject, values: JsonObject) => Promise<SchemaVerdict>;
  /** Encrypts payloads in Temporal; missing: they are in clear. */
  codec?: CodecKeys | null;
  /** Replaces secrets in answers by references. */
  sealer: Sealer;
  /** Signs receipts and Standfast's own agent cards; null: there is no key for that. */
  signer: Signer | null;
  /** Makes and checks the proofs of decisions. */
  prover: Prover;
  /** Verifies links to decide by; null: no channel sends any. */
  links: LinkSigner | null;
  readHistory: ReadHistory;
  /** An agent's records, if it offers any. */
  engram: (agent: string) => EngramAgent;
  log: FastifyBaseLogger;
  /** Missing or null: requests are not traced. */
  traceRequest?: TraceRequest | null;
  /** Where the api's metrics are registered. */
  registry: Registry;
  now: () => Date;
  /** Absolute address of this api as people reach it, for links. */
  publicUrl: string;
  temporalUiUrl: string | null;
  /** Directory of the built pages; missing: next to the built program. */
  webDir?: string;
}
