import { z } from 'zod';
import { acts } from '../../../contract/acts/act-names.ts';
import { TimelineEntrySchema, ChatBodySchema, ChatReplySchema, ChatSchema } from '../../../contract/views/inbox.ts';
import { holdSorts } from '../../../contract/views/inbox-names.ts';
import { plainText } from '../../../contract/base/text-schemas.ts';
import { TaskViewSchema } from '../../../contract/tasks/task.ts';
import { taskStatuses } from '../../../contract/tasks/task-names.ts';
import { isOperator } from '../../../core/policy/audience.ts';
import { route, type ApiApp } from '../../http/route.ts';
import type { ApiContext } from '../../api-context.ts';
import { wordsOf } from '../../acts/acting.ts';
import { findTask } from '../../holds/find-hold.ts';
import { refuseStranger } from '../../auth/principal.ts';
import { taskArtifacts } from '../../holds/hold-artifacts.ts';
import { sendProblem } from '../../http/problems.ts';
import { aliasesOf } from '../../inbox/hold-query.ts';
import { IdParamsSchema, PageQueryShape, enumListParam, enumParam } from '../../http/query-params.ts';
import { restartTask, ThreadBusyError } from '../../runs/restart.ts';
import { cancelTask } from '../../tasks/cancel-task.ts';
import { timelineOf } from '../../tasks/task-timeline.ts';
import { askTaskView, readTaskView, readTaskViews } from '../../tasks/task-view.ts';
import { randomUUID } from 'node:crypto';
import { sendToTask } from '../../runs/send-to-task.ts';
import { readChat } from '../../tasks/task-chat.ts';

export function taskRoutes(app: ApiApp, api: ApiContext): void {
  const { store } = api;
  const aliases = aliasesOf(api);

  app.get(
    '/api/tasks',
    route('caller', 'tasks', {
      summary: 'Tasks, newest first',
      description:
        '`sort=deadline`: the one with the question that is due first, then those that nothing is due of. `mine=true`: only what the caller began, also for operators, who see everything. `stuck=true`: only those that do not go on, as their agent is away or their workflow fails. `q`: words of what they began with, of agent and requester, by their names too. `waiting` has the open questions of each, with the steps of their policy.',
      querystring: z.object({
        status: enumListParam(taskStatuses, 'only tasks with this status'),
        mine: z.enum(['true', 'false']).optional().describe('`true`: only what the caller began'),
        sort: enumParam(holdSorts, 'what comes first'),
        stuck: z.enum(['true', 'false']).optional().describe('`true`: only those that do not go on'),
        q: plainText(500).optional().describe('words of what they began with, of agent or requester'),
        ...PageQueryShape,
      }),
      response: { 200: z.object({ items: z.array(TaskViewSchema), nextCursor: z.string().nullable() }) },
    }),
    async ({ query, principal }) => {
      const page = await store.tasks.list({
        ...(query.status === undefined ? {} : { statuses: query.status }),
        ...(query.id === undefined ? {} : { idPrefix: query.id }),
        ...(query.agent === undefined ? {} : { agent: query.agent }),
        ...(query.sort === undefined ? {} : { sort: query.sort }),
        ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
        ...(query.limit === undefined ? {} : { limit: query.limit }),
        ...(query.stuck === 'true' ? { isStuck: true } : {}),
        ...(query.q === undefined ? {} : { q: query.q, aliases }),
        owner: isOperator(principal) && query.mine !== 'true' ? null : principal.id,
      });
      return { items: await readTaskViews(api, page.items, principal), nextCursor: page.nextCursor };
    },
  );

  app.get(
    '/api/tasks/:id',
    route('caller', 'tasks', {
      summary: 'One task, by its workflow while it runs',
      params: IdParamsSchema,
      response: { 200: TaskViewSchema },
    }),
    async ({ params, principal }) => {
      const row = await findTask(api, params.id, principal);
      const [view, artifacts] = await Promise.all([askTaskView(api, row), taskArtifacts(api, row, principal)]);
      return { ...view, artifacts };
    },
  );

  app.post(
    acts.cancel.one.path,
    route('caller', 'tasks', {
      ...wordsOf('cancel'),
      params: IdParamsSchema,
      response: { 200: TaskViewSchema, 202: TaskViewSchema },
    }),
    async ({ params, principal }, reply) => {
      const row = await findTask(api, params.id, principal);
      refuseStranger(principal, row.owner);
      const { isEnded, view } = await cancelTask(api, row, principal.id);
      return reply.code(isEnded ? 200 : 202).send(view);
    },
  );

  app.get(
    '/api/tasks/:id/timeline',
    route('caller', 'tasks', {
      summary: 'What became of a task, oldest first',
      params: IdParamsSchema,
      response: { 200: z.object({ items: z.array(TimelineEntrySchema) }) },
    }),
    async ({ params, principal }) => {
      const task = await findTask(api, params.id, principal);
      const [holds, restarted] = await Promise.all([
        store.holds.ofTask(task.taskId),
        task.restartedAs === null ? null : store.tasks.get(task.restartedAs),
      ]);
      return { items: timelineOf(task, holds, restarted) };
    },
  );

  app.post(
    '/api/tasks/:id/restart',
    route('operator', 'tasks', {
      summary: 'Try a failed task again, with the message it began with; a second call gives the same new task',
      params: IdParamsSchema,
      response: { 200: TaskViewSchema },
    }),
    async (request, reply) => {
      const { params, principal } = request;
      try {
        const next = await restartTask(api, await findTask(api, params.id, principal), principal);
        return reply.send(await readTaskView(api, next));
      } catch (error) {
        if (!(error instanceof ThreadBusyError)) throw error;
        // Not a matter of trying again soon: another task must end first.
        return sendProblem(request, reply, { code: error.code, detail: error.message, status: 409 });
      }
    },
  );
}

export function chatRoutes(app: ApiApp, api: ApiContext): void {
  app.get(
    '/api/tasks/:id/chat',
    route('caller', 'tasks', {
      summary: "A task's conversation: messages, questions and answers",
      description:
        'What is kept here, and what only the agent knows in its place (`source: agent`): sent through another client, or before the task came here. Without the agent’s answer within two seconds it is what is kept here (`source: stored`).',
      params: IdParamsSchema,
      response: { 200: ChatSchema },
    }),
    async ({ params, principal }) => {
      const task = await findTask(api, params.id, principal);
      return readChat(api, task);
    },
  );

  app.post(
    '/api/tasks/:id/chat/message',
    route('caller', 'tasks', {
      summary: "A person's word to the agent: now, before a decision, or as the thread's next task",
      description:
        'For the owner, operators, and who may decide an open question of the task. The same `messageId` again is taken once; with other words it is refused with `run_conflict`. `answers` names the question in words that it answers, null that it answers none; where that one has ended, or another one is asked by then, it is refused with `changed_meanwhile`.',
      params: IdParamsSchema,
      body: ChatBodySchema,
      response: { 200: ChatReplySchema },
    }),
    async ({ params, body, principal }) => {
      const task = await findTask(api, params.id, principal);
      return sendToTask(
        api,
        task,
        {
          text: body.text ?? body.message ?? '',
          messageId: body.messageId ?? randomUUID(),
          ...(body.answers === undefined ? {} : { answers: body.answers }),
        },
        principal,
      );
    },
  );
}
