import { z } from 'zod';
import { isAcceptableA2aId } from '../../../contract/base/ids.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { artifactBase, defaultArtifactBase } from '../artifacts/artifact-entry.ts';
import { EngramUpdateSchema } from '../engram/engram-input.ts';
import type { InputError } from './json-bounds.ts';
import { isObject, objectOf } from '../../../core/base/json.ts';
import { mayBeAnswer } from '../../../core/consent/deciding-field.ts';
import { jsonBytes } from '../model/json-bytes.ts';

const idSchema = z
  .string('expected a text')
  .refine(isAcceptableA2aId, 'expected 1–200 bytes without control characters');
const flag = (otherwise: boolean): z.ZodDefault<z.ZodBoolean> => z.boolean('expected true or false').default(otherwise);

/** Unknown options are ignored; known ones are validated strictly. */
const OptionsSchema = z.object({
  /** How the message is sent: SendStreamingMessage or a blocking SendMessage. */
  mode: z.enum(['stream', 'send'], 'expected stream or send').default('stream'),
  /** The agent's task to send the message to, even one started elsewhere. */
  taskId: idSchema.nullable().default(null),
  contextId: idSchema.nullable().default(null),
  /** Nothing is sent to the agent. */
  subscribeOnly: flag(false),
  /** A2A `historyLength`; null leaves it to the agent. */
  historyLength: z
    .int('expected a whole number')
    .min(0, 'expected at least 0')
    .max(10_000, 'expected at most 10000')
    .nullable()
    .default(null),
  /** As the client sent it; the agent receives `wireOutputModes`. */
  acceptedOutputModes: z
    .array(z.string('expected a text').min(1, 'expected a MIME type').max(200), 'expected a list of MIME types')
    .max(50, 'expected at most 50')
    .default(['text']),
  includeToolMessages: flag(true),
  includeSystemMessages: flag(false),
  includeDeveloperMessages: flag(false),
  /** JSON pointer inside /view, without a trailing slash. */
  artifactBasePath: z
    .string('expected a text')
    .transform((path, ctx) => {
      const base = artifactBase(path);
      if (base !== null) return base;
      ctx.addIssue('expected a JSON pointer inside /view, outside what is kept there by Standfast');
      return z.NEVER;
    })
    .default(defaultArtifactBase),
  /** Engram state change sent with the message. */
  engramUpdate: EngramUpdateSchema.nullable().default(null),
  /** Metadata passed on to the agent with the message. */
  metadata: z.custom<JsonObject>(isObject, 'expected an object').nullable().default(null),
});
/** Options of a run, from `forwardedProps.a2a`. */
export type RunOptions = z.infer<typeof OptionsSchema>;

export type Options = { ok: true; options: RunOptions } | { ok: false; errors: InputError[] };

const at = 'forwardedProps.a2a';

/** Errors of options that contradict each other. */
function conflicts(options: RunOptions): InputError[] {
  if (options.mode === 'stream' || !options.subscribeOnly) return [];
  return [{ path: `${at}.subscribeOnly`, message: 'needs mode stream: there is nothing to send' }];
}

/** Parses the run options; null counts as absent. */
export function readOptions(forwardedProps: Json | undefined): Options {
  const props = objectOf(forwardedProps);
  const given = props['a2a'] ?? {};
  if (!isObject(given)) return { ok: false, errors: [{ path: at, message: 'expected an object' }] };
  const outgoing = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const read = OptionsSchema.safeParse(outgoing);
  if (!read.success) {
    const wrong = read.error.issues.map(({ path, message }) => ({ path: [at, ...path].join('.'), message }));
    return { ok: false, errors: wrong };
  }
  const wrong = conflicts(read.data);
  return wrong.length > 0 ? { ok: false, errors: wrong } : { ok: true, options: read.data };
}

/** The run options of an already validated body; the defaults when it is null. */
export function optionsOfBody(body: JsonObject | null): RunOptions {
  const read = readOptions(body?.['forwardedProps']);
  return read.ok ? read.options : OptionsSchema.parse({});
}

/**
 * Metadata of a run as they go into a task that is there, which may wait for an answer: nothing that its agent may read as one, as what an
 * extension names by its URI.
 */
export const metadataIntoTask = (metadata: JsonObject | null): JsonObject =>
  Object.fromEntries(
    Object.entries(metadata ?? {}).filter(
      ([name, value]) => !name.includes(':') && name !== 'standfast' && !mayBeAnswer(name, value),
    ),
  );

/** A2A `acceptedOutputModes` for the agent; always with JSON, because questions are data parts. */
export function wireOutputModes(modes: readonly string[]): string[] {
  return [...new Set([...modes.map((mode) => (mode === 'text' ? 'text/plain' : mode)), 'application/json'])];
}

/** Metadata key of the A2A message under which `RunAgentInput.context` is passed on unchanged. */
const contextKey = 'agui_context';
/** Limit of the context; larger content belongs in a message. */
const maxContextBytes = 256 * 1024;

const contextEntries = (body: JsonObject | null): Json[] => {
  const context = body?.['context'];
  return Array.isArray(context) ? context : [];
};

/** Metadata from the run's context for the A2A message; empty without context. */
export function contextMetadata(body: JsonObject | null): JsonObject {
  const entries = contextEntries(body);
  return entries.length === 0 ? {} : { [contextKey]: entries };
}

export function contextErrors(body: JsonObject): InputError[] {
  const bytes = jsonBytes(contextEntries(body));
  if (bytes <= maxContextBytes) return [];
  const message = `has ${Math.ceil(bytes / 1024)} KiB; at most ${maxContextBytes / 1024} KiB go to an agent with a message`;
  return [{ path: 'context', message }];
}
