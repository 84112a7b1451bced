import type { Principal } from '../contract/principal.ts';

/** Audience entries a principal matches by itself (the owner of a thread matches `owner` beside these). */
export function entriesOf(principal: Principal): string[] {
  return [`user:${principal.id}`, ...principal.roles.map((role) => `role:${role}`)];
}

function matches(audience: string[], principal: Principal, owner: string): boolean {
  const entries = entriesOf(principal);
  return audience.some((entry) => (entry === 'owner' ? principal.id === owner : entries.includes(entry)));
}

interface Asked {
  audience: string[];
  plan: { exclude: 'requester'[] };
}

/** True when this principal may decide the hold now: in its audience, and not its requester where that is excluded. */
export function mayDecide(hold: Asked, principal: Principal, owner: string): boolean {
  if (principal.isSuper) return true;
  if (hold.plan.exclude.includes('requester') && principal.id === owner) return false;
  return matches(hold.audience, principal, owner);
}

/** True when this principal may see the hold: its audience, the owner of its thread, and operators. */
export function maySee(hold: Asked, principal: Principal, owner: string): boolean {
  return isOperator(principal) || principal.id === owner || matches(hold.audience, principal, owner);
}

/** Operators see every task and every hold. */
export function isOperator(principal: Principal): boolean {
  return principal.isSuper || principal.roles.includes('operator');
}
