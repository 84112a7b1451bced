import type { HoldId } from '../../contract/base/id-types.ts';
/** Absolute address of one of our pages; `path` begins with `/`. */
export const pageUrl = (publicUrl: string, path: string): string => `${publicUrl.replace(/\/+$/, '')}${path}`;

export const holdUrl = (publicUrl: string, holdId: HoldId): string => pageUrl(publicUrl, `/holds/${holdId}`);

/** Where a content of a question is read whole, at the same origin. */
export const contentPath = (holdId: HoldId, digest: string): string =>
  `/api/holds/${encodeURIComponent(holdId)}/content/${digest}`;
