// Checks of a policy's stages that the schema cannot express.
import type { Policy, Stage } from '../contract/configuration/policy.ts';
import { isKind } from '../core/policy/audience-entry.ts';
import { everAsked, type Asking } from '../core/policy/ladder.ts';
import { stagesOf } from '../core/policy/stages.ts';
import type { CrossFault } from './config-fault.ts';
import type { Path } from './config-source.ts';
import { ladderFaults } from './ladder-checks.ts';

/** All faults of a policy's stages. */
export function stageFaults(policy: Policy, at: Path): CrossFault[] {
  const stages = stagesOf(policy);
  if (stages.length === 0)
    return policy.sameAgain || policy.stageOrder === 'parallel' ? [onlyOfStages(policy, at)] : eachFaults(policy, at);
  return [
    ...twiceFaults(policy, at),
    ...eachFaults(policy, at),
    ...(policy.stages ?? []).flatMap((stage, index) => oneFaults(policy, stage, index, [...at, 'stages', index])),
  ];
}

function onlyOfStages({ sameAgain }: Policy, at: Path): CrossFault {
  const key = sameAgain ? 'sameAgain' : 'stageOrder';
  return { path: [...at, key], message: 'there are no `stages` that it could be of', basis: [[...at, 'stages']] };
}

/** What a policy with stages says of itself as well, or cannot do. */
function twiceFaults(policy: Policy, at: Path): CrossFault[] {
  const { stages, ask, reassign, audience, ladder, quorum } = policy;
  const faults: (CrossFault | false)[] = [
    ask !== 'people' && {
      path: [...at, 'ask'],
      message: `found ${ask}: a caller over A2A is of no stage; people alone are asked`,
    },
    reassign !== undefined &&
      reassign !== 'none' && {
        path: [...at, 'reassign'],
        message: `found ${reassign}: who is of one group would take the place of another; a question with stages is not passed on`,
      },
    stages !== undefined && audience.length > 0 && twice('audience', at),
    stages !== undefined && ladder.length > 0 && twice('ladder', at),
    stages !== undefined && quorum !== 1 && twice('quorum', at),
  ];
  return faults.filter((fault) => fault !== false);
}

const twice = (key: string, at: Path): CrossFault => ({
  path: [...at, key],
  message: `found ${key} in addition to \`stages\`: each stage has its own`,
});

function eachFaults({ quorum, audience, ladder, stages }: Policy, at: Path): CrossFault[] {
  if (typeof quorum === 'number' || !('each' in quorum) || stages !== undefined) return [];
  if (audience.length < 2)
    return [
      { path: [...at, 'quorum'], message: 'expected two entries of `audience` at least: `each` is of each entry' },
    ];
  return ladder.flatMap(({ escalate }, index) =>
    escalate === undefined
      ? []
      : [
          {
            path: [...at, 'ladder', index, 'escalate'],
            message: 'with `each` it would not be known for which entry: write `stages`, each with its own ladder',
          },
        ],
  );
}

function oneFaults(policy: Policy, { name, ...stage }: Stage, index: number, at: Path): CrossFault[] {
  const { stages = [], exclude } = policy;
  const same = stages.findIndex((other) => other.name === name);
  const deciders = decidersOf({ ...stage, exclude });
  return [
    ...(same < index ? [{ path: [...at, 'name'], message: `found "${name}" twice: expected a name of its own` }] : []),
    ...(deciders === null || stage.quorum <= deciders.size
      ? []
      : [
          {
            path: [...at, 'quorum'],
            message: `found ${stage.quorum}: only ${deciders.size} could ever decide (${[...deciders].join(', ') || 'none'})`,
          },
        ]),
    ...ladderFaults(policy, stage.ladder, at),
  ];
}

/** The users who can decide, without deputies: those have the votes of who names them; null when a role leaves that open. */
export function decidersOf(policy: Asking & Pick<Policy, 'exclude'>): Set<string> | null {
  const asked = everAsked(policy);
  if (asked.some((entry) => isKind(entry, 'role'))) return null;
  return new Set(asked.filter((entry) => !isKind(entry, 'owner') || !policy.exclude.includes('requester')));
}
