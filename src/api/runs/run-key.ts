// Under which key a run is kept. CopilotKit resumes under the runId of the run that asked, so such a resume is a run of its own.
import type { ThreadId } from '../../contract/base/id-types.ts';
import type { RunKey } from '../../contract/tasks/run.ts';
import { ownRunIdOf, taskIdOf } from '../../core/base/ids.ts';
import { sha1Hex } from '../../host/secrets/hash.ts';
import type { HoldRow, RunLookup, Store } from '../../store/store.ts';
import type { RunInput } from '../../wire/agui/input/run-input.ts';
import { answerableHolds, holdOfEntry } from '../holds/answers.ts';
import { reduceLog } from '../tasks/run-log.ts';
import type { RunAsk } from './run-plan.ts';
import { isObject } from '../../core/base/json.ts';
import type { WithStore } from '../api-parts.ts';

const fingerprintLength = 24;

/** The interrupts that a run's log ends with. */
async function endedWith(api: WithStore, key: RunKey): Promise<unknown[]> {
  const run = await api.store.runs.get(key);
  const outcome = run?.status === 'interrupt' ? (await reduceLog(api, run)).last?.['outcome'] : undefined;
  const interrupts = isObject(outcome) ? outcome['interrupts'] : undefined;
  return Array.isArray(interrupts) ? interrupts.filter(isObject).map(({ id }) => id) : [];
}

/** Whether the run `asked` ended with every question that `resume` names. */
async function hasEndedWithAll(api: WithStore, asked: RunKey, input: RunInput): Promise<boolean> {
  const { agent, threadId, runId } = asked;
  const resume = input.resume ?? [];
  const holds = await answerableHolds(api, agent, threadId, resume);
  const named = resume.map(({ interruptId }) => holdOfEntry(holds, interruptId, input));
  const known = named.filter((hold) => hold !== undefined);
  if (known.length === 0 || known.length < named.length) return false;
  const isOpener = async ({ openedInRun }: HoldRow): Promise<boolean> => {
    if (openedInRun === runId) return true;
    // An earlier resume under this runId asked again; its kept body says what it was called.
    const opener = await api.store.intake.get({ agent, threadId, runId: openedInRun });
    return opener?.body['runId'] === runId;
  };
  const opened = await Promise.all(known.map(isOpener));
  if (opened.every(Boolean)) return true;
  const listed = await endedWith(api, asked);
  return known.every((hold, index) => opened[index] === true || listed.includes(hold.interruptId));
}

async function lookUpRun({ intake }: Pick<Store, 'intake'>, key: RunKey): Promise<RunLookup> {
  const [lookup] = await intake.findRuns(key, [key.threadId]);
  return lookup ?? { thread: null, newest: null, run: null, kept: null };
}

/**
 * The run's own runId, or an inner key made of the body where it resumes under the runId of the run that it answers: the
 * same body again finds the same run, and every other reuse of a runId keeps its conflict. With what is known of that run.
 */
export async function runKeyOf(
  { store }: WithStore,
  { agent, input, lookup: known }: Pick<RunAsk, 'agent' | 'input' | 'lookup'>,
  threadId: ThreadId,
  fingerprint: string,
): Promise<{ key: RunKey; lookup: RunLookup }> {
  const asked: RunKey = { agent, threadId, runId: input.runId };
  const lookup = known !== undefined && threadId === input.threadId ? known : await lookUpRun(store, asked);
  const stored = lookup.kept ?? lookup.run;
  if (input.resume === null || stored === null || stored.fingerprint === fingerprint) return { key: asked, lookup };
  const mark = fingerprint.replace(/^sha256:/, '').slice(0, fingerprintLength);
  const inner = { ...asked, runId: ownRunIdOf(taskIdOf(sha1Hex, agent, threadId, input.runId), `resumed-${mark}`) };
  const again = await lookUpRun(store, inner);
  const isInner = again.kept !== null || (await hasEndedWithAll({ store }, asked, input));
  return isInner ? { key: inner, lookup: again } : { key: asked, lookup };
}
