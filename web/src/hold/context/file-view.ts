// How an attached file is shown; pure. A picture is drawn as one and never opened as a page of this origin.
import type { ShownFile } from '../../../../src/contract/holds/attachment.ts';

export type FileView = 'image' | 'text' | 'download' | 'link' | 'none';

const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml'];
const texts = ['text/plain', 'text/csv', 'text/markdown', 'application/json'];
/** Longer texts are downloaded. */
const maxTextBytes = 64 * 1024;

const bare = (mediaType: string): string => mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';

export function fileView({
  url,
  uri,
  mediaType,
  size,
}: Pick<ShownFile, 'url' | 'uri' | 'mediaType' | 'size'>): FileView {
  if (url === null) return uri === null ? 'none' : 'link';
  if (pictures.includes(bare(mediaType))) return 'image';
  return texts.includes(bare(mediaType)) && (size ?? Infinity) <= maxTextBytes ? 'text' : 'download';
}

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kib = bytes / 1024;
  return kib < 1024 ? `${Math.ceil(kib)} KB` : `${(kib / 1024).toFixed(1)} MB`;
}
