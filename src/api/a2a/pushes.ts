// Where callers want push notifications of their tasks. Tokens and credentials are sealed on arrival, and never shown again.
import type { TaskId } from '../../contract/base/id-types.ts';
import { randomUUID } from 'node:crypto';
import { validateHeaderValue } from 'node:http';
import {
  type DeleteTaskPushNotificationConfigRequest,
  type GetTaskPushNotificationConfigRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { RequestMalformedError, TaskNotFoundError } from '@a2a-js/sdk/errors';
import type { ServerCallContext } from '@a2a-js/sdk/server';
import { type CallerPush, type PushSecrets, pushSealId } from '../../contract/tasks/caller.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { callersEgress, whyNotCalled } from '../../host/net/egress.ts';
import type { Callers } from '../../store/ports/callers.ts';
import type { ApiContext } from '../api-context.ts';
import { callerOf, ownTask } from './caller.ts';

const isOld = ({ requestedVersion }: ServerCallContext): boolean => requestedVersion.startsWith('0.');

/** In 0.3 a task has one configuration without a name; SDKs of that time know it by the id of its task, too. */
const namedBy = (taskId: TaskId, id: string, context: ServerCallContext): string =>
  isOld(context) && (id === '' || id === taskId) ? 'default' : id;

const maxConfigs = 20;
const maxHeaderChars = 4096;
const idShape = /^[\w.:-]{1,100}$/;

interface Pushes {
  create(config: TaskPushNotificationConfig, context: ServerCallContext): Promise<TaskPushNotificationConfig>;
  get(params: GetTaskPushNotificationConfigRequest, context: ServerCallContext): Promise<TaskPushNotificationConfig>;
  list(
    params: ListTaskPushNotificationConfigsRequest,
    context: ServerCallContext,
  ): Promise<ListTaskPushNotificationConfigsResponse>;
  remove(params: DeleteTaskPushNotificationConfigRequest, context: ServerCallContext): Promise<void>;
  /** What a message brings, checked before the message is taken. */
  ofMessage(config: TaskPushNotificationConfig, context: ServerCallContext): PutPush;
}

/** Stores a message's configuration in the transaction that stores the message: both or neither. */
export type PutPush = (callers: Callers, task: { taskId: TaskId; lastSeq: number }) => Promise<void>;

export function createPushes(api: Pick<ApiContext, 'config' | 'sealer' | 'store'>, agent: string): Pushes {
  const { callers } = api.store;
  const egress = callersEgress(api.config);

  function check({ url, id, token, authentication }: TaskPushNotificationConfig): void {
    const why = whyNotCalled(url, egress);
    if (why !== null) throw new RequestMalformedError(`url: ${why}`);
    const { scheme = '', credentials = '' } = authentication ?? {};
    const headers = { token, 'authentication.scheme': scheme, 'authentication.credentials': credentials };
    for (const [name, value] of Object.entries(headers))
      if (!isHeaderValue(value))
        throw new RequestMalformedError(
          `${name}: expected at most ${maxHeaderChars} characters that a header may hold`,
        );
    if (id !== '' && !idShape.test(id))
      throw new RequestMalformedError('id: expected 1–100 letters, digits, ".", ":", "_", "-"');
  }

  function rowOf(
    config: TaskPushNotificationConfig,
    taskId: TaskId,
    configId: string,
    isOfOld: boolean,
  ): Omit<CallerPush, 'deliveredSeq'> {
    const { token, authentication, url } = config;
    const secrets: PushSecrets = { token, authentication: authentication ?? null };
    const names = { taskId, configId };
    // Safe: texts, and null.
    const box = api.sealer.seal(pushSealId(names), secrets as unknown as JsonObject);
    return { ...names, url, version: isOfOld ? '0.3' : '1.0', box };
  }

  async function find(taskId: TaskId, id: string, context: ServerCallContext): Promise<CallerPush> {
    await ownTask(api, agent, taskId, callerOf(context));
    const named = namedBy(taskId, id, context);
    const push = (await callers.pushesOf(taskId)).find(({ configId }) => configId === named);
    if (push === undefined)
      throw new TaskNotFoundError(`the task ${taskId} has no push configuration ${id.slice(0, 100)}`);
    return push;
  }

  return {
    ofMessage(config, context) {
      check(config);
      const isOfOld = isOld(context);
      return async (there, { taskId, lastSeq }) => {
        const row = rowOf(config, taskId, namedBy(taskId, config.id || 'message', context), isOfOld);
        await putWhereRoom(there, { ...row, deliveredSeq: lastSeq });
      };
    },
    async create(config, context) {
      check(config);
      const { taskId, lastSeq } = await ownTask(api, agent, config.taskId, callerOf(context));
      const row = rowOf(config, taskId, namedBy(taskId, config.id, context) || randomUUID(), isOld(context));
      await putWhereRoom(callers, { ...row, deliveredSeq: lastSeq });
      return shown(row);
    },
    async get({ taskId, id }, context) {
      return shown(await find(taskId, id, context));
    },
    async list({ taskId, pageSize, pageToken }, context) {
      if (!(pageSize >= 0)) throw new RequestMalformedError('pageSize: expected at least 0');
      await ownTask(api, agent, taskId, callerOf(context));
      const after = afterOf(pageToken);
      const rest = (await callers.pushesOf(taskId))
        .toSorted((a, b) => (a.configId < b.configId ? -1 : 1))
        .filter(({ configId }) => configId > after);
      const page = rest.slice(0, pageSize === 0 ? maxConfigs : pageSize);
      const last = page.length < rest.length ? page.at(-1) : undefined;
      const nextPageToken = last === undefined ? '' : Buffer.from(last.configId).toString('base64url');
      return { configs: page.map(shown), nextPageToken };
    },
    async remove({ taskId, id }, context) {
      await ownTask(api, agent, taskId, callerOf(context));
      const named = namedBy(taskId, id, context);
      if (idShape.test(named)) await callers.removePush(taskId, named);
    },
  };
}

/** The configuration at which a page ended. */
function afterOf(pageToken: string): string {
  const id = Buffer.from(pageToken, 'base64url').toString();
  if (pageToken !== '' && !idShape.test(id)) throw new RequestMalformedError('pageToken: is none of Standfast’s');
  return id;
}

/** What no header can carry would be tried in vain for a week. */
function isHeaderValue(value: string): boolean {
  try {
    validateHeaderValue('x', value);
    return value.length <= maxHeaderChars;
  } catch {
    return false;
  }
}

async function putWhereRoom(callers: Callers, push: CallerPush): Promise<void> {
  const there = await callers.pushesOf(push.taskId);
  if (there.length >= maxConfigs && !there.some(({ configId }) => configId === push.configId))
    throw new RequestMalformedError(`a task has at most ${maxConfigs} push configurations`);
  await callers.putPush(push);
}

const shown = ({
  taskId,
  configId,
  url,
}: Pick<CallerPush, 'taskId' | 'configId' | 'url'>): TaskPushNotificationConfig =>
  TaskPushNotificationConfig.fromJSON({ taskId, id: configId, url });
