// The attachments of a question when it was asked, for those who may see the question.
import type { Attachment } from '../../contract/holds/attachment.ts';
import type { HoldView } from '../../contract/holds/hold.ts';
import { contentPath } from '../../core/base/page-url.ts';
import { shownWhole } from '../../core/consent/whole.ts';
import { sha256Of, sha256OfText } from '../../host/secrets/hash.ts';
import type { HoldRow, Store } from '../../store/store.ts';

type Shown = Pick<HoldView['context'], 'data' | 'files'>;

export function attachmentsOf({ holdId, attachments }: Pick<HoldRow, 'holdId' | 'attachments'>): Shown {
  const base = `/api/holds/${encodeURIComponent(holdId)}/files`;
  return {
    data: attachments.flatMap(({ id, name, digest, data }) =>
      data === undefined ? [] : [{ id, name, digest: digest ?? '', data }],
    ),
    files: attachments.flatMap(({ data, ...file }) =>
      data === undefined
        ? [{ ...file, url: file.digest === null || file.omitted !== null ? null : `${base}/${file.id}` }]
        : [],
    ),
  };
}

/** What is too long to be carried with the question, and where each is read whole. */
export function wholeOf({ holdId, question }: Pick<HoldRow, 'holdId' | 'question'>): HoldView['context']['whole'] {
  return shownWhole(question).map(({ omitted, ...part }) => ({
    ...part,
    url: omitted === undefined ? contentPath(holdId, part.digest) : null,
  }));
}

/** A content of this question, as its digest covers it; null when it has none of this digest. */
export async function readContent(
  { store }: { store: Pick<Store, 'attachments'> },
  { taskId, question }: Pick<HoldRow, 'taskId' | 'question'>,
  digest: string,
): Promise<{ mediaType: string; text: string } | null> {
  const part = shownWhole(question).find((one) => one.digest === digest);
  if (part === undefined) return null;
  const text = await store.attachments.content(taskId, digest);
  return text === null || sha256OfText(text) !== digest ? null : { mediaType: part.mediaType, text };
}

interface FileBody {
  file: Attachment;
  bytes: Uint8Array;
}

/** A file that this question showed, as its digest covers it; null when it showed none of this id. */
export async function readAttachment(
  { store }: { store: Pick<Store, 'attachments'> },
  { taskId, attachments }: Pick<HoldRow, 'taskId' | 'attachments'>,
  id: string,
): Promise<FileBody | null> {
  const file = attachments.find((one) => one.id === id);
  if (file === undefined || file.data !== undefined || file.digest === null) return null;
  const bytes = await store.attachments.bytes(taskId, id);
  return bytes === null || sha256Of(bytes) !== file.digest ? null : { file, bytes };
}

/** Types that a browser may show in a tab: pictures of dots, and plain text. None of them can run anything. */
const shownInline = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'text/plain']);
/** Types that keep their name when they are downloaded; an SVG is a picture in a page, and never a document of Standfast's origin. */
const named = new Set([...shownInline, 'image/svg+xml', 'application/pdf', 'application/json', 'text/csv']);

/** How a file is served: anything that could run in a browser is a download, whatever type its agent gives it. */
export function servedAs({ mediaType }: Pick<Attachment, 'mediaType'>): { contentType: string; isInline: boolean } {
  const bare = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const contentType = named.has(bare) ? bare : 'application/octet-stream';
  const charset = contentType.startsWith('text/') ? '; charset=utf-8' : '';
  return { contentType: `${contentType}${charset}`, isInline: shownInline.has(bare) };
}
