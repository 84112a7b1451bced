// Who gets a message about a hold: nobody who may not decide it, or has agreed already.
import type { Config } from '../../contract/configuration/config.ts';
import type { NoticeInput } from '../../contract/tasks/activity.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { isOperator, mayDecide } from '../../core/policy/audience.ts';
import { allUsers } from '../../core/policy/delegates.ts';
import { stepAt } from '../../core/policy/ladder.ts';
import type { HoldRow } from '../../store/store.ts';

export const isOver = (event: NoticeInput['event']): boolean => event === 'decided' || event === 'expired';

/**
 * At an escalation or a move those it adds, else all who are asked and may decide; for a reassign request those who can
 * fulfil it; at the end those who were asked, and the owner of the thread.
 */
function isMeant(person: Principal, { event, k, cause }: NoticeInput, row: HoldRow): boolean {
  const { audience, plan, owner, votes } = row;
  if (isOver(event)) return person.id === owner || mayDecide({ audience, plan: { exclude: [] } }, person, owner);
  if (person.id === cause?.by) return false;
  if (event === 'reassign-asked') return isOperator(person) || mayDecide(row, person, owner);
  if (event === 'mentioned')
    return cause?.to.includes(`user:${person.id}`) === true && (isOperator(person) || mayDecide(row, person, owner));
  const added = event === 'escalation' ? stepAt(plan, k)?.to : cause?.to;
  const isAsked = mayDecide({ audience: added ?? audience, plan }, person, owner) && mayDecide(row, person, owner);
  return isAsked && votes.every(({ by }) => by !== person.id);
}

/** Who is to be notified of this event at `now`, also without an address. */
export function peopleFor(config: Config, input: NoticeInput, row: HoldRow, now: Date): string[] {
  return allUsers(config, now)
    .filter((person) => isMeant(person, input, row))
    .map(({ id }) => id);
}

/** The channel was chosen by users who named it, and this event concerns none of them. */
export function isForNobody(config: Config, channel: string, row: HoldRow, people: readonly string[]): boolean {
  const { policies, users } = config;
  const { policy } = row.plan;
  const isPolicys = Object.hasOwn(policies, policy) && policies[policy]?.notify.includes(channel) === true;
  const own = Object.keys(users).filter((name) => users[name]?.notify.includes(channel));
  return !isPolicys && own.length > 0 && !own.some((name) => people.includes(name));
}
