// What the list of tasks is narrowed by: all of it lives in the address; pure.
import { taskStatuses } from '../../../src/contract/tasks/task-names.ts';
import { withQuery } from '../base/router/routes.ts';

export interface TaskQuery {
  q: string;
  status: string;
  agent: string;
}

export const noTaskQuery: TaskQuery = { q: '', status: '', agent: '' };

export function readTaskQuery(search: string): TaskQuery {
  const given = new URLSearchParams(search);
  const status = given.get('status');
  return {
    q: (given.get('q') ?? '').slice(0, 200),
    status: taskStatuses.find((one) => one === status) ?? '',
    agent: given.get('agent') ?? '',
  };
}

export const tasksPath = (query: TaskQuery): string => withQuery('/tasks', { ...query });
export const taskApiPath = (query: TaskQuery): string => withQuery('/api/tasks', { ...query, sort: 'deadline' });
