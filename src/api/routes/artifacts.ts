import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { HoldpointError } from '../../core/errors.ts';
import type { Room } from '../deps.ts';
import { findTask } from '../find-hold.ts';
import { dispositionOf, readArtifact } from '../hold-artifacts.ts';
import { PathIdSchema } from '../query-words.ts';

/** Whatever an agent wrote is taken away as a file: no browser runs it as ours. */
const nothingRuns = "default-src 'none'; frame-ancestors 'none'; sandbox";

export function artifactRoutes(app: FastifyInstance, room: Room): void {
  app.withTypeProvider<ZodTypeProvider>().get(
    '/api/tasks/:id/artifacts/:artifactId',
    {
      config: { access: 'caller' },
      schema: {
        tags: ['tasks'],
        summary: 'An artifact as last known, as a file: text, or JSON',
        params: z.object({ id: PathIdSchema, artifactId: PathIdSchema }),
      },
    },
    async ({ params, principal }, reply) => {
      const task = await findTask(room, params.id, principal);
      const artifact = await readArtifact(room, task, params.artifactId);
      if (artifact === null) throw new HoldpointError('not_found', `there is no artifact ${params.artifactId}`);
      return reply
        .type(artifact.contentType)
        .header('content-disposition', dispositionOf(artifact.fileName))
        .header('content-security-policy', nothingRuns)
        .header('cache-control', 'private, no-store')
        .serializer(String)
        .send(artifact.body);
    },
  );
}
