// What the caller of a task (over A2A) receives: the agent's own events as they come, and what becomes of the task's questions
// and of the task itself, in the transaction that writes it.
import type { TaskId } from '../../contract/base/id-types.ts';
import { objectOf } from '../../core/base/json.ts';
import { isEndState } from '../../contract/tasks/agent-state-names.ts';
import { type CallerEntry, isCallerThread } from '../../contract/tasks/caller.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { TaskRef } from '../../contract/tasks/task.ts';
import type { TurnEvent, TurnOutcome } from '../../contract/tasks/turn.ts';
import { formatEntry, withOwner } from '../../core/policy/audience-entry.ts';
import { holdUrl } from '../../core/base/page-url.ts';
import type { CallerTaskRow } from '../../store/ports/callers.ts';
import type { HoldRow, Tables, TaskRow } from '../../store/store.ts';
import { originalOf } from '../../wire/a2a/codec/original.ts';
import { callerStep, type HeldStatus } from '../../wire/a2a/caller/caller-events.ts';
import type { CallerIds } from '../../wire/a2a/caller/caller-ids.ts';
import {
  askedMetadata,
  askedStatus,
  endStateOf,
  standfastStatus,
  stateOf,
  type WaitingHold,
} from '../../wire/a2a/caller/caller-status.ts';
import { readTask, applyEntry } from '../../wire/a2a/caller/caller-task.ts';
import type { ActivityDeps } from '../deps.ts';
import { createBatchWriter } from './batch-writer.ts';
import type { WithUrl } from '../dep-parts.ts';

/** What a change of a task touches, its callers' log and their pushes included. */
export type TaskChangeDeps = Pick<ActivityDeps, 'config' | 'store' | 'engine' | 'prover' | 'log' | 'now' | 'publicUrl'>;

/** Records for the caller of a task what a turn receives from the agent. */
interface CallerLog {
  show(event: TurnEvent): Promise<void>;
  flush(): Promise<void>;
  /** The turn is over: what it held back is sent, or kept for those who may answer. */
  settle(outcome: TurnOutcome): Promise<void>;
  /** The agent sent more than is kept for a caller: what is missing cannot be left out in silence. */
  isFull(): boolean;
}

/** Of one task, as JSON: its caller may ask for all of it at once. */
export const maxCallerBytes = 64 * 1024 * 1024;

const withoutCaller: CallerLog = {
  show: () => Promise.resolve(),
  flush: () => Promise.resolve(),
  settle: () => Promise.resolve(),
  isFull: () => false,
};

/** `by`: the writer of the run that the turn writes; a later one fences this one off. */
export async function openCallerLog(
  deps: TaskChangeDeps,
  task: TaskRef,
  by: { logId: number; fence: number },
  onFailure: (error: unknown) => void,
): Promise<CallerLog> {
  const { callers } = deps.store;
  const row = isCallerThread(task.threadId) ? await callers.get(task.taskId) : null;
  if (row === null || isEndState(row.state)) return withoutCaller;
  const ids = idsOf(row);
  let { view } = await readTask((afterSeq) => callers.read(task.taskId, afterSeq), ids);
  let bytes = await callers.sizeOf(task.taskId);
  let isFull = false;
  let held: HeldStatus | null = null;
  const sizes = new WeakMap<CallerEntry, number>();
  const writer = createBatchWriter<CallerEntry>(
    async (entries) => {
      const state = entries.map(stateIn).findLast((one) => one !== null);
      const change = { at: deps.now().toISOString(), ...(state == null ? {} : { state }) };
      const { hasPushes } = await callers.append(task.taskId, entries, change, by);
      if (hasPushes) await startPushes(deps, task.taskId);
    },
    onFailure,
    (entry) => sizes.get(entry) ?? 0,
  );
  const push = async (entries: CallerEntry[]): Promise<void> => {
    for (const entry of entries) {
      const size = Buffer.byteLength(JSON.stringify(entry));
      sizes.set(entry, size);
      bytes += size;
    }
    isFull ||= bytes > maxCallerBytes;
    if (isFull) return;
    view = entries.reduce(applyEntry, view);
    writer.push(entries);
    await writer.ready();
  };
  return {
    async show(event) {
      const original = originalOf(event);
      isFull ||= original === null && event.type !== 'unknown';
      if (original === null || isFull) return;
      const step = callerStep(view, original, ids);
      if (step.held !== undefined) ({ held } = step);
      await push(step.entries);
    },
    flush: () => writer.flush(),
    isFull: () => isFull,
    async settle(outcome) {
      // A task that ended with a question of its words goes on for its caller: Standfast's own status says so.
      if (held !== null && outcome.kind === 'paused' && !isEndState(stateOf(held.status)))
        await push([{ kind: 'pause', ...held }]);
      else if (held !== null && outcome.kind === 'ended' && isEndState(stateOf(held.status))) {
        const statusUpdate = { ...ids, status: held.status, metadata: held.metadata };
        await push([{ kind: 'event', event: { statusUpdate } }]);
      }
      await writer.flush();
    },
  };
}

const idsOf = ({ taskId, contextId }: CallerTaskRow): CallerIds => ({ taskId, contextId });

/** The state that an entry brings; a reply that is only a message ends the task. */
function stateIn(entry: CallerEntry): CallerTaskRow['state'] | null {
  if (entry.kind !== 'event') return null;
  const { task, statusUpdate, message } = entry.event;
  if (message !== undefined) return 'completed';
  const { status } = objectOf(task ?? statusUpdate);
  return status === undefined ? null : stateOf(objectOf(status));
}

/** Changes a task's rows, and in the same transaction adds the caller's events. */
export function changeTask<T>(deps: TaskChangeDeps, task: TaskRef, work: (tables: Tables) => Promise<T>): Promise<T> {
  if (!isCallerThread(task.threadId)) return deps.store.tx(work);
  let hasPushes = false;
  const changed = deps.store.tx(async (tables) => {
    const result = await work(tables);
    hasPushes = await writeCallerLog(tables, deps, task);
    return result;
  });
  return changed.then(async (result) => {
    if (hasPushes) await startPushes(deps, task.taskId);
    return result;
  });
}

/** If this is lost, the reconciler finds it. */
async function startPushes({ store, engine, log }: TaskChangeDeps, taskId: TaskId): Promise<void> {
  for (const { configId } of await store.callers.pushesOf(taskId))
    await engine
      .startPush(taskId, configId)
      .catch((error: unknown) => log.warn({ taskId, err: error }, 'a push notification has to wait'));
}

async function writeCallerLog(tables: Tables, deps: TaskChangeDeps, { taskId }: TaskRef): Promise<boolean> {
  const row = await tables.callers.lock(taskId);
  if (row === null || isEndState(row.state)) return false;
  const [task, holds] = [await tables.tasks.get(taskId), await tables.holds.ofTask(taskId)];
  const at = deps.now().toISOString();
  const news = task === null ? null : newsOf(deps, row, task, holds, at);
  if (news === null) return false;
  const asked = news.isCallers === true ? await tables.callers.lastPause(taskId) : null;
  const { status, metadata = {} } =
    asked === null ? news : { ...asked, metadata: { ...asked.metadata, ...news.metadata } };
  const statusUpdate = { ...idsOf(row), status, ...(Object.keys(metadata).length === 0 ? {} : { metadata }) };
  const entry: CallerEntry = { kind: 'event', event: { statusUpdate } };
  const { hasPushes } = await tables.callers.append(taskId, [entry], { at, state: stateOf(status), shown: news.shown });
  return hasPushes;
}

interface News {
  status: JsonObject;
  shown: string;
  /** The caller may answer: the agent's own question goes through, together with this. */
  isCallers?: boolean;
  metadata?: JsonObject;
}

function newsOf(deps: WithUrl, row: CallerTaskRow, task: TaskRow, holds: HoldRow[], at: string): News | null {
  const ids = idsOf(row);
  const origin = { at, messageId: `${row.taskId}:${row.lastSeq + 1}` };
  const end = endStateOf(task.status, task.error);
  if (end !== null) return { status: standfastStatus(end.state, ids, end.text, origin), shown: '' };
  const open = holds.filter(({ status }) => status === 'open');
  if (open.length > 0) {
    const shown = open.map(markOf).join('\n');
    if (shown === row.shown) return null;
    const about = open.map((hold) => waitingHold(deps, hold, row.owner));
    // A caller who has agreed waits for the others; one whose question was passed on, or is decided and under a grace, waits as well.
    const isCallers =
      open.every(({ plan }) => plan.ask !== undefined) && open.some((hold) => mayAnswer(hold, row.owner));
    return {
      status: askedStatus(ids, about, origin),
      shown,
      isCallers,
      metadata: isCallers ? askedMetadata(about) : {},
    };
  }
  if (row.shown === '') return null;
  return { status: standfastStatus('working', ids, answeredText(holds), origin), shown: '' };
}

/** A summary of what the caller sees of an open question; while it stays equal, there is no news. */
const markOf = ({ holdId, audience, expiresAt, votes, outgoing }: HoldRow): string =>
  [holdId, ...audience, expiresAt ?? '', ...votes.map(({ by }) => by), outgoing?.at ?? ''].join(' ');

const mayAnswer = ({ audience, votes, outgoing }: HoldRow, owner: string): boolean =>
  outgoing == null &&
  withOwner(audience, owner).includes(formatEntry({ kind: 'user', name: owner })) &&
  !votes.some(({ by }) => by === owner);

function waitingHold(
  { publicUrl }: WithUrl,
  { holdId, digest, question: { kind, title }, audience, expiresAt, votes, plan: { quorum }, outgoing }: HoldRow,
  owner: string,
): WaitingHold {
  return {
    holdId,
    digest,
    kind,
    title,
    audience: withOwner(audience, owner),
    expiresAt,
    url: holdUrl(publicUrl, holdId),
    ...(quorum > 1 ? { votes: { have: votes.length, need: quorum } } : {}),
    ...(outgoing == null ? {} : { decided: { by: outgoing.decision.by, sendAt: outgoing.at } }),
  };
}

function answeredText(holds: HoldRow[]): string {
  const last = holds.filter(({ ended }) => ended !== null).at(-1)?.ended;
  if (last === undefined || last === null) return 'The task goes on.';
  if (last.why === 'withdrawn') return 'The agent went on without an answer.';
  return last.why === 'expired' ? 'No answer came in time.' : `${capital(last.why)} by ${last.by}.`;
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
