import type { RunId, ThreadId } from '../../../contract/base/id-types.ts';
import { omitOptionalNulls } from '@ag-ui/core';
import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import { RunIdSchema, ThreadIdSchema } from '../../../contract/base/ids.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { contextErrors, readOptions, type RunOptions } from './run-options.ts';
import { checkJson, type InputError } from './json-bounds.ts';
import { mediaFault } from '../model/media.ts';
import { emptyMessageAt, outgoingMessages } from './new-message.ts';
import { isResumeEmpty, readResume, standardResume, type ResumeEntry } from './resume-forms.ts';
import { isObject, objectsIn, stringOf } from '../../../core/base/json.ts';

/** A client's run request, independent of its AG-UI version. */
export interface RunInput {
  threadId: ThreadId;
  runId: RunId;
  /** Absent for peers older than 1.0. */
  protocolVersion?: string;
  state: Json | undefined;
  messages: JsonObject[];
  resume: ResumeEntry[] | null;
  /** `resume: []`: a list of answers with none in it. */
  answersNothing: boolean;
  options: RunOptions;
  /** The normalised body, stored and fingerprinted; parsing it again gives the same input. */
  body: JsonObject;
}

type RunInputResult = { ok: true; input: RunInput } | { ok: false; errors: InputError[] };

const maxErrors = 20;

/** Messages with an empty id get one each: they are chosen, kept and shown by their ids. */
function named(messages: Json, runId: string): Json {
  if (!Array.isArray(messages)) return messages;
  return messages.map((message, at) =>
    isObject(message) && message['id'] === '' ? { ...message, id: `unnamed-${runId}-${at}` } : message,
  );
}

/** Drops the nulls of older clients, and converts `resume` of older drafts to 1.0. */
function normalised(body: JsonObject): JsonObject {
  const entries = Object.entries(body).flatMap(([key, value]): [string, Json][] => {
    if (key === 'messages') return [[key, named(value, stringOf(body['runId']))]];
    if (key !== 'resume') return [[key, value]];
    return value === null ? [] : [[key, standardResume(value)]];
  });
  return omitOptionalNulls(Object.fromEntries(entries), 'RunAgentInput');
}

function schemaErrors(body: JsonObject): InputError[] {
  const parsed = RunAgentInputSchema.safeParse(body);
  const issues = parsed.success ? [] : parsed.error.issues;
  const ids = [
    { name: 'threadId', schema: ThreadIdSchema },
    { name: 'runId', schema: RunIdSchema },
  ].flatMap(({ name, schema }) => {
    const value = body[name];
    const checked = typeof value === 'string' ? schema.safeParse(value) : null;
    return checked === null || checked.success
      ? []
      : checked.error.issues.map((issue) => ({ path: [name], message: issue.message }));
  });
  return [...issues, ...ids]
    .slice(0, maxErrors)
    .map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
}

/** Errors of files without usable bytes or URL; only outgoing messages are checked, since the history is not sent. */
function mediaErrors(messages: readonly JsonObject[], outgoing: readonly JsonObject[]): InputError[] {
  return outgoing.flatMap((message) => {
    const at = messages.indexOf(message);
    const content = Array.isArray(message['content']) ? message['content'] : [];
    return content.flatMap((part, i) => {
      const fault = isObject(part) ? mediaFault(part) : null;
      return fault === null ? [] : [{ path: `messages.${at}.content.${i}.${fault.path}`, message: fault.message }];
    });
  });
}

/** Errors of new messages none of which says anything. */
function emptyErrors(messages: readonly JsonObject[]): InputError[] {
  const at = emptyMessageAt(messages);
  return at < 0 ? [] : [{ path: `messages.${at}.content`, message: 'has nothing in it' }];
}

const textOr = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

/** Parses the body of a run (AG-UI `RunAgentInput`); every error names its path. */
export function readRunInput(body: unknown): RunInputResult {
  const checked = checkJson(body);
  if (!checked.ok) return { ok: false, errors: [checked.error] };
  if (!isObject(checked.json)) return { ok: false, errors: [{ path: '', message: 'expected a JSON object' }] };
  const resume = readResume(checked.json);
  const options = readOptions(checked.json['forwardedProps']);
  const clean = normalised(checked.json);
  // Errors in `resume` are reported by `readResume`, which knows all its forms.
  const foreign = schemaErrors(clean).filter((error) => resume.ok || !error.path.startsWith('resume'));
  const errors = [
    ...foreign,
    ...contextErrors(clean),
    ...(resume.ok ? [] : resume.errors),
    ...(options.ok ? [] : options.errors),
  ];
  if (errors.length > 0 || !resume.ok || !options.ok) return { ok: false, errors: errors.slice(0, maxErrors) };
  const { messages: given } = clean;
  const messages = objectsIn(given);
  const outgoing = outgoingMessages(messages, options.options);
  const isSilent = resume.entries !== null || options.options.subscribeOnly;
  const badMedia = mediaErrors(messages, outgoing);
  const faults = badMedia.length > 0 || isSilent ? badMedia : emptyErrors(messages);
  if (faults.length > 0) return { ok: false, errors: faults.slice(0, maxErrors) };
  const protocolVersion = textOr(clean['protocolVersion']);
  const input: RunInput = {
    threadId: textOr(clean['threadId']) ?? '',
    runId: textOr(clean['runId']) ?? '',
    ...(protocolVersion === undefined ? {} : { protocolVersion }),
    state: clean['state'],
    messages,
    resume: resume.entries,
    answersNothing: resume.entries === null && isResumeEmpty(clean),
    options: options.options,
    body: clean,
  };
  return { ok: true, input };
}
