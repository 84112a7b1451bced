// The dependencies of the api, passed in by `cli`.
import type { FastifyBaseLogger } from 'fastify';
import type { EngramAgent } from '../contract/views/engram.ts';
import type { Config } from '../contract/configuration/config.ts';
import type { JsonObject } from '../contract/base/json.ts';
import type { AgentHistoryResult } from '../contract/tasks/turn.ts';
import type { CodecKeys } from '../host/secrets/codec-keys.ts';
import type { LinkSigner } from '../host/secrets/tokens.ts';
import type { Sealer } from '../host/secrets/sealing.ts';
import type { Store } from '../store/store.ts';
import type { TaskClient } from './engine/task-client.ts';

/** The verdict of `host/schema-runner`: a foreign schema is only ever applied in its killable thread. */
export type AnswerVerdict =
  | { ok: true }
  | { ok: false; errors: { path: string; message: string }[] }
  | { ok: false; unusable: string };

/** Asks an agent once for a task's conversation; never rejects, and may continue in the background after `signal`. */
export type ReadHistory = (agent: string, a2aTaskId: string, signal: AbortSignal) => Promise<AgentHistoryResult>;

export interface ApiDeps {
  config: Config;
  store: Store;
  tasks: TaskClient;
  checkAnswer: (schema: JsonObject, values: JsonObject) => Promise<AnswerVerdict>;
  /** Encrypts payloads in Temporal; missing: they are in clear. */
  codec?: CodecKeys | null;
  /** Replaces secrets in answers by references. */
  sealer: Sealer;
  /** Verifies links to decide by; null: no channel sends any. */
  links: LinkSigner | null;
  readHistory: ReadHistory;
  /** An agent's records, if it offers any. */
  engram: (agent: string) => EngramAgent;
  log: FastifyBaseLogger;
  now: () => Date;
  /** Absolute address of this api as people reach it, for links. */
  publicUrl: string;
  temporalUiUrl: string | null;
  /** Directory of the built pages; missing: next to the built program. */
  webDir?: string;
}
