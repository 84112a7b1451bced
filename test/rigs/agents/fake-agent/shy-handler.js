import { UnsupportedOperationError } from '@a2a-js/sdk/errors';

/** The SDK's handler, keeping back what the settings say it cannot show. */
export function withSettings(handler, settings) {
  const shown = (task) => {
    if (settings.current.hideHistory && Array.isArray(task?.history)) task.history = [];
    return task;
  };
  async function* shownStream(stream) {
    for await (const event of stream) {
      if (event.payload?.$case === 'task') shown(event.payload.value);
      yield event;
    }
  }
  return {
    getAgentCard: () => handler.getAgentCard(),
    getAuthenticatedExtendedAgentCard: (...args) => handler.getAuthenticatedExtendedAgentCard(...args),
    sendMessage: async (...args) => shown(await handler.sendMessage(...args)),
    sendMessageStream: (...args) => shownStream(handler.sendMessageStream(...args)),
    getTask: async (...args) => shown(await handler.getTask(...args)),
    cancelTask: async (...args) => shown(await handler.cancelTask(...args)),
    resubscribe: (...args) => shownStream(handler.resubscribe(...args)),
    async listTasks(...args) {
      if (settings.current.noListTasks) throw new UnsupportedOperationError('tasks cannot be listed');
      const list = await handler.listTasks(...args);
      list.tasks.forEach(shown);
      return list;
    },
    createTaskPushNotificationConfig: (...args) => handler.createTaskPushNotificationConfig(...args),
    getTaskPushNotificationConfig: (...args) => handler.getTaskPushNotificationConfig(...args),
    listTaskPushNotificationConfigs: (...args) => handler.listTaskPushNotificationConfigs(...args),
    deleteTaskPushNotificationConfig: (...args) => handler.deleteTaskPushNotificationConfig(...args),
  };
}
