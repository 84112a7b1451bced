import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Principal } from '../../../contract/base/principal.ts';
import { ownsThread } from '../../../core/policy/audience.ts';
import { StandfastError } from '../../../core/base/errors.ts';
import type { TaskRow } from '../../../store/store.ts';
import { route, type ApiApp } from '../../http/route.ts';
import { findHold, findTask } from '../../holds/find-hold.ts';
import { dispositionOf, readArtifact, readShownArtifact, type ArtifactBody } from '../../holds/hold-artifacts.ts';
import { readAttachment, readContent, servedAs } from '../../holds/attachments.ts';
import { PathIdSchema } from '../../http/query-params.ts';
import type { PolicyReads, WithStore } from '../../api-parts.ts';

/** Whatever an agent wrote is downloaded as a file: no browser runs it in Standfast's origin. */
const nothingRuns = "default-src 'none'; frame-ancestors 'none'; sandbox";

const ParamsSchema = z.object({ id: PathIdSchema, artifactId: PathIdSchema });

function sendFile(reply: FastifyReply, artifact: ArtifactBody): FastifyReply {
  return reply
    .type(artifact.contentType)
    .header('content-disposition', dispositionOf(artifact.fileName))
    .header('content-security-policy', nothingRuns)
    .header('cache-control', 'private, no-store')
    .serializer(String)
    .send(artifact.body);
}

/** What lies on a thread now is its newest task's: who was asked about an earlier one was not asked about that. */
async function refuseLaterTasks({ store }: WithStore, task: TaskRow, principal: Principal): Promise<void> {
  if (ownsThread(principal, task.owner)) return;
  const newest = await store.tasks.newest(task.agent, task.threadId);
  if (newest === null || newest.taskId === task.taskId) return;
  throw new StandfastError('not_found', 'the thread has gone on; the question has its artifacts as they were then');
}

export function artifactRoutes(app: ApiApp, api: PolicyReads): void {
  app.get(
    '/api/tasks/:id/artifacts/:artifactId',
    route('caller', 'tasks', { summary: 'An artifact as last known, as a file: text, or JSON', params: ParamsSchema }),
    async ({ params, principal }, reply) => {
      const task = await findTask(api, params.id, principal);
      await refuseLaterTasks(api, task, principal);
      const artifact = await readArtifact(api, task, params.artifactId);
      if (artifact === null) throw new StandfastError('not_found', `there is no artifact ${params.artifactId}`);
      return sendFile(reply, artifact);
    },
  );

  app.get(
    '/api/holds/:id/files/:fileId',
    route('caller', 'holds', {
      summary: 'A file that the question showed, as its digest covers it',
      params: z.object({ id: PathIdSchema, fileId: PathIdSchema }),
    }),
    async ({ params, principal }, reply) => {
      const hold = await findHold(api, params.id, principal);
      const found = await readAttachment(api, hold, params.fileId);
      if (found === null) throw new StandfastError('not_found', `the question showed no file ${params.fileId}`);
      const { contentType, isInline } = servedAs(found.file);
      const disposition = dispositionOf(found.file.name);
      return reply
        .type(contentType)
        .header('content-disposition', isInline ? disposition.replace(/^attachment/, 'inline') : disposition)
        .header('content-security-policy', nothingRuns)
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'private, no-store')
        .serializer((body: unknown) => body as string)
        .send(Buffer.from(found.bytes));
    },
  );

  app.get(
    '/api/holds/:id/content/:digest',
    route('caller', 'holds', {
      summary: 'A text or value of the question that is too long to be carried with it, whole',
      params: z.object({ id: PathIdSchema, digest: PathIdSchema }),
    }),
    async ({ params, principal }, reply) => {
      const hold = await findHold(api, params.id, principal);
      const found = await readContent(api, hold, params.digest);
      if (found === null)
        throw new StandfastError(
          'not_found',
          `the question has no content ${params.digest}, or it is not here any more`,
        );
      const fileName = `${params.digest.replace(':', '-')}.${found.mediaType === 'text/plain' ? 'txt' : 'json'}`;
      return reply
        .type(`${found.mediaType}; charset=utf-8`)
        .header('content-disposition', dispositionOf(fileName).replace(/^attachment/, 'inline'))
        .header('content-security-policy', nothingRuns)
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'private, no-store')
        .serializer(String)
        .send(found.text);
    },
  );

  app.get(
    '/api/holds/:id/artifacts/:artifactId',
    route('caller', 'holds', {
      summary: 'An artifact as it was when the question was asked, and as the question’s digest covers it',
      params: ParamsSchema,
    }),
    async ({ params, principal }, reply) => {
      const hold = await findHold(api, params.id, principal);
      const artifact = await readShownArtifact(api, hold, params.artifactId);
      if (artifact === null)
        throw new StandfastError('not_found', `the question was asked about no artifact ${params.artifactId}`);
      return sendFile(reply, artifact);
    },
  );
}
