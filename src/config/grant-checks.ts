// Checks of what a policy lets people grant.
import type { Policy } from '../contract/configuration/policy.ts';
import { quorumOf } from '../core/policy/ladder.ts';
import { readComparison } from '../core/policy/comparison.ts';
import type { CrossFault } from './config-fault.ts';
import type { Path } from './config-source.ts';
import { decidersOf } from './stage-checks.ts';

/** All faults of a policy's grants. */
export function grantFaults(policy: Policy, at: Path): CrossFault[] {
  const { grants, danger, sign, stages, ask } = policy;
  if (grants === undefined) return [];
  const path = [...at, 'grants'];
  const need = quorumOf(policy);
  const deciders = decidersOf(policy);
  const why =
    danger || sign !== undefined
      ? 'its policy has a person read each call (`danger`, `sign`): nothing is granted'
      : stages !== undefined || (typeof policy.quorum !== 'number' && 'each' in policy.quorum)
        ? 'several groups must agree to each call: nothing is granted'
        : ask === 'people'
          ? null
          : `with \`ask: ${ask}\` a caller over A2A would grant its own calls`;
  const faults: CrossFault[] = why === null ? [] : [{ path, message: why, basis: [at] }];
  if (grants.by < need)
    faults.push({
      path: [...path, 'by'],
      message: `found ${grants.by}: ${need} must agree to one call, so no fewer to all`,
    });
  if (deciders !== null && grants.by > deciders.size)
    faults.push({ path: [...path, 'by'], message: `found ${grants.by}: only ${deciders.size} could ever decide` });
  const texts: [Path, string][] = [
    ...grants.within.map((text, index): [Path, string] => [[...path, 'within', index], text]),
    ...(grants.sum === undefined ? [] : [[[...path, 'sum', 'of'], `${grants.sum.of} exists`] as [Path, string]]),
  ];
  for (const [where, text] of texts) {
    const read = readComparison(text);
    if (!read.ok) faults.push({ path: where, message: `found "${text}": ${read.why}` });
  }
  return faults;
}
