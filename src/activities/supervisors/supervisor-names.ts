// What a supervisor agent's task and context are called. Both are bound to the step that asked by a key that no database has: who writes
// there names no other task, whose answer would be read as that of this question.
import type { A2aTaskId } from '../../contract/base/id-types.ts';
import type { AskSupervisorInput } from '../../contract/tasks/activity.ts';
import type { Json } from '../../contract/base/json.ts';
import { uuidV5 } from '../../core/base/ids.ts';
import { boundName, nameIn, type Purpose } from '../../host/secrets/bound-names.ts';
import { sha1Hex } from '../../host/secrets/hash.ts';
import type { Proving } from '../dep-parts.ts';

type Step = Pick<AskSupervisorInput, 'holdId' | 'agent' | 'stepIndex'>;

const purposeOf = (what: 'task' | 'context', { holdId, agent, stepIndex }: Step): Purpose => ({
  for: `standfast supervisor ${what}`,
  hold: holdId,
  agent,
  step: stepIndex,
});

/**
 * The same for every attempt of one step of one hold. A requester who could work it out could talk to the agent there and influence
 * its answer.
 */
export const supervisorContext = ({ prover }: Proving, step: Step): string =>
  uuidV5(sha1Hex, step.holdId, boundName(prover, '', purposeOf('context', step)));

/** The task's name as it is kept. */
export const keptTask = ({ prover }: Proving, step: Step, a2aTaskId: A2aTaskId): string =>
  boundName(prover, a2aTaskId, purposeOf('task', step));

/** The task that was kept; null: none was; `forged`: another step asked it, or none did. */
export function taskKept({ prover }: Proving, step: Step, kept: Json): { a2aTaskId: A2aTaskId | null } | 'forged' {
  if (kept === null) return { a2aTaskId: null };
  const a2aTaskId = typeof kept === 'string' ? nameIn(prover, kept, purposeOf('task', step)) : null;
  return a2aTaskId === null ? 'forged' : { a2aTaskId };
}
