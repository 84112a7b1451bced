// Several groups that all must agree, one after the other or at once: which of them an answer counts in, and who is asked now.
import type { LadderPlan, PlannedStage, Policy, Stage } from '../../contract/configuration/policy.ts';

export type Stages = NonNullable<LadderPlan['stages']>;

/** An answer, by the numbers of the stages in which it may count. */
interface Placed {
  stages?: readonly number[];
}

/** The stages of a policy; `{ each: 1 }` is one of each entry, at once. None: its audience is the only group. */
export function stagesOf({ stages, quorum, audience }: Pick<Policy, 'stages' | 'quorum' | 'audience'>): Stage[] {
  if (stages !== undefined) return stages;
  if (typeof quorum === 'number' || !('each' in quorum)) return [];
  return audience.map((entry) => ({ name: entry, audience: [entry], quorum: quorum.each, ladder: [] }));
}

export const isParallel = ({ stages, stageOrder }: Partial<Pick<Policy, 'stages' | 'stageOrder'>>): boolean =>
  stages === undefined || stageOrder === 'parallel';

/** How many different people a decision needs at least. */
export function peopleNeeded(list: readonly Pick<Stage, 'quorum'>[], sameAgain: boolean): number {
  const each = list.map(({ quorum }) => quorum);
  return sameAgain ? Math.max(0, ...each) : each.reduce((sum, one) => sum + one, 0);
}

/**
 * The answers that count in each stage, at most its quorum where one person counts once: as many as can count at all, so that
 * who is of two groups is in the way of neither.
 */
export function filled<V extends Placed>(
  { list, sameAgain }: Pick<Stages, 'sameAgain'> & { list: readonly Pick<PlannedStage, 'quorum'>[] },
  votes: readonly V[],
): V[][] {
  if (sameAgain) return list.map((_, at) => votes.filter(({ stages = [] }) => stages.includes(at)));
  const taken = list.map((): V[] => []);
  for (const vote of votes) place(list, taken, vote, new Set());
  return taken;
}

/** Finds the answer a place, by moving others to further stages of theirs where it must. */
function place<V extends Placed>(
  list: readonly Pick<PlannedStage, 'quorum'>[],
  taken: V[][],
  vote: V,
  seen: Set<number>,
): boolean {
  for (const at of vote.stages ?? []) {
    const [stage, own] = [list[at], taken[at]];
    if (stage === undefined || own === undefined || seen.has(at)) continue;
    seen.add(at);
    const index = own.length < stage.quorum ? own.length : own.findIndex((other) => place(list, taken, other, seen));
    if (index < 0) continue;
    own[index] = vote;
    return true;
  }
  return false;
}

/** True where every stage has its quorum. */
export const isFilled = (stages: Stages, votes: readonly Placed[]): boolean =>
  filled(stages, votes).every((own, at) => own.length >= (stages.list[at]?.quorum ?? 0));

/** Numbers of the stages that are asked now: the first that lacks, or each in which one more answer would count. */
export function askedNow(stages: Stages, votes: readonly Placed[]): number[] {
  const { list, order, sameAgain } = stages;
  const own = filled(stages, votes);
  const lacks = list.flatMap(({ quorum }, at) => ((own[at]?.length ?? 0) < quorum ? [at] : []));
  if (order === 'sequential') return lacks.slice(0, 1);
  if (sameAgain) return lacks;
  return list.flatMap((_, at) => {
    const taken = own.map((some) => [...some]);
    return place(list, taken, { stages: [at] }, new Set()) ? [at] : [];
  });
}

/** Numbers of the stages in which an answer of somebody who is asked by these entries may count now; by none: in all of them. */
export function stagesFor(
  { plan: { stages } }: { plan: Pick<LadderPlan, 'stages'> },
  votes: readonly Placed[],
  as: readonly string[],
): number[] | undefined {
  if (stages === undefined) return undefined;
  const isOf = (at: number): boolean => as.some((entry) => stages.list[at]?.audience.includes(entry) === true);
  return askedNow(stages, votes).filter((at) => as.length === 0 || isOf(at));
}

/** The audience of a question with stages: that of those which are asked now. */
export const audienceNow = (stages: Stages, votes: readonly Placed[]): string[] => [
  ...new Set(askedNow(stages, votes).flatMap((at) => stages.list[at]?.audience ?? [])),
];
