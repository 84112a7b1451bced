import type { Principal } from '../../contract/base/principal.ts';
import { maySee, ownsThread } from '../../core/policy/audience.ts';
import { StandfastError } from '../../core/base/errors.ts';
import type { HoldRow, TaskRow } from '../../store/store.ts';
import type { Refusal } from '../../contract/base/problem.ts';
import type { PolicyReads, WithStore } from '../api-parts.ts';

const interruptId = /^(hitl|input|operator)-(.+)-\d+$/s;

/** Interrupt ids carry the id of their task: the agent's, or Standfast's for an unconfirmed message and for what a program asked. */
async function findByInterrupt(api: PolicyReads, id: string): Promise<HoldRow[]> {
  const [, prefix, taskPart] = interruptId.exec(id) ?? [];
  if (taskPart === undefined) return [];
  const agents = Object.keys(api.config.agents);
  const byA2aId = prefix === 'operator' ? [] : agents.map((agent) => api.store.tasks.ofA2aId(agent, taskPart));
  const found = (await Promise.all([api.store.tasks.get(taskPart), ...byA2aId])).flat();
  const tasks = found.filter((task): task is TaskRow => task !== null);
  const holds = await Promise.all(tasks.map((task) => api.store.holds.ofTask(task.taskId)));
  return holds.flat().filter((hold) => hold.interruptId === id);
}

/** A hold by hold id or interrupt id; throws `not_found`, also for who may not see it, unless `isShown` holds. */
export async function findHold(
  api: PolicyReads,
  id: string,
  principal: Principal,
  isShown: (row: HoldRow) => boolean = () => false,
): Promise<HoldRow> {
  const byId = await api.store.holds.get(id);
  const candidates = byId === null ? await findByInterrupt(api, id) : [byId];
  const seen = candidates.filter((hold) => maySee(hold, principal, hold.owner) || isShown(hold));
  // Two agents may have given their tasks the same id: then the one that is still open is meant.
  const hold = seen.find((one) => one.status === 'open') ?? seen[0];
  if (hold !== undefined) return hold;
  throw new StandfastError('not_found', `there is no hold ${id}`);
}

/** The same, of a hold that is open still; throws `hold_closed` or `interrupt_expired` for others. */
export async function findOpenHold(
  api: PolicyReads,
  id: string,
  principal: Principal,
  isShown?: (row: HoldRow) => boolean,
): Promise<HoldRow> {
  const hold = await findHold(api, id, principal, isShown);
  if (hold.status !== 'open') throw closedError(hold);
  return hold;
}

/** A task by id, for its owner, for operators, and for people who are asked one of its questions. */
export async function findTask(api: WithStore, id: string, principal: Principal): Promise<TaskRow> {
  const unknown = new StandfastError('not_found', `there is no task ${id}`);
  const task = await api.store.tasks.get(id);
  if (task === null) throw unknown;
  if (ownsThread(principal, task.owner)) return task;
  const holds = await api.store.holds.ofTask(id);
  if (holds.some((hold) => maySee(hold, principal, hold.owner))) return task;
  throw unknown;
}

/** How a hold ended, for answers that come too late. */
export function closedDetails({ ended, supersededBy }: HoldRow): NonNullable<Refusal['data']> {
  return { ended, supersededBy };
}

/** The answer to anybody who acts on a closed hold. */
export function closedError(row: HoldRow): StandfastError {
  const code = row.status === 'expired' ? 'interrupt_expired' : 'hold_closed';
  const how = row.status === 'open' ? 'the task of this question is over' : `this question is ${row.status}`;
  return new StandfastError(code, how, { data: closedDetails(row) });
}
