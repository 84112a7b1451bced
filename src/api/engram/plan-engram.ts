// An Engram run: reads, follows or changes an agent's records. It sends no message, and there is no task for people.
import {
  type EngramAgent,
  type EngramAsk,
  type EngramWrite,
  EngramCallError,
  EngramUnreachable,
} from '../../contract/views/engram.ts';
import type { AguiEvent } from '../../contract/tasks/run.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { publicThreadId } from '../../core/base/ids.ts';
import { whyNoOtherDecider } from '../../core/policy/askers.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { fingerprintOf } from '../../host/secrets/hash.ts';
import { shownFloor, unshownFloor, type EngramRun } from '../../store/ports/engram.ts';
import { readEngram, requestedChangesOf, type RequestedChange } from '../../wire/agui/engram/engram-input.ts';
import { EngramFault, mirrorOf, viewOf, type Mirror, type MirroredRecord } from '../../wire/agui/engram/mirror.ts';
import { difference } from '../../wire/agui/model/state-patch.ts';
import { downgradeFor } from '../../wire/agui/project/downgrade.ts';
import { startState } from '../../wire/agui/project/start-state.ts';
import type { ApiContext } from '../api-context.ts';
import { mayUseRecords } from '../agents/agent-access.ts';
import { hideFromStranger, refuseThreadOfOthers } from '../auth/principal.ts';
import type { StreamItem } from '../http/formats.ts';
import { refusedPlan, type RunAsk, type RunPlan } from '../runs/run-plan.ts';
import { followRecords } from './follow-records.ts';
import { listRecords, type EngramSource } from './records.ts';
import { writeRecord } from './sync-records.ts';
import { timeLimit } from '../../host/process/time-limit.ts';
import type { WithConfig, WithStore } from '../api-parts.ts';

/** What runs about records need of the api. */
type EngramApi = Pick<ApiContext, 'config' | 'engram' | 'log' | 'now' | 'store'>;

/** How long the agent's card may take, before anything is sent. */
const cardWithinMs = 10_000;

/** Null: not an Engram run. Throws what is answered by HTTP. */
export async function planEngram(api: EngramApi, ask: RunAsk): Promise<RunPlan | null> {
  const { agent, principal, input } = ask;
  const read = readEngram(input.body['forwardedProps']);
  if (!read.ok) throw new StandfastError(read.code, read.message);
  await refuseSubscription(api, ask);
  const { engramUpdate } = input.options;
  if (read.ask === null && engramUpdate === null) return null;
  refuseRecords(api, ask, read.ask === null || read.ask.mode === 'sync');
  if (read.ask === null) return refuseUnheard(api, agent);
  if (input.messages.length > 0 || input.resume !== null) {
    throw new StandfastError(
      'engram_messages',
      'messages and resume belong to another run: an Engram run says nothing',
    );
  }
  if (engramUpdate !== null) {
    throw new StandfastError('engram_messages', 'forwardedProps.a2a.engramUpdate belongs to a run that says something');
  }
  const changes = changesOf(ask, read.ask);
  const why = whyNoOtherDecider(api.config, agent, principal);
  if (why !== null) throw new StandfastError('forbidden', why);
  const thread = await api.store.threads.claim(agent, input.threadId, principal.id);
  refuseThreadOfOthers(principal, thread.owner, `thread ${publicThreadId(input.threadId)}`);
  const key = { agent, threadId: input.threadId, runId: input.runId };
  const fingerprint = fingerprintOf(input.body);
  const run = await api.store.engramRuns.begin({ ...key, ...read.ask, fingerprint, principal: principal.id });
  if (run.fingerprint !== fingerprint) {
    throw new StandfastError('run_conflict', `the runId ${input.runId} was used with another body`);
  }
  const source = { agent: api.engram(agent), filter: read.ask.filter, contextId: thread.contextId };
  const show = createShow(ask, thread.state);
  return {
    kind: 'engram',
    async *events(signal) {
      yield show.begin();
      try {
        await refuseUnadvertised(agent, source.agent, signal);
        if (read.ask?.mode === 'sync') yield* sync({ api, run, source, changes, show, principal }, signal);
        else if (read.ask?.mode === 'hydrate_once') yield* hydrateOnce({ api, run, source, show }, signal);
        else yield* hydrateStream({ api, run, source, show }, signal);
      } catch (error) {
        if (signal.aborted) return;
        throw asProblem(error);
      }
    },
  };
}

/** Throws for who may not read an agent's records, or change them: what it decides by is often there. */
function refuseRecords({ config }: WithConfig, { agent, principal }: RunAsk, isChange: boolean): void {
  const records = mayUseRecords(config.agents[agent] ?? { engram: false }, principal);
  if (!records.isOffered) throw new StandfastError('engram_disabled', `agents.${agent}.engram is off`);
  if (isChange ? records.write : records.read) return;
  const [what, who] = isChange ? ['change', 'write, and operators'] : ['read', 'read or write, and operators'];
  throw new StandfastError(
    'forbidden',
    `${principal.id} may not ${what} records of ${agent}: agents.${agent}.engram.${who}, may`,
  );
}

/** A task that only feeds a subscription is not a conversation; only its reader and operators learn what it is. */
async function refuseSubscription(api: WithStore, { agent, input, principal }: RunAsk): Promise<void> {
  const { taskId } = input.options;
  if (taskId === null) return;
  const subscriber = await api.store.engramRuns.subscriberOf(agent, taskId);
  if (subscriber === null) return;
  hideFromStranger(principal, subscriber, `task ${taskId}`);
  throw new StandfastError('not_found', `${taskId} only feeds a subscription to records; it is not a task to talk to`);
}

/** A change inside a message goes the way of all messages, to an agent that takes it for one. Null: it does. */
async function refuseUnheard(api: Pick<ApiContext, 'engram'>, agent: string): Promise<RunPlan | null> {
  try {
    await refuseUnadvertised(agent, api.engram(agent), timeLimit(cardWithinMs));
    return null;
  } catch (error) {
    const problem = asProblem(error);
    if (problem instanceof StandfastError) return refusedPlan(problem);
    throw problem;
  }
}

function changesOf({ input }: RunAsk, { mode }: EngramAsk): RequestedChange[] {
  if (mode !== 'sync') return [];
  const changes = requestedChangesOf(input.state);
  if (changes.ok) return changes.changes;
  const { path, message } = changes;
  throw new StandfastError('input_invalid', `${path}: ${message}`, { data: { errors: [{ path, message }] } });
}

async function refuseUnadvertised(name: string, agent: EngramAgent, signal: AbortSignal): Promise<void> {
  if (await agent.isAdvertised(signal)) return;
  throw new StandfastError('engram_not_advertised', `the card of ${name} does not offer Engram`);
}

function asProblem(error: unknown): unknown {
  if (error instanceof EngramUnreachable) return new StandfastError('agent_unreachable', error.message);
  if (error instanceof EngramFault) return new StandfastError('engram_failed', error.message);
  if (error instanceof EngramCallError) {
    const { code, message, data } = error;
    return new StandfastError('engram_failed', `the agent refused: ${message}`, {
      data: { agentCode: code, agentData: data },
    });
  }
  return error;
}

interface Show {
  begin(): StreamItem[];
  /** A snapshot at first, then what differs. */
  records(mirror: Mirror, rawEvent?: AguiEvent['rawEvent']): StreamItem[];
  finish(result: JsonObject): StreamItem[];
}

/** The run's events: the front end's own state is kept, and of `/view` Standfast owns only `engram` here. */
function createShow({ input }: RunAsk, threadState: JsonObject | null): Show {
  const { runId, protocolVersion } = input;
  const threadId = publicThreadId(input.threadId);
  let shown: JsonObject | null = null;
  const items = (events: AguiEvent[]): StreamItem[] =>
    events.flatMap((event) => downgradeFor(event, protocolVersion)).map((event) => ({ event }));
  return {
    begin: () => items([{ type: 'RUN_STARTED', threadId, runId, protocolVersion: '1.0' }]),
    records(mirror, rawEvent) {
      const before = shown;
      shown = viewOf(mirror);
      const raw = rawEvent === undefined || rawEvent === null ? {} : { rawEvent };
      if (before === null) {
        const state = startState(input.state, threadState);
        const view = state['view'];
        const own = typeof view === 'object' && view !== null && !Array.isArray(view) ? view : {};
        return items([{ type: 'STATE_SNAPSHOT', snapshot: { ...state, view: { ...own, engram: shown } } }]);
      }
      const delta = difference(before, shown, '/view/engram');
      return delta.length === 0 ? [] : items([{ type: 'STATE_DELTA', delta, ...raw }]);
    },
    finish: (result) =>
      items([{ type: 'RUN_FINISHED', threadId, runId, result: { engram: result }, outcome: { type: 'success' } }]),
  };
}

/** Kept, so that a later change of the thread without a version is one of what was shown. */
async function saveShown({ api, run }: Pick<Running, 'api' | 'run'>, mirror: Mirror): Promise<void> {
  // Safe: records are JSON.
  const records = [...mirror.values()] as unknown as JsonObject[];
  await api.store.engramRuns.savePosition(run, { a2aTaskId: null, floor: shownFloor, records });
}

async function* hydrateOnce({ api, run, source, show }: Running, signal: AbortSignal): AsyncGenerator<StreamItem[]> {
  const mirror = mirrorOf(await listRecords(source, signal));
  await saveShown({ api, run }, mirror);
  yield [...show.records(mirror), ...show.finish({ records: mirror.size })];
}

interface Running {
  api: EngramApi;
  run: EngramRun;
  source: EngramSource;
  show: Show;
}

async function* hydrateStream({ api, run, source, show }: Running, signal: AbortSignal): AsyncGenerator<StreamItem[]> {
  const { a2aTaskId, floor, records } = run;
  const steps = followRecords(
    {
      ...source,
      position: { a2aTaskId, floor, records },
      save: (position) => api.store.engramRuns.savePosition(run, position),
      outageMs: durationMs(api.config.agentOutage),
    },
    signal,
  );
  for (let step = await steps.next(); ; step = await steps.next()) {
    if (step.done === true) {
      if (step.value !== null) yield show.finish({ ended: step.value });
      return;
    }
    yield show.records(step.value.mirror, step.value.event);
  }
}

/** What a sync is made from, kept before its first write: after a kill a patch is not taken for one of what it has made itself. */
async function recordsBefore(
  { api, run, source }: Pick<Running, 'api' | 'run' | 'source'>,
  signal: AbortSignal,
): Promise<Mirror> {
  // Safe: rows hold what was a record when it was written.
  if (run.floor !== null) return mirrorOf(run.records as unknown as MirroredRecord[]);
  const known = mirrorOf(await listRecords(source, signal));
  // Safe: records are JSON.
  const records = [...known.values()] as unknown as JsonObject[];
  await api.store.engramRuns.savePosition(run, { a2aTaskId: null, floor: unshownFloor, records });
  return known;
}

async function* sync(
  { api, run, source, show, changes, principal }: Running & { changes: RequestedChange[]; principal: Principal },
  signal: AbortSignal,
): AsyncGenerator<StreamItem[]> {
  const known = await recordsBefore({ api, run, source }, signal);
  // Safe: rows hold what was a record when it was written.
  const shown = mirrorOf((await api.store.engramRuns.lastShown(run)) as unknown as MirroredRecord[]);
  const writes: EngramWrite[] = [...run.writes];
  for (const change of changes) {
    // Done before this process began: a run acts once.
    if (writes.some(({ key }) => key === change.key)) continue;
    const basis = { known: known.get(change.key) ?? null, shownVersion: shown.get(change.key)?.version ?? null };
    const write = await writeRecord(source, change, basis, signal);
    writes.push(write);
    await api.store.engramRuns.saveWrites(run, writes, { change, credential: principal.credential ?? null });
    api.log.info({ agent: run.agent, key: write.key, result: write.result, by: run.principal }, 'a record was changed');
  }
  const after = mirrorOf(await listRecords(source, signal));
  await saveShown({ api, run }, after);
  yield show.records(after);
  const failed = writes.filter(({ result }) => result === 'conflict' || result === 'refused');
  if (failed.length === 0) {
    // Safe: plain values.
    yield show.finish({ writes: writes as unknown as JsonObject[] });
    return;
  }
  const isConflict = failed.some(({ result }) => result === 'conflict');
  const errors = failed.map(({ key, result, message }) => ({ path: key, message: `${result}: ${message ?? ''}` }));
  const text = `${failed.length} of ${writes.length} records were not changed: ${failed
    .map(({ key }) => key)
    .join(', ')
    .slice(0, 300)}`;
  throw new StandfastError(isConflict ? 'engram_conflict' : 'engram_failed', text, { data: { errors } });
}
