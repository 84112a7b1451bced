import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { holdStatuses, HoldViewSchema } from '../../contract/hold.ts';
import { entriesOf, isOperator } from '../../core/audience.ts';
import type { Room } from '../deps.ts';
import { findHold } from '../find-hold.ts';
import { holdViewOf } from '../hold-view.ts';
import { IdParamsSchema, PageQueryShape, PathIdSchema, wordList } from '../query-words.ts';

export function holdRoutes(app: FastifyInstance, room: Room): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();

  typed.get(
    '/api/holds',
    {
      config: { access: 'caller' },
      schema: {
        tags: ['holds'],
        summary: 'The inbox: questions this caller may see, newest first',
        querystring: z.object({
          status: wordList(holdStatuses),
          taskId: PathIdSchema.optional(),
          threadId: PathIdSchema.optional(),
          ...PageQueryShape,
        }),
        response: { 200: z.object({ items: z.array(HoldViewSchema), nextCursor: z.string().nullable() }) },
      },
    },
    async ({ query, principal }) => {
      const page = await room.store.holds.list({
        ...(query.status === undefined ? {} : { statuses: query.status }),
        ...(query.agent === undefined ? {} : { agent: query.agent }),
        ...(query.taskId === undefined ? {} : { taskId: query.taskId }),
        ...(query.threadId === undefined ? {} : { threadId: query.threadId }),
        ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
        ...(query.limit === undefined ? {} : { limit: query.limit }),
        visibleTo: isOperator(principal) ? null : { owner: principal.id, entries: entriesOf(principal) },
      });
      return { items: page.items.map((row) => holdViewOf(row, principal)), nextCursor: page.nextCursor };
    },
  );

  typed.get(
    '/api/holds/:id',
    {
      config: { access: 'caller' },
      schema: {
        tags: ['holds'],
        summary: 'One question, by hold id or interrupt id',
        params: IdParamsSchema,
        response: { 200: HoldViewSchema },
      },
    },
    async ({ params, principal }) => holdViewOf(await findHold(room, params.id, principal), principal),
  );
}
