import { z } from 'zod';
import { isAcceptableA2aId } from '../../contract/ids.ts';
import type { Json, JsonObject } from '../../contract/json.ts';
import type { InputError } from './json-bounds.ts';
import { isObject } from './state-patch.ts';

/** Options of one run, from `forwardedProps.a2a`. */
export interface RunOptions {
  /** Reads only: nothing is sent to the agent. */
  subscribeOnly: boolean;
  taskId: string | null;
  contextId: string | null;
  acceptedOutputModes: string[] | null;
  /** Passed on to the agent with the message. */
  metadata: JsonObject | null;
}

const idSchema = z
  .string('expected a text')
  .refine(isAcceptableA2aId, 'expected 1–200 bytes without control characters');

/** Options we do not know are left alone; these are strict. */
const optionSchemas: { [name in keyof RunOptions]: z.ZodType } = {
  subscribeOnly: z.boolean('expected true or false'),
  taskId: idSchema,
  contextId: idSchema,
  acceptedOutputModes: z
    .array(z.string('expected a text').min(1).max(200), 'expected a list of MIME types')
    .max(50, 'expected at most 50'),
  metadata: z.record(z.string(), z.unknown(), 'expected an object'),
};

export type Options = { ok: true; options: RunOptions } | { ok: false; errors: InputError[] };

function optionErrors(given: JsonObject): InputError[] {
  return Object.entries(optionSchemas).flatMap(([name, schema]) => {
    const value = given[name] ?? null;
    const result = value === null ? null : schema.safeParse(value);
    if (result === null || result.success) return [];
    return result.error.issues.map((issue) => ({
      path: ['forwardedProps.a2a', name, ...issue.path].join('.'),
      message: issue.message,
    }));
  });
}

/** The run options of a body; null counts as not given. */
export function readOptions(forwardedProps: Json | undefined): Options {
  const given = isObject(forwardedProps) ? (forwardedProps['a2a'] ?? {}) : {};
  if (!isObject(given)) return { ok: false, errors: [{ path: 'forwardedProps.a2a', message: 'expected an object' }] };
  const errors = optionErrors(given);
  if (errors.length > 0) return { ok: false, errors };
  const { taskId, contextId, acceptedOutputModes: modes, metadata } = given;
  const options: RunOptions = {
    subscribeOnly: given['subscribeOnly'] === true,
    taskId: typeof taskId === 'string' ? taskId : null,
    contextId: typeof contextId === 'string' ? contextId : null,
    acceptedOutputModes: Array.isArray(modes) ? modes.filter((mode) => typeof mode === 'string') : null,
    metadata: isObject(metadata) ? metadata : null,
  };
  return { ok: true, options };
}
