// The files of a program's question: kept under its task before it is asked, and shown with it as an agent's are.
import type { AskFile } from '../../contract/views/ask.ts';
import { sha256Of } from '../../host/secrets/hash.ts';
import type { NewAttachment } from '../../store/ports/attachments.ts';

const idOf = (...parts: string[]): string =>
  sha256Of(Buffer.from(JSON.stringify(parts))).slice('sha256:'.length, 'sha256:'.length + 32);

/** By name, type and content: the same file again is the same. */
export const keptFiles = (files: readonly AskFile[]): NewAttachment[] =>
  files.map(({ name, mediaType, data }) => {
    const bytes = Buffer.from(data, 'base64');
    const digest = sha256Of(bytes);
    const id = idOf(name, mediaType, digest);
    return { id, source: 'question', name, mediaType, size: bytes.byteLength, uri: null, digest, omitted: null, bytes };
  });

/** Under a key of its question's text: the same file of another text has another id. */
export const filesUnder = (filesKey: string, files: readonly NewAttachment[]): NewAttachment[] =>
  files.map((file) => ({ ...file, id: idOf(filesKey, file.id) }));

/** What of its files is part of a question's text; missing: it has none. */
export const filesIn = (files: readonly NewAttachment[]): { files?: string[] } =>
  files.length === 0 ? {} : { files: files.map(({ id }) => id) };
