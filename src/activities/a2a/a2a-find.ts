import { ListTasksRequest, type ListTasksResponse, type Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import type { TurnEvent } from '../../contract/tasks/turn.ts';
import { readTask } from '../../wire/a2a/dialects/read-event.ts';
import { lacksWay } from '../../core/turn/agent-errors.ts';
import { classifyA2aError } from './a2a-errors.ts';

export type TaskSnapshot = Extract<TurnEvent, { type: 'task' }>;

/** `unsupported`: this agent cannot answer. A probe that fails throws, and proves nothing. */
export type FoundMessage = 'unsupported' | { found: TaskSnapshot } | { absent: true };

const pageSize = 100;
/** With more tasks in one context, searching would cost more than asking a person. */
const maxTasks = 500;

/** Searches all tasks of a context for a message that Standfast sent (A2A 1.0 only; docs/wire.md). */
export async function findMessage(
  client: Client,
  what: { contextId: string; messageId: string },
  signal: AbortSignal,
): Promise<FoundMessage> {
  if (!client.protocolVersion.startsWith('1.')) return 'unsupported';
  const listed = await listAll(client, what.contextId, signal);
  if (listed === 'unsupported') return listed;
  const holder = listed.find((task) => holds(task, what.messageId));
  if (holder !== undefined) return { found: await snapshotOf(client, holder.id, signal) };
  // A listing may shorten histories silently, so "absent" is returned only after reading each task whole.
  for (const { id } of listed) {
    const task = await client.getTask({ tenant: '', id, historyLength: undefined }, { signal });
    if (holds(task, what.messageId)) return { found: asSnapshot(readTask(task)) };
  }
  return { absent: true };
}

async function listAll(client: Client, contextId: string, signal: AbortSignal): Promise<Task[] | 'unsupported'> {
  const tasks = new Map<string, Task>();
  const seen = new Set<string>();
  let pageToken = '';
  let expected = 0;
  do {
    const page = await listPage(client, { contextId, pageSize, pageToken }, signal);
    if (page === 'unsupported') return page;
    for (const task of page.tasks) {
      seen.add(task.id);
      // A server may ignore the filter.
      if (task.contextId === contextId) tasks.set(task.id, task);
    }
    expected = Math.max(expected, page.totalSize);
    if (page.nextPageToken === pageToken) break;
    pageToken = page.nextPageToken;
    if (seen.size > maxTasks) return 'unsupported';
  } while (pageToken !== '');
  // Pages shift while tasks change, and the SDK's own store then ends the list early.
  if (seen.size < expected) throw new Error('the list of tasks changed while it was read');
  return [...tasks.values()];
}

async function listPage(
  client: Client,
  query: { contextId: string; pageSize: number; pageToken: string },
  signal: AbortSignal,
): Promise<ListTasksResponse | 'unsupported'> {
  try {
    return await client.listTasks(ListTasksRequest.fromJSON(query), { signal });
  } catch (error) {
    const known = classifyA2aError(error, { signal });
    if (known.status !== 404 && lacksWay(known)) return 'unsupported';
    throw error;
  }
}

async function snapshotOf(client: Client, id: string, signal: AbortSignal): Promise<TaskSnapshot> {
  return asSnapshot(readTask(await client.getTask({ tenant: '', id, historyLength: undefined }, { signal })));
}

function asSnapshot(event: TurnEvent): TaskSnapshot {
  if (event.type === 'task') return event;
  throw new Error('the agent holds the message in a task that cannot be read');
}

function holds(task: Task, messageId: string): boolean {
  return task.history.some((message) => message.messageId === messageId);
}
