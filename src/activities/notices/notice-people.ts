// Who gets a message about a hold, by the kind of the event: who may decide and has not agreed, who can pass it on, or whom
// its end concerns.
import type { Config } from '../../contract/configuration/config.ts';
import { noticeKinds, type NoticeEvent } from '../../contract/configuration/notice-names.ts';
import type { NoticeInput } from '../../contract/tasks/activity.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { votesNextTo } from '../../core/consent/stage.ts';
import { isOperator, mayDecide } from '../../core/policy/audience.ts';
import { allUsers } from '../../core/policy/delegates.ts';
import { stepAt } from '../../core/policy/ladder.ts';
import type { HoldRow } from '../../store/store.ts';
import type { PolicyTimes } from '../dep-parts.ts';
import { ownEntry } from '../../core/base/own-entry.ts';

export const isOver = (event: NoticeEvent): boolean => noticeKinds[event].is === 'end';

/** Events that ask people to decide. */
export const isCall = (event: NoticeEvent): boolean => noticeKinds[event].is === 'call';

/** The mail address of a user; undefined where the configuration has none. */
export const emailOf = ({ users }: Pick<Config, 'users'>, user: string): string | undefined =>
  ownEntry(users, user)?.email;

/** Whether this user is asked now, may decide, and has not agreed yet. */
export function isAsked(
  config: Config,
  user: string,
  row: HoldRow,
  now: Date,
  others: readonly Principal[] = [],
): boolean {
  const person = [...allUsers(config, now), ...others].find(({ id }) => id === user);
  return person !== undefined && mayDecide(row, person, row.owner) && votesNextTo(row).every(({ by }) => by !== user);
}

/** As the event's `to` says; the person who caused it is not notified of it while the question is open. */
function isMeant(person: Principal, { event, k, cause }: NoticeInput, row: HoldRow): boolean {
  const { audience, owner } = row;
  const { to } = noticeKinds[event];
  if (to === 'concerned') return person.id === owner || mayDecide({ audience, plan: { exclude: [] } }, person, owner);
  if (person.id === cause?.by) return false;
  const mayMove = isOperator(person) || mayDecide(row, person, owner);
  switch (to) {
    case 'movers':
      return mayMove;
    case 'named':
      return mayMove && cause?.to.includes(`user:${person.id}`) === true;
    case 'asked':
      return isCalled(person, row, audience);
    case 'added':
      return isCalled(person, row, cause?.to ?? audience);
    case 'step':
      return isCalled(person, row, stepAt(row.plan, k)?.to ?? audience);
    default:
      return to satisfies never;
  }
}

/** May decide as one of this audience, and has not agreed yet. */
function isCalled(person: Principal, row: HoldRow, audience: string[]): boolean {
  const { owner } = row;
  const mayAnswer = mayDecide({ ...row, audience }, person, owner) && mayDecide(row, person, owner);
  return mayAnswer && votesNextTo(row).every(({ by }) => by !== person.id);
}

/** Whether this user chose the event; without a choice, all are sent. */
export function wants({ users }: Pick<Config, 'users'>, id: string, event: NoticeEvent): boolean {
  return (Object.hasOwn(users, id) ? users[id]?.events?.includes(event) : undefined) ?? true;
}

/** How long until the hours in which this user is notified; 0: it is within them, or they have none. */
export function untilHoursMs({ config: { users }, windowsOf, now }: PolicyTimes, user: string | null): number {
  const hours = ownEntry(users, user)?.hours;
  if (hours === undefined) return 0;
  const nowMs = now().getTime();
  for (const { fromMs } of windowsOf(hours)(nowMs)) return Math.max(0, fromMs - nowMs);
  return 0;
}

/** Who is to be notified of this event at `now`, also without an address; `others`: people whom only a sign-in makes known. */
export function peopleFor(
  config: Config,
  input: NoticeInput,
  row: HoldRow,
  now: Date,
  others: readonly Principal[] = [],
): string[] {
  const known = allUsers(config, now);
  return [...known, ...others.filter(({ id }) => known.every((one) => one.id !== id))]
    .filter((person) => isMeant(person, input, row))
    .map(({ id }) => id)
    .filter((id) => wants(config, id, input.event));
}

/** True for a channel that users alone have chosen, if the event is for none of them. */
export function concernsNone(config: Config, channel: string, row: HoldRow, people: readonly string[]): boolean {
  const { policies, users } = config;
  const { policy } = row.plan;
  const isNamedByPolicy = ownEntry(policies, policy)?.notify.includes(channel) === true;
  const own = Object.keys(users).filter((name) => users[name]?.notify.includes(channel));
  return !isNamedByPolicy && own.length > 0 && !own.some((name) => people.includes(name));
}
