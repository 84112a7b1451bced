import type { RecordDecisionsInput } from '../../contract/tasks/activity.ts';
import type { ClosedHold } from '../../contract/holds/hold.ts';
import { whyNotActedOn } from '../../core/consent/acted-on.ts';
import { grantIdOf, grantOfEnd } from '../../core/answers/grant-with-yes.ts';
import { knownAt, withGone } from '../../core/consent/deciders.ts';
import { asSent } from '../../core/consent/proof.ts';
import { verdictOf } from '../../core/consent/verdict.ts';
import { sha1Hex } from '../../host/secrets/hash.ts';
import type { HoldRow, Tables } from '../../store/store.ts';
import { withdrawnEvents } from '../../wire/agui/project/pause.ts';
import { reduceEvents } from '../../wire/agui/model/projection.ts';
import { changeTask, type TaskChangeDeps } from '../run-log/caller-log.ts';
import { newCards } from '../run-log/close-run.ts';
import { closingFence, openRun } from '../run-log/run-writer.ts';

/** Closes the rows of decided holds, with a mark at votes of who is no user any more; the same again changes nothing. */
export async function recordClosed(
  tables: Tables,
  { config, now, prover }: Pick<TaskChangeDeps, 'config' | 'now' | 'prover'>,
  holds: ClosedHold[],
  carriedByRun: string | null,
): Promise<void> {
  for (const { holdId, votes, ...end } of holds) {
    const marked = votes.length === 0 ? votes : withGone(knownAt(config, now()), votes);
    const sent = asSent(prover.macOf, holdId, { ...end, votes: marked });
    const row = await tables.holds.close(holdId, sent, carriedByRun);
    await endGrant(tables, row);
    await oweRecheck(tables, prover, row);
    await putGrant(tables, prover, row);
    // An earlier attempt closed it without sending it.
    if (carriedByRun !== null && row?.carriedByRun !== carriedByRun)
      await tables.holds.setCarrier(holdId, carriedByRun);
  }
}

/** A no to a call that a grant would have let through ends the grant. */
async function endGrant(tables: Tables, row: HoldRow | null): Promise<void> {
  const { plan, question, decision } = row ?? {};
  if (plan?.recheck === undefined || question === undefined || decision == null) return;
  if (verdictOf(question, decision) !== 'no') return;
  await tables.grants.end(plan.recheck, { by: decision.by, at: decision.at, why: 'no' });
}

/** A call that was asked about all the same, and that no person answered (its program took it back, say), was not checked. */
async function oweRecheck(tables: Tables, prover: TaskChangeDeps['prover'], row: HoldRow | null): Promise<void> {
  if (row?.plan.recheck === undefined || row.supersededBy !== null) return;
  const isAnswered = row.decision !== null && row.decision.source !== 'clock';
  if (!isAnswered) await tables.grants.owe(row.plan.recheck, row.holdId, prover);
}

/** What was granted with a yes that is proved comes to be with its end; the same again changes nothing. */
async function putGrant(tables: Tables, prover: TaskChangeDeps['prover'], row: HoldRow | null): Promise<void> {
  if (row === null) return;
  const grant = grantOfEnd(prover, grantIdOf(sha1Hex, row), row);
  if (grant === null || whyNotActedOn(prover, row, row, { from: 'row' }) !== null) return;
  await tables.grants.put(grant, prover);
}

/** Interrupt ids of those holds that a person or a policy decided. */
export function decidedIds(rows: HoldRow[], holds: ClosedHold[]): string[] {
  const decided = new Set(holds.filter(({ decision }) => decision !== null).map(({ holdId }) => holdId));
  return rows.filter(({ holdId }) => decided.has(holdId)).map(({ interruptId }) => interruptId);
}

/** Answers without a turn: other questions of the pause are open, the agent moved on alone, or is being stopped. */
export async function recordDecisions(deps: TaskChangeDeps, input: RecordDecisionsInput): Promise<void> {
  const { task, run, holds, skipped, status } = input;
  await changeTask(deps, task, async (tables) => {
    await recordClosed(tables, deps, holds, run?.runId ?? null);
    if (run === null) return;
    const answered = decidedIds(await tables.holds.ofTask(task.taskId), holds);
    const fence = closingFence(run.turn);
    const opened = await openRun(tables, deps, task, run, fence, { answered, skipped, status });
    const withdrawn = holds.filter(({ ended }) => ended?.why === 'withdrawn').map(({ holdId }) => holdId);
    if (opened.result !== 'open' || withdrawn.length === 0) return;
    const rows = await tables.holds.ofTask(task.taskId);
    const ids = rows.filter(({ holdId }) => withdrawn.includes(holdId)).map(({ interruptId }) => interruptId);
    const events = withdrawnEvents(opened.projection, ids, status, opened.context);
    await tables.log.append(opened.run.logId, fence, events);
    const { messages } = reduceEvents(opened.projection, events);
    for (const { holdId, card } of await newCards(tables, task, messages)) await tables.holds.setCard(holdId, card);
  });
}
