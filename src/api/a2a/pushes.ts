// Where callers want to be told of their tasks. Tokens and credentials are sealed as soon as they are here, and never shown again.
import { randomUUID } from 'node:crypto';
import {
  type DeleteTaskPushNotificationConfigRequest,
  type GetTaskPushNotificationConfigRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { RequestMalformedError, TaskNotFoundError } from '@a2a-js/sdk/errors';
import type { ServerCallContext } from '@a2a-js/sdk/server';
import { type CallerPush, type PushSecrets, pushSealId } from '../../contract/caller.ts';
import type { JsonObject } from '../../contract/json.ts';
import { callersEgress } from '../../host/net/egress.ts';
import type { ApiContext } from '../api-context.ts';
import { callerOf, ownTask } from './caller.ts';

const maxConfigs = 20;
const idShape = /^[\w.:-]{1,100}$/;

export interface Pushes {
  create(config: TaskPushNotificationConfig, context: ServerCallContext): Promise<TaskPushNotificationConfig>;
  get(params: GetTaskPushNotificationConfigRequest, context: ServerCallContext): Promise<TaskPushNotificationConfig>;
  list(
    params: ListTaskPushNotificationConfigsRequest,
    context: ServerCallContext,
  ): Promise<ListTaskPushNotificationConfigsResponse>;
  remove(params: DeleteTaskPushNotificationConfigRequest, context: ServerCallContext): Promise<void>;
  /** Checks what a message brings before the message is taken. */
  check(config: TaskPushNotificationConfig): void;
}

export function createPushes(api: ApiContext, agent: string): Pushes {
  const { callers } = api.store;
  const egress = callersEgress(api.config);

  function check({ url, id }: TaskPushNotificationConfig): void {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
      throw new RequestMalformedError('url: expected an http(s) address');
    if (id !== '' && !idShape.test(id))
      throw new RequestMalformedError('id: expected 1–100 letters, digits, ".", ":", "_", "-"');
    try {
      egress.check(new URL(url).hostname.replace(/^\[|\]$/g, ''));
    } catch (error) {
      throw new RequestMalformedError(`url: ${error instanceof Error ? error.message : 'may not be called'}`);
    }
  }

  async function find(taskId: string, id: string, context: ServerCallContext): Promise<CallerPush> {
    await ownTask(api, agent, taskId, callerOf(context));
    const push = (await callers.pushesOf(taskId)).find(({ configId }) => configId === id);
    if (push === undefined)
      throw new TaskNotFoundError(`the task ${taskId} has no push configuration ${id.slice(0, 100)}`);
    return push;
  }

  return {
    check,
    async create(config, context) {
      check(config);
      const row = await ownTask(api, agent, config.taskId, callerOf(context));
      const configId = config.id === '' ? randomUUID() : config.id;
      const there = await callers.pushesOf(row.taskId);
      if (there.length >= maxConfigs && !there.some((one) => one.configId === configId))
        throw new RequestMalformedError(`a task has at most ${maxConfigs} push configurations`);
      const { token, authentication, url } = config;
      const secrets: PushSecrets = { token, authentication: authentication ?? null };
      const names = { taskId: row.taskId, configId };
      // Safe: texts, and null.
      const box = api.sealer.seal(pushSealId(names), secrets as unknown as JsonObject);
      const version = context.requestedVersion.startsWith('0.') ? '0.3' : '1.0';
      await callers.putPush({ ...names, url, version, box, deliveredSeq: row.lastSeq });
      return shown({ ...names, url });
    },
    async get({ taskId, id }, context) {
      return shown(await find(taskId, id, context));
    },
    async list({ taskId }, context) {
      await ownTask(api, agent, taskId, callerOf(context));
      return { configs: (await callers.pushesOf(taskId)).map(shown), nextPageToken: '' };
    },
    async remove({ taskId, id }, context) {
      await ownTask(api, agent, taskId, callerOf(context));
      await callers.removePush(taskId, id);
    },
  };
}

const shown = ({
  taskId,
  configId,
  url,
}: Pick<CallerPush, 'taskId' | 'configId' | 'url'>): TaskPushNotificationConfig =>
  TaskPushNotificationConfig.fromJSON({ taskId, id: configId, url });
