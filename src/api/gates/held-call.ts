// A call that a gate holds: kept, asked about as a question of its caller's, and waited for. Standfast makes it; who calls again gets
// what came of it.
import { randomUUID } from 'node:crypto';
import type { HoldId, RunId, TaskId, ThreadId } from '../../contract/base/id-types.ts';
import type { Gate } from '../../contract/configuration/gate.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { isEndedStatus } from '../../contract/tasks/task-names.ts';
import { askAgent, holdIdOf, taskIdOf } from '../../core/base/ids.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { holdUrl } from '../../core/base/page-url.ts';
import { whyNotActedOn } from '../../core/consent/acted-on.ts';
import { reasonOf } from '../../core/consent/verdict.ts';
import { callIdOf, isIdOfCall } from '../../core/policy/gate-message.ts';
import { askStatusOf } from '../../core/questions/ask.ts';
import { heldCallOf, isToBeMade, provedOutcome, questionOfHeldCall } from '../../core/questions/held-call.ts';
import { serverDigest } from '../../host/secrets/gate-digests.ts';
import { fingerprintOf, sha1Hex } from '../../host/secrets/hash.ts';
import type { CallOutcome, GateCallRow } from '../../store/ports/gates.ts';
import type { HoldRow } from '../../store/store.ts';
import { askPeople, type AskingApi } from '../ask/ask-people.ts';
import { askKey } from '../ask/ask-runs.ts';

export interface CallToHold {
  name: string;
  gate: Gate;
  principal: Principal;
  policy: string;
  tool: string;
  definition: JsonObject;
  /** Of the definition. */
  digest: string;
  args: JsonObject;
  /** By its client. */
  givenId: string | null;
}

/** An outcome that no client fetched is given to no one later than this: the same call is a new one by then. */
const keptForMs = 24 * 60 * 60_000;

interface Key {
  agent: string;
  threadId: ThreadId;
  runId: RunId;
  taskId: TaskId;
}

export function keyOfCall(principal: Pick<Principal, 'id'>, callId: string): Key {
  const key = askKey(principal, callId, 1);
  return { ...key, taskId: taskIdOf(sha1Hex, key.agent, key.threadId, key.runId) };
}

/** The call, held before or now. Throws `run_conflict` for an id that names another call. */
export async function holdCall(api: AskingApi, call: CallToHold): Promise<GateCallRow> {
  const { name, principal, tool, args, givenId } = call;
  const fingerprint = fingerprintOf({ gate: name, tool, args });
  // An earlier answer may have named it.
  const known = givenId === null ? null : await ownCall(api, call, givenId);
  const row = known ?? (await keepCall(api, call, fingerprint));
  if (!isIdOfCall(row.callId, fingerprint))
    throw new StandfastError('run_conflict', `the id ${givenId ?? row.callId} names another call`);
  const kept = await api.store.intake.get(keyOfCall(principal, row.callId));
  if (kept !== null && kept.admittedAt !== null)
    return (await isStale(api, row, call)) ? takeAndHold(api, row, call) : row;
  await ask(api, row.callId, call);
  return row;
}

/** The caller's own call of this gate; null: there is none of this id. */
export async function ownCall(
  { store }: Pick<AskingApi, 'store'>,
  { name, principal }: Pick<CallToHold, 'name' | 'principal'>,
  callId: string,
): Promise<GateCallRow | null> {
  const row = await store.gateCalls.get(callId);
  return row?.owner === principal.id && row.gate === name ? row : null;
}

/** Its client gave it an id, and gets the same result by it each time. */
export const isNamed = ({ fingerprint }: Pick<GateCallRow, 'fingerprint'>): boolean => fingerprint.startsWith('id:');

function keepCall(api: AskingApi, { name, principal, givenId }: CallToHold, ofCall: string): Promise<GateCallRow> {
  const { id: owner } = principal;
  const fingerprint = givenId === null ? ofCall : `id:${givenId}`;
  const ownId = givenId === null ? randomUUID() : fingerprintOf([owner, name, givenId]).slice('sha256:'.length, 47);
  const callId = callIdOf(ownId, ofCall);
  const { taskId } = keyOfCall(principal, callId);
  return api.store.gateCalls.hold({ callId, gate: name, owner, taskId, fingerprint });
}

async function takeAndHold(api: AskingApi, row: GateCallRow, call: CallToHold): Promise<GateCallRow> {
  await api.store.gateCalls.take(row.callId);
  return holdCall(api, call);
}

/** One that its client named is never a new call. */
async function isStale(api: AskingApi, row: GateCallRow, { principal, givenId }: CallToHold): Promise<boolean> {
  const isOld = givenId === null && api.now().getTime() - Date.parse(row.heldAt) > keptForMs;
  return isOld && (await cameOf(api, row.callId, principal)) !== null;
}

async function ask(api: AskingApi, callId: string, call: CallToHold): Promise<void> {
  const { name, gate, principal, policy, tool, definition, digest, args } = call;
  const held = { gate: name, tool, server: serverDigest(gate), definition: digest, callId };
  const question = questionOfHeldCall({ held, gate, definition, args });
  await askPeople(api, { id: callId, question, policy, untitled: null, isHeld: true }, principal);
}

export type Came =
  | { kind: 'made'; outcome: CallOutcome }
  /** People did not approve it; or the task ended otherwise. */
  | { kind: 'not-made'; why: string };

/** A call as it is: the newest question about it, and what came of it; null: it waits, for people or for its server. */
export interface CallNow {
  asked: HoldRow | null;
  came: Came | null;
}

export const cameOf = async (...of: Parameters<typeof callNow>): Promise<Came | null> => (await callNow(...of)).came;

/** Nothing that no one proved is repeated. */
export async function callNow(
  { store, prover }: Pick<AskingApi, 'store' | 'prover'>,
  callId: string,
  principal: Pick<Principal, 'id'>,
): Promise<CallNow> {
  const { threadId, taskId } = keyOfCall(principal, callId);
  const outcome = async (): Promise<Came | null> => {
    const proved = provedOutcome(prover, taskId, await store.gateCalls.get(callId));
    return proved === null ? null : { kind: 'made', outcome: proved };
  };
  const [made, holds] = await Promise.all([outcome(), questionsOf({ store }, { threadId, taskId })]);
  const asked = holds.findLast(({ question }) => heldCallOf(question) !== null) ?? null;
  if (made !== null) return { asked, came: made };
  if (asked === null || asked.status === 'open' || asked.supersededBy !== null) return { asked, came: null };
  if (!isToBeMade(asked)) return { asked, came: { kind: 'not-made', why: whyNot(prover, asked) } };
  const task = await store.tasks.get(taskId);
  if (task === null || !isEndedStatus(task.status)) return { asked, came: null };
  // It was kept before the task ended.
  const late = await outcome();
  const ended = `its task is ${task.status.toLowerCase()}`;
  const why = `it was approved, and whether it was made is not confirmed: ${ended}`;
  return { asked, came: late ?? { kind: 'not-made', why } };
}

/** Of its task: a row that was moved here from another keeps its id. */
async function questionsOf(
  { store }: Pick<AskingApi, 'store'>,
  { threadId, taskId }: Pick<Key, 'threadId' | 'taskId'>,
): Promise<HoldRow[]> {
  const rows = await store.holds.ofThread(askAgent, threadId);
  return rows.filter(({ holdId, n }) => holdId === holdIdOf(sha1Hex, taskId, n));
}

function whyNot(prover: AskingApi['prover'], hold: HoldRow): string {
  const status = askStatusOf(hold);
  const { decision } = hold;
  if (decision === null || (status !== 'answered' && status !== 'declined'))
    return `it was not approved: the question was ${status}`;
  if (whyNotActedOn(prover, hold, hold, { from: 'row' }) !== null)
    return 'it was not approved: the answer that is kept is not proved';
  const reason = reasonOf(decision);
  return `${decision.by} did not approve it${reason === null ? '' : `: ${reason}`}`;
}

/** Waits for what comes of a call, at most so long; null: it waits on. */
export async function waitForCall(
  api: AskingApi,
  callId: string,
  principal: Principal,
  options: { timeoutMs: number; signal: AbortSignal },
): Promise<Came | null> {
  const { threadId } = keyOfCall(principal, callId);
  return api.store.waitFor({ threads: [{ agent: askAgent, threadId }] }, () => cameOf(api, callId, principal), options);
}

/** The page of its question. */
export async function linkOfCall(api: AskingApi, callId: string, principal: Principal): Promise<string | null> {
  const { threadId, taskId } = keyOfCall(principal, callId);
  const open = (await questionsOf(api, { threadId, taskId })).findLast(({ status }) => status === 'open');
  const holdId: HoldId | null = open?.holdId ?? null;
  return holdId === null ? null : holdUrl(api.publicUrl, holdId);
}
