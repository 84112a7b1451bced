// Whether a question may be passed on, and to whom: the policy says so, also to operators.
import type { LadderPlan } from '../../contract/policy.ts';

/** Why a question is not passed on to these, or null. `within`: by which entry of its policy a user is among those it asks. */
export function whyNotReassigned(
  { policy, reassign, among }: Pick<LadderPlan, 'policy' | 'reassign' | 'among'>,
  to: readonly string[],
  within: Readonly<Record<string, string>> = {},
): string | null {
  if (reassign === 'anyone') return null;
  if (reassign === 'nobody') return `the policy ${policy} lets nobody pass a question on`;
  const isAmong = (entry: string): boolean =>
    among.includes(entry) || (Object.hasOwn(within, entry) && among.includes(within[entry] ?? ''));
  const others = to.filter((entry) => !isAmong(entry));
  return others.length === 0
    ? null
    : `the policy ${policy} passes a question on only within ${among.join(', ')}: not to ${others.join(', ')}`;
}
