import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { ChatBodySchema, ChatReplySchema, ChatSchema } from '../../contract/inbox.ts';
import type { ApiContext } from '../api-context.ts';
import { findTask } from '../holds/find-hold.ts';
import { IdParamsSchema } from '../http/query-params.ts';
import { sendToTask } from '../runs/send-to-task.ts';
import { readChat } from '../tasks/task-chat.ts';

export function chatRoutes(app: FastifyInstance, api: ApiContext): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();

  typed.get(
    '/api/tasks/:id/chat',
    {
      config: { access: 'caller' },
      schema: {
        tags: ['tasks'],
        summary: "A task's conversation: what was said, asked and answered",
        description:
          'What is kept here, and what only the agent knows in its place (`source: agent`): said through another client, or before the task came here. Without the agent’s answer within two seconds it is what is kept here (`source: stored`).',
        params: IdParamsSchema,
        response: { 200: ChatSchema },
      },
    },
    async ({ params, principal }) => {
      const task = await findTask(api, params.id, principal);
      return readChat(api, task);
    },
  );

  typed.post(
    '/api/tasks/:id/chat/message',
    {
      config: { access: 'caller' },
      schema: {
        tags: ['tasks'],
        summary: "A person's word to the agent: now, before a decision, or as the thread's next task",
        description:
          'For the owner, operators, and who may decide an open question of the task. The same `messageId` again is taken once; with other words it is refused with `run_conflict`.',
        params: IdParamsSchema,
        body: ChatBodySchema,
        response: { 200: ChatReplySchema },
      },
    },
    async ({ params, body, principal }) => {
      const task = await findTask(api, params.id, principal);
      return sendToTask(
        api,
        task,
        { text: body.text ?? body.message ?? '', messageId: body.messageId ?? randomUUID() },
        principal,
      );
    },
  );
}
