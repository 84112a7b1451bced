import type { Principal } from '../../contract/principal.ts';

/** Audience entries a principal matches by itself, or in another's place (the owner of a thread matches `owner` beside these). */
export function entriesOf(principal: Principal): string[] {
  // A supervisor agent is asked by its own name; no person's id has a colon.
  const name = principal.id.startsWith('agent:') ? principal.id : `user:${principal.id}`;
  const own = [name, ...principal.roles.map((role) => `role:${role}`)];
  return [...new Set([...own, ...(principal.alsoFor ?? [])])];
}

/** The owners whose threads this principal answers for: themselves, and those they stand in for. */
export function ownersOf(principal: Principal): string[] {
  const others = (principal.alsoFor ?? []).filter((entry) => entry.startsWith('user:'));
  return [principal.id, ...others.map((entry) => entry.slice('user:'.length))];
}

function matches(audience: string[], principal: Principal, owner: string): boolean {
  const entries = entriesOf(principal);
  const isOwners = ownersOf(principal).includes(owner);
  return audience.some((entry) => (entry === 'owner' ? isOwners : entries.includes(entry)));
}

interface Asked {
  audience: string[];
  plan: { exclude: 'requester'[]; requesters?: string[] };
}

/**
 * True when this principal may decide the hold now: no agent's key, in its audience, and not its requester where that is excluded, nor
 * whoever stands in for the requester.
 */
export function mayDecide(hold: Asked, principal: Principal, owner: string): boolean {
  if (principal.kind === 'agent') return false;
  if (principal.isSuper) return true;
  return !isLeftOut(hold, principal, owner) && matches(hold.audience, principal, owner);
}

/** Who acts with Temporal’s own tools: somebody, and nobody knows who. */
export const temporalOperatorId = 'operator:temporal';

/** True for the requester where the policy keeps them from deciding, for who spoke in the task, and for whoever stands in for them. */
export const isLeftOut = (hold: Pick<Asked, 'plan'>, principal: Principal, owner: string): boolean =>
  hold.plan.exclude.includes('requester') &&
  [owner, ...(hold.plan.requesters ?? [])].some((one) => ownersOf(principal).includes(one));

/** True when this principal may see the hold: its audience, the owner of its thread, and operators. */
export function maySee(hold: Asked, principal: Principal, owner: string): boolean {
  return isOperator(principal) || principal.id === owner || matches(hold.audience, principal, owner);
}

/** Operators see every task and every hold. */
export function isOperator(principal: Principal): boolean {
  return principal.isSuper || (principal.kind !== 'agent' && principal.roles.includes('operator'));
}
