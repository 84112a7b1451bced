import { z } from 'zod';
import { isAcceptableA2aId } from '../../../contract/base/ids.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { artifactBase, defaultArtifactBase } from '../artifacts/artifact-entry.ts';
import { EngramUpdateSchema } from '../engram/engram-input.ts';
import type { InputError } from './json-bounds.ts';
import { isObject, objectOf } from '../../../core/base/json.ts';
import { jsonBytes } from '../model/json-bytes.ts';

const idSchema = z
  .string('expected a text')
  .refine(isAcceptableA2aId, 'expected 1–200 bytes without control characters');
const flag = (otherwise: boolean): z.ZodDefault<z.ZodBoolean> => z.boolean('expected true or false').default(otherwise);

/** Options we do not know are left alone; these are strict. */
const OptionsSchema = z.object({
  /** How the message is sent: over a stream, or by one blocking request. */
  mode: z.enum(['stream', 'send'], 'expected stream or send').default('stream'),
  /** An agent's task: a message goes into it, also when it was started elsewhere. */
  taskId: idSchema.nullable().default(null),
  contextId: idSchema.nullable().default(null),
  /** Reads only: nothing is sent to the agent. */
  subscribeOnly: flag(false),
  /** How many messages of a task's past the agent is asked for; null: as many as it likes. */
  historyLength: z
    .int('expected a whole number')
    .min(0, 'expected at least 0')
    .max(10_000, 'expected at most 10000')
    .nullable()
    .default(null),
  /** As the client names it; `wireOutputModes` is what the agent receives. */
  acceptedOutputModes: z
    .array(z.string('expected a text').min(1, 'expected a MIME type').max(200), 'expected a list of MIME types')
    .max(50, 'expected at most 50')
    .default(['text']),
  includeToolMessages: flag(true),
  includeSystemMessages: flag(false),
  includeDeveloperMessages: flag(false),
  /** JSON pointer inside /view, without a slash at its end. */
  artifactBasePath: z
    .string('expected a text')
    .transform((path, ctx) => {
      const base = artifactBase(path);
      if (base !== null) return base;
      ctx.addIssue('expected a JSON pointer inside /view, outside what is kept there by Holdpoint');
      return z.NEVER;
    })
    .default(defaultArtifactBase),
  /** A change of the agent's own state, sent with the message. */
  engramUpdate: EngramUpdateSchema.nullable().default(null),
  /** Passed on to the agent with the message. */
  metadata: z.custom<JsonObject>(isObject, 'expected an object').nullable().default(null),
});
/** Options of one run, from `forwardedProps.a2a`. */
export type RunOptions = z.infer<typeof OptionsSchema>;

export type Options = { ok: true; options: RunOptions } | { ok: false; errors: InputError[] };

const at = 'forwardedProps.a2a';

/** What other options make of one that is right by itself. */
function conflicts(options: RunOptions): InputError[] {
  if (options.mode === 'stream' || !options.subscribeOnly) return [];
  return [{ path: `${at}.subscribeOnly`, message: 'needs mode stream: there is nothing to send' }];
}

/** The run options of a body; null counts as not given. */
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

/** The run options of a normalised body that was read before; the defaults where there is none. */
export function optionsOfBody(body: JsonObject | null): RunOptions {
  const read = readOptions(body?.['forwardedProps']);
  return read.ok ? read.options : OptionsSchema.parse({});
}

/** MIME types for the agent. Its questions are data parts, so JSON is accepted whatever the client says. */
export function wireOutputModes(modes: readonly string[]): string[] {
  return [...new Set([...modes.map((mode) => (mode === 'text' ? 'text/plain' : mode)), 'application/json'])];
}

/** Key in the metadata of the run's A2A message under which `RunAgentInput.context` goes to the agent, as it came. */
const contextKey = 'agui_context';
/** As much as one answer may have: more belongs into a message. */
const maxContextBytes = 256 * 1024;

const contextEntries = (body: JsonObject | null): Json[] => {
  const context = body?.['context'];
  return Array.isArray(context) ? context : [];
};

/** The metadata that a run's body adds to its message; empty without context. */
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
