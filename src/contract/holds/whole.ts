// Content of a question that is too long to be carried with it: it lies whole with the question's attachments.
import { z } from 'zod';

/** Where such content stands in its question, as JSON pointers. */
export const wholeAt = ['/message', '/stated/reasoning', '/tool/args', '/reply', '/form', '/judged/sent'] as const;
export type WholeAt = (typeof wholeAt)[number];

/** One content; what stands in its place in the question has its beginning and its end. */
export interface WholePart {
  at: WholeAt;
  /** `sha256:…` over its bytes, by which it is read: a text in UTF-8, or a value as canonical JSON. */
  digest: string;
  bytes: number;
  mediaType: 'text/plain' | 'application/json';
  /** It is not here: its task has had all the room that is kept for one. */
  omitted?: 'too_large';
}

/** One content as the outside sees it. */
export const ShownWholeSchema = z.object({
  at: z.enum(wholeAt),
  digest: z.string(),
  bytes: z.number(),
  mediaType: z.enum(['text/plain', 'application/json']),
  /** Where it is read whole, by who may see the question; null: it is not here. */
  url: z.string().nullable(),
});
