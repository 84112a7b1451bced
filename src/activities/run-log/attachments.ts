// Keeps what an agent sends with its questions, so that deciders see what the requester's stream showed.
import { isPausedState } from '../../contract/tasks/agent-state-names.ts';
import { createHash } from 'node:crypto';
import type { Attachment } from '../../contract/holds/attachment.ts';
import type { Json } from '../../contract/base/json.ts';
import type { AgentMessage, NeutralPart, TurnEvent, TurnInput, TurnOutcome } from '../../contract/tasks/turn.ts';
import { canonicalJson } from '../../core/base/json.ts';
import { fingerprintOf, sha256Of } from '../../host/secrets/hash.ts';
import type { NewAttachment } from '../../store/ports/attachments.ts';
import { surfaceOperations } from '../../wire/agui/artifacts/artifact.ts';
import { isPlainData } from '../../wire/agui/project/message.ts';
import type { A2aTransport } from '../a2a/a2a-transport.ts';
import type { ActivityDeps } from '../deps.ts';
import { within } from '../../host/process/time-limit.ts';
import { testForPeople, isFileType } from './people-addresses.ts';

/** Largest file that is kept, and all of one task. */
export const maxAttachmentBytes = 10 * 1024 * 1024;
export const maxTaskBytes = 64 * 1024 * 1024;
/** Data up to this is shown as such, all of one message together; more is a file. */
const maxDataBytes = 32 * 1024;
const maxParts = 50;
const fetchForMs = 15_000;

/** Whose parts are shown with a question: those of its own message. Some agents give their messages no id. */
export const messageKeyOf = (messageId: string | null, turn: number): string =>
  messageId === null || messageId === '' ? `turn-${turn}` : messageId;

interface AttachmentKeeper {
  keep(event: TurnEvent): Promise<void>;
  /**
   * Before a question is asked: files that lie at the agent are fetched, within its own origins. An address that people
   * are to open is left to them.
   */
  settle(outcome: TurnOutcome, signal: AbortSignal): Promise<Settled>;
}

interface Settled {
  /** The question's attachments; null where they are to be read from the store. */
  kept: Attachment[] | null;
  /** Names of files that its message brought whole, and that are not here. */
  lost: string[];
}

type Deps = Pick<ActivityDeps, 'store' | 'log'>;

export function attachmentKeeper(
  { store, log }: Deps,
  { task, turn }: Pick<TurnInput, 'task' | 'turn'>,
  transport: Pick<A2aTransport, 'readFile'>,
  hasNone = false,
): AttachmentKeeper {
  /** True if nothing of this task was kept before. */
  let isEmpty = hasNone;
  const put = async (
    source: Attachment['source'],
    key: string,
    parts: NeutralPart[],
    isWhole: boolean,
    isPermission = false,
  ): Promise<void> => {
    const made = attachmentsOf(source, key, parts).map((one) =>
      isPermission && one.uri !== null ? { ...one, omitted: one.omitted ?? ('link' as const) } : one,
    );
    if (made.length === 0 && (!isWhole || isEmpty)) return;
    isEmpty = false;
    let room =
      maxTaskBytes - (made.some(({ bytes }) => bytes !== null) ? await store.attachments.sizeOf(task.taskId) : 0);
    const fitting = made.map((one) => {
      room -= one.bytes?.byteLength ?? 0;
      return room < 0 && one.bytes !== null ? { ...one, bytes: null, omitted: 'too_large' as const } : one;
    });
    await store.attachments.put(task.taskId, key, fitting, isWhole);
  };
  const seen = new Set<string>();

  return {
    async keep(event) {
      if (event.type === 'artifact') {
        const { artifact, append } = event;
        // Streamed text has nothing to keep, so its chunks cost no query.
        const key = `artifact:${artifact.artifactId}`;
        const isNews = artifact.parts.some(({ kind }) => kind === 'file') || (!append && seen.has(key));
        if (isNews) await put('artifact', key, artifact.parts, !append);
        if (isNews) seen.add(key);
        return;
      }
      if (event.type !== 'task' && event.type !== 'status') return;
      for (const artifact of event.type === 'task' ? event.artifacts : []) {
        if (!artifact.parts.some(({ kind }) => kind === 'file')) continue;
        await put('artifact', `artifact:${artifact.artifactId}`, artifact.parts, true);
        seen.add(`artifact:${artifact.artifactId}`);
      }
      if (isPausedState(event.state) && event.message !== null) {
        const key = messageKeyOf(event.message.messageId, turn);
        await put('question', key, partsShown(event.message), true, event.state === 'auth-required');
      }
    },
    async settle(outcome, signal) {
      if (outcome.kind !== 'paused') return { kept: null, lost: [] };
      if (isEmpty) return { kept: [], lost: [] };
      const lying = await store.attachments.current(task.taskId, messageKeyOf(outcome.pauseMessageId, turn));
      const limited = within(signal, fetchForMs).signal;
      const waiting = lying.filter(({ uri, digest, omitted }) => uri !== null && digest === null && omitted === null);
      const lost = lying.filter(isLost).map(({ name }) => name);
      if (waiting.length === 0) return { kept: lying, lost };
      const asked = [...outcome.questions, ...(await store.holds.ofTask(task.taskId)).map(({ question }) => question)];
      const isForPeople = testForPeople(outcome.state, asked);
      await Promise.all(
        waiting.map(async (one) => {
          if (isForPeople(one.uri ?? ''))
            return store.attachments.settle(task.taskId, { ...one, omitted: 'link', bytes: null });
          const read = await fetched(one, transport, limited);
          signal.throwIfAborted();
          if ('why' in read) log.warn({ agent: task.agent, file: one.name, why: read.why }, 'a file was not fetched');
          return store.attachments.settle(task.taskId, read.part);
        }),
      );
      return { kept: null, lost };
    },
  };
}

/** What lies at an address is found there; what came in the message is nowhere else. */
const isLost = ({ source, omitted, uri }: Attachment): boolean =>
  source === 'question' && omitted === 'too_large' && uri === null;

/** A screen that an agent draws is mirrored into the run's events; who decides elsewhere has it as data under its name. */
const partsShown = ({ parts }: AgentMessage): NeutralPart[] =>
  parts.filter(
    (part) =>
      part.kind === 'file' || (part.kind === 'data' && (isPlainData(part) || surfaceOperations(part.data).length > 0)),
  );

function nameOf(data: Json): string {
  const [first] = surfaceOperations(data);
  return first === undefined ? 'data' : `screen ${first.surfaceId}`;
}

/** Of artifacts only files are kept here; their data and texts are shown as artifacts. */
function attachmentsOf(source: Attachment['source'], key: string, parts: readonly NeutralPart[]): NewAttachment[] {
  let shown = 0;
  const made = parts.slice(0, maxParts * 10).flatMap((part): NewAttachment[] => {
    if (part.kind === 'file') return [ofFile(source, key, part)];
    if (part.kind !== 'data' || source !== 'question') return [];
    const text = canonicalJson(part.data);
    const size = Buffer.byteLength(text);
    const base = {
      id: idOf(key, text),
      source,
      name: nameOf(part.data),
      mediaType: 'application/json',
      size,
      uri: null,
      digest: fingerprintOf(part.data),
      omitted: null,
    };
    shown += size;
    return [shown <= maxDataBytes ? { ...base, data: part.data, bytes: null } : { ...base, bytes: Buffer.from(text) }];
  });
  const byId = new Map(made.map((one) => [one.id, one]));
  const all = [...byId.values()];
  const unread = Math.max(0, parts.length - maxParts * 10);
  if (all.length <= maxParts && unread === 0) return all;
  const most = maxParts - 1;
  return [...all.slice(0, most), restOf(source, key, Math.max(0, all.length - most) + unread)];
}

/** What is not kept of them is not left out in silence. */
const restOf = (source: Attachment['source'], key: string, count: number): NewAttachment => ({
  id: idOf(key, 'more'),
  source,
  name: `${count} more files`,
  mediaType: 'application/octet-stream',
  size: null,
  uri: null,
  digest: null,
  omitted: 'too_large',
  bytes: null,
});

function ofFile(
  source: Attachment['source'],
  key: string,
  file: Extract<NeutralPart, { kind: 'file' }>,
): NewAttachment {
  const { name, mediaType, uri, base64 } = file;
  const id = idOf(key, JSON.stringify([name, mediaType, uri]), base64 ?? '');
  const base = { id, source, name: name || 'file', mediaType };
  if (base64 !== null) {
    const bytes = Buffer.from(base64, 'base64');
    const known = { ...base, size: bytes.byteLength, uri: null, digest: sha256Of(bytes) };
    return bytes.byteLength > maxAttachmentBytes
      ? { ...known, omitted: 'too_large', bytes: null }
      : { ...known, omitted: null, bytes };
  }
  const isWeb = uri !== null && /^https?:\/\//i.test(uri) && URL.canParse(uri);
  // Neither bytes nor an address: the agent sent more than one event may hold, or nothing.
  const gap = uri === null ? ('too_large' as const) : ('unavailable' as const);
  if (!isWeb) return { ...base, size: null, uri: null, digest: null, omitted: gap, bytes: null };
  return { ...base, size: null, uri, digest: null, omitted: isFileType(mediaType) ? null : 'link', bytes: null };
}

const idOf = (...parts: string[]): string => createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32);

async function fetched(
  one: Attachment,
  transport: Pick<A2aTransport, 'readFile'>,
  signal: AbortSignal,
): Promise<{ part: NewAttachment } | { part: NewAttachment; why: string }> {
  const read = await transport.readFile(one.uri ?? '', { signal, maxBytes: maxAttachmentBytes });
  if (read.result !== 'read') {
    return { part: { ...one, omitted: read.result, bytes: null }, why: read.why };
  }
  const { bytes } = read;
  return { part: { ...one, size: bytes.byteLength, digest: sha256Of(bytes), bytes } };
}
