import type { Principal } from '../../contract/base/principal.ts';
import { parseActor, isKind, namesOf } from './audience-entry.ts';
import { isSamePerson } from './lookalikes.ts';
import type { LadderPlan } from '../../contract/configuration/policy.ts';
import { ownEntry } from '../base/own-entry.ts';

/** Audience entries that a principal matches, directly or as a delegate; the owner of a thread also matches `owner`. */
export function entriesOf(principal: Principal): string[] {
  // A supervisor agent is asked by its own name.
  const name = parseActor(principal.id).kind === 'agent' ? principal.id : `user:${principal.id}`;
  const own = [name, ...principal.roles.map((role) => `role:${role}`)];
  return [...new Set([...own, ...(principal.alsoFor ?? [])])];
}

/** The owners whose threads this principal answers for: themselves, and those they are a delegate of. */
export function ownersOf(principal: Principal): string[] {
  return [principal.id, ...namesOf(principal.alsoFor ?? [], 'user')];
}

interface Asked {
  audience: readonly string[];
  plan: Pick<LadderPlan, 'exclude'> & Partial<Pick<LadderPlan, 'requesters' | 'deputies'>>;
  /** ISO; missing: deputies count as named before. */
  openedAt?: string;
}

/** True for who asks, and who wrote in the task, where the policy leaves them out. */
const isRequester = ({ plan }: Pick<Asked, 'plan'>, user: string, owner: string): boolean =>
  plan.exclude.includes('requester') && [owner, ...(plan.requesters ?? [])].some((one) => isSamePerson(user, one));

/** Entries of the audience that a principal is, without those they stand in for. */
function ownAmong({ audience }: Pick<Asked, 'audience'>, principal: Principal, owner: string): string[] {
  const { alsoFor: _others, ...alone } = principal;
  const own = entriesOf(alone);
  return audience.filter((entry) => (isKind(entry, 'owner') ? principal.id === owner : own.includes(entry)));
}

/** Whether they stand in for who asks, and did as the question opened: whom it names later bends nothing of it. */
function isDeputyOfRequester(hold: Pick<Asked, 'plan' | 'openedAt'>, principal: Principal, owner: string): boolean {
  const { alsoFor = [], namedAt = {} } = principal;
  return alsoFor.some((entry) => {
    const since = ownEntry(namedAt, entry);
    const isBefore =
      since === undefined || hold.openedAt === undefined || Date.parse(since) < Date.parse(hold.openedAt);
    return isBefore && namesOf([entry], 'user').some((user) => isRequester(hold, user, owner));
  });
}

/**
 * Entries of the audience by which a principal is asked: in their own right, else in the stead of others. None where the policy leaves
 * them out.
 */
export function askedAs(hold: Asked, principal: Principal, owner: string): string[] {
  if (isRequester(hold, principal.id, owner)) return [];
  const own = ownAmong(hold, principal, owner);
  if (own.length > 0) return own;
  if (principal.isSuper) return hold.audience.filter((entry) => isKind(entry, 'owner'));
  if (hold.plan.deputies === 'none' || isDeputyOfRequester(hold, principal, owner)) return [];
  const others = (principal.alsoFor ?? []).filter((entry) =>
    namesOf([entry], 'user').every((user) => !isRequester(hold, user, owner)),
  );
  return hold.audience.filter((entry) => others.includes(isKind(entry, 'owner') ? `user:${owner}` : entry));
}

/**
 * True when this principal may decide the hold now: no agent's key, in its audience, and neither its requester where that is excluded,
 * nor a deputy of theirs.
 */
export function mayDecide(hold: Asked, principal: Principal, owner: string): boolean {
  if (principal.kind === 'agent') return false;
  return principal.isSuper || askedAs(hold, principal, owner).length > 0;
}

/** A person acting with Temporal’s own tools; their identity is unknown. */
export const temporalOperatorId = 'operator:temporal';

/**
 * True for the requester where the policy keeps them from deciding, for people who wrote in the task, and for the deputies of either,
 * but for those who are asked in their own right.
 */
export const isLeftOut = (hold: Asked, principal: Principal, owner: string): boolean =>
  isRequester(hold, principal.id, owner) ||
  (ownAmong(hold, principal, owner).length === 0 && isDeputyOfRequester(hold, principal, owner));

/** True when this principal may see the hold: as its audience, as the owner of its thread, or as an operator. */
export function maySee(hold: Asked, principal: Principal, owner: string): boolean {
  const { deputies } = hold.plan;
  const plan = { exclude: [], ...(deputies === undefined ? {} : { deputies }) };
  return ownsThread(principal, owner) || askedAs({ ...hold, plan }, principal, owner).length > 0;
}

/** True for who opened a thread, and operators: theirs is all that is on it. */
export const ownsThread = (principal: Principal, owner: string): boolean =>
  principal.id === owner || isOperator(principal);

/** Operators see every task and every hold. */
export function isOperator(principal: Principal): boolean {
  return principal.isSuper || (principal.kind !== 'agent' && principal.roles.includes('operator'));
}

/** The same entries in the same order. */
export const isSameAudience = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one, index) => one === others[index]);

/**
 * Why a question may not be reassigned to these; null: it may. The policy decides, for operators too. `within`: the
 * policy's entry that includes a user.
 */
export function whyNotReassigned(
  { policy, reassign, among }: Pick<LadderPlan, 'policy' | 'reassign' | 'among'>,
  to: readonly string[],
  within: Readonly<Record<string, string>> = {},
): string | null {
  if (reassign === 'anyone') return null;
  if (reassign === 'none') return `the policy ${policy} allows no question to be passed on`;
  const isAmong = (entry: string): boolean =>
    among.includes(entry) || (Object.hasOwn(within, entry) && among.includes(within[entry] ?? ''));
  const others = to.filter((entry) => !isAmong(entry));
  return others.length === 0
    ? null
    : `the policy ${policy} passes a question on only within ${among.join(', ')}: not to ${others.join(', ')}`;
}
