// The attachments of a question: data and files of the message that asked it, and files among the artifacts.
import { z } from 'zod';
import type { Json } from '../base/json.ts';

/** Why its bytes are not here: over the limit, not to be had, at another origin, or at an address that only people open. */
const attachmentGaps = ['too_large', 'unavailable', 'elsewhere', 'link'] as const;

export interface Attachment {
  id: string;
  source: 'question' | 'artifact';
  name: string;
  mediaType: string;
  /** Null where it is not known. */
  size: number | null;
  /** Where the agent has it, when that is a web address. */
  uri: string | null;
  /** `sha256:…` over its bytes; null where they are not here. */
  digest: string | null;
  omitted: (typeof attachmentGaps)[number] | null;
  /** Small data, which is shown as such; everything else is a file. */
  data?: Json;
}

/** A file attached to a question as the outside sees it. */
export const ShownFileSchema = z.object({
  id: z.string(),
  source: z.enum(['question', 'artifact']),
  name: z.string(),
  mediaType: z.string(),
  size: z.number().nullable(),
  /** Its bytes, through Standfast; null where they are not here. */
  url: z.string().nullable(),
  /** Where the agent has it; a link, never fetched by a page. */
  uri: z.string().nullable(),
  digest: z.string().nullable(),
  omitted: z.enum(attachmentGaps).nullable(),
});
export type ShownFile = z.infer<typeof ShownFileSchema>;

/** Data attached to a question as the outside sees it. */
export const ShownDataSchema = z.object({ id: z.string(), name: z.string(), digest: z.string(), data: z.unknown() });
