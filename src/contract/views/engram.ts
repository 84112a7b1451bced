// Engram: an agent's own state as records that a caller reads, changes and follows (docs/wire.md).
import type { A2aTaskId } from '../base/id-types.ts';
import { z } from 'zod';
import type { Json, JsonObject } from '../base/json.ts';

/** Names the extension, and with it every method, parameter and event of this file. */
export const engramExtension = 'https://github.com/EmberAGI/a2a-engram/tree/v0.1';

export const engramModes = ['hydrate_once', 'hydrate_stream', 'sync'] as const;
export type EngramMode = (typeof engramModes)[number];

export const engramLimits = {
  keyChars: 500,
  records: 5_000,
  pages: 100,
  /** Changes in one run. */
  writes: 500,
  patchOps: 500,
  valueBytes: 1024 * 1024,
} as const;

const JsonSchema: z.ZodType<Json> = z.json();
/** Some agents keep labels next to the record, others in its key. */
const LabelsSchema = z.record(z.string().max(200), z.string().max(1000));
const EngramKeySchema = z.object({
  key: z.string().min(1).max(engramLimits.keyChars),
  labels: LabelsSchema.optional(),
});

export const EngramRecordSchema = z.object({
  key: EngramKeySchema,
  value: JsonSchema,
  version: z.int().min(0),
  createdAt: z.string().max(100).optional(),
  updatedAt: z.string().max(100).optional(),
  tags: z.array(z.string().max(200)).max(100).optional(),
  labels: LabelsSchema.optional(),
});
export type EngramRecord = z.infer<typeof EngramRecordSchema>;

const SequenceSchema = z.string().regex(/^\d{1,40}$/, 'expected digits');
export const EngramEventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('snapshot'), record: EngramRecordSchema, sequence: SequenceSchema }),
  z.object({
    kind: z.literal('delta'),
    key: EngramKeySchema,
    patch: z.array(z.record(z.string(), JsonSchema)).max(engramLimits.patchOps),
    version: z.int().min(1),
    sequence: SequenceSchema,
    updatedAt: z.string().max(100).optional(),
  }),
  z.object({
    kind: z.literal('delete'),
    key: EngramKeySchema,
    version: z.int().min(0).optional(),
    sequence: SequenceSchema,
  }),
]);
export type EngramEvent = z.infer<typeof EngramEventSchema>;

export interface EngramFilter {
  keyPrefix?: string;
  key?: string;
}

/** `forwardedProps.engram` of a run. */
export interface EngramAsk {
  mode: EngramMode;
  filter: EngramFilter;
}

/** What came of one change of a `sync` run. */
export interface EngramWrite {
  key: string;
  result: 'written' | 'deleted' | 'unchanged' | 'conflict' | 'refused';
  version: number | null;
  message: string | null;
}

/** The agent's own refusal of a call, verbatim. */
export class EngramCallError extends Error {
  override name = 'EngramCallError';
  readonly code: number;
  readonly data: Json;
  constructor(code: number, message: string, data: Json) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** A fault on the way to the agent: trying again may help. */
export class EngramUnreachable extends Error {
  override name = 'EngramUnreachable';
}

export type EngramFrame =
  /** Events as they came, not yet checked. */
  | { kind: 'events'; events: Json[] }
  | { kind: 'ended'; state: 'completed' | 'canceled' | 'failed' | 'rejected'; reason: string | null };

/** What the api asks of an agent that speaks Engram. */
export interface EngramAgent {
  isAdvertised(signal: AbortSignal): Promise<boolean>;
  /** Throws EngramCallError for the agent's refusal, EngramUnreachable for a fault on the way. */
  call(method: EngramMethod, params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** The stream of a subscription; `onOpen` once the agent has taken the request. Null at its end: the task is gone. */
  frames(taskId: A2aTaskId, onOpen: () => void, signal: AbortSignal): AsyncGenerator<EngramFrame, void, undefined>;
  /** State of the subscription; null: the agent knows no such task. */
  task(taskId: A2aTaskId, signal: AbortSignal): Promise<EngramFrame[] | null>;
  cancel(taskId: A2aTaskId, signal: AbortSignal): Promise<void>;
}

type EngramMethod = `engram/${'get' | 'list' | 'set' | 'patch' | 'delete' | 'subscribe'}`;
