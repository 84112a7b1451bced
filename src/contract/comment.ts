import { z } from 'zod';

/** Comments that one question takes; more are nobody's discussion. */
export const maxComments = 200;

/** The comments on one question, oldest first, and whom a comment may name. */
export const CommentsSchema = z
  .object({
    items: z.array(
      z.object({ id: z.number(), at: z.string(), by: z.string(), text: z.string(), mentions: z.array(z.string()) }),
    ),
    people: z.array(z.string()),
  })
  .meta({ id: 'Comments' });
export type CommentsView = z.infer<typeof CommentsSchema>;
