import type { Principal } from '../../contract/base/principal.ts';
import { parseActor, isKind, namesOf } from './audience-entry.ts';
import { isSamePerson } from './lookalikes.ts';
import type { LadderPlan } from '../../contract/configuration/policy.ts';

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

function matches(audience: string[], principal: Principal, owner: string): boolean {
  const entries = entriesOf(principal);
  const isOwners = ownersOf(principal).includes(owner);
  return audience.some((entry) => (isKind(entry, 'owner') ? isOwners : entries.includes(entry)));
}

interface Asked {
  audience: string[];
  plan: { exclude: 'requester'[]; requesters?: string[] };
}

/**
 * True when this principal may decide the hold now: no agent's key, in its audience, and not its requester where that is excluded, nor
 * the requester's deputies.
 */
export function mayDecide(hold: Asked, principal: Principal, owner: string): boolean {
  if (principal.kind === 'agent') return false;
  if (principal.isSuper) return true;
  return !isLeftOut(hold, principal, owner) && matches(hold.audience, principal, owner);
}

/** A person acting with Temporal’s own tools; their identity is unknown. */
export const temporalOperatorId = 'operator:temporal';

/** True for the requester where the policy keeps them from deciding, for people who wrote in the task, and for the deputies of either. */
export const isLeftOut = (hold: Pick<Asked, 'plan'>, principal: Principal, owner: string): boolean =>
  hold.plan.exclude.includes('requester') &&
  [owner, ...(hold.plan.requesters ?? [])].some((one) => ownersOf(principal).some((own) => isSamePerson(own, one)));

/** True when this principal may see the hold: as its audience, as the owner of its thread, or as an operator. */
export function maySee(hold: Asked, principal: Principal, owner: string): boolean {
  return isOperator(principal) || principal.id === owner || matches(hold.audience, principal, owner);
}

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
  if (reassign === 'nobody') return `the policy ${policy} allows no question to be passed on`;
  const isAmong = (entry: string): boolean =>
    among.includes(entry) || (Object.hasOwn(within, entry) && among.includes(within[entry] ?? ''));
  const others = to.filter((entry) => !isAmong(entry));
  return others.length === 0
    ? null
    : `the policy ${policy} passes a question on only within ${among.join(', ')}: not to ${others.join(', ')}`;
}
