// Acts that the workflow of a question makes, by its update `amend`; the row shows each before the caller gets the answer.
import type { ActBody, ManyBody } from '../../contract/acts/acts.ts';
import type { AmendCommand } from '../../contract/holds/decision.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { asActedOn, takesBack } from '../../core/acts/may.ts';
import { assertNever, errorOf, StandfastError } from '../../core/base/errors.ts';
import { isSameAudience } from '../../core/policy/audience.ts';
import { channelsOfUsers } from '../../core/policy/delegates.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { withPeople } from '../../core/policy/ladder.ts';
import type { HoldRow } from '../../store/store.ts';
import { followHold } from '../engine/follow-rows.ts';
import { noAnswerError } from '../engine/temporal-failures.ts';
import { refuseOutside, refuseTooFew, refuseUnknownAssignees, withinPolicy } from '../holds/assignees.ts';
import { closedError } from '../holds/find-hold.ts';
import { knownNow } from '../holds/known-people.ts';
import { refuseAct, type Acting, type Given } from './acting.ts';
import { outcomeOf, reapplyCommand } from './reapply.ts';

function withdraw(api: Acting, { hold, principal }: Given<undefined>): Promise<HoldRow> {
  const isWithdrawn = (row: HoldRow): boolean => row.votes.every((vote) => vote.by !== principal.id);
  return amendHold(api, hold, { kind: 'withdraw-vote', ...from(api, hold, principal) }, isWithdrawn);
}

const undo = (api: Acting, { hold, principal }: Given<undefined>): Promise<HoldRow> =>
  amendHold(api, hold, { kind: 'undo', ...from(api, hold, principal) }, (row) => !row.outgoing);

function extend(api: Acting, { hold, principal, body }: Given<ActBody<'extend'>>): Promise<HoldRow> {
  const until = deadlineOf(hold, body);
  const note = body.note ?? null;
  const command: AmendCommand = { kind: 'extend', ...from(api, hold, principal), until, note };
  return amendHold(api, hold, command, (row) => row.expiresAt === until);
}

function reassign(
  api: Acting,
  { hold, principal, body }: Given<Pick<ManyBody<'reassign'>, 'to' | 'note'>>,
): Promise<HoldRow> {
  const to = [...new Set(body.to)];
  // As it was asked before: its policy, or who could, has asked them.
  const isBack = takesBack(asActedOn(hold, principal), principal, to);
  if (!isBack) {
    refuseAct('reassign', { ...hold, moves: [] }, principal);
    refuseUnknownAssignees(api.config, hold, to);
    refuseOutside(api.config, hold, to);
    refuseTooFew(knownNow(api), hold, to);
  }
  const command: AmendCommand = {
    kind: 'reassign',
    ...from(api, hold, principal),
    to,
    note: body.note ?? null,
    // Those who are asked again were notified before.
    ...(isBack ? {} : { notify: channelsOfUsers(api.config, to, hold.owner, api.now()) }),
    within: withinPolicy(api.config, hold, to),
  };
  return amendHold(api, hold, command, (row) => isSameAudience(row.audience, withPeople(to)));
}

export const workflowActs = { withdraw, undo, extend, reassign };

export async function reapply(api: Acting, { hold, principal }: Given<unknown>): Promise<HoldRow> {
  const command = await reapplyCommand(api, hold, principal);
  if (outcomeOf(hold, command) === hold) return hold;
  const lastOf = (row: HoldRow): string | undefined => row.plan.reapplied?.at(-1)?.at;
  return amendHold(api, hold, command, (row) => lastOf(row) !== lastOf(hold));
}

const from = ({ now }: Pick<Acting, 'now'>, { holdId }: HoldRow, principal: Principal) => ({
  hold: holdId,
  principal,
  receivedAt: now().toISOString(),
});

/** The new deadline in ISO 8601. */
function deadlineOf({ expiresAt }: HoldRow, { until, by }: ActBody<'extend'>): string {
  if (until !== undefined) return new Date(until).toISOString();
  if (expiresAt === null) throw new StandfastError('payload_invalid', 'the question has no deadline');
  const ms = Date.parse(expiresAt) + durationMs(by ?? '0s');
  // Later than any date that a Date can hold.
  if (!Number.isFinite(ms) || Math.abs(ms) > 8.64e15)
    throw new StandfastError('payload_invalid', 'the deadline is too far away');
  return new Date(ms).toISOString();
}

/** Has the workflow change an open hold; the row shows it before the caller gets the answer. */
async function amendHold(
  api: Acting,
  hold: HoldRow,
  command: AmendCommand,
  isShown: (row: HoldRow) => boolean,
): Promise<HoldRow> {
  const { store } = api;
  const task = await store.tasks.get(hold.taskId);
  if (task === null) throw new StandfastError('internal', `the task ${hold.taskId} has no row`);
  const result = await api.tasks.amend(task, command);
  switch (result.kind) {
    case 'answer': {
      const shown = await followHold(api, hold.holdId, (row) => row.status !== 'open' || isShown(row));
      return shown ?? (await store.holds.get(hold.holdId)) ?? hold;
    }
    case 'refusal':
      throw errorOf(result.refusal);
    case 'closed':
      throw closedError((await store.holds.get(hold.holdId)) ?? hold);
    case 'unanswered':
      throw await noAnswerError(api, result.by, 'worker_unavailable');
    default:
      return assertNever(result);
  }
}
