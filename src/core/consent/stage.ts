// Which group of a policy with stages is asked, as votes come and are taken back, and with which ladder.
import type { Vote } from '../../contract/holds/decision.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import type { LadderPlan, PlannedStep } from '../../contract/configuration/policy.ts';
import { isSameAudience } from '../policy/audience.ts';
import { afterHours } from '../policy/calendar.ts';
import { audienceAfter, nextStepOf, stepAt } from '../policy/ladder.ts';
import { askedNow, audienceNow, filled, stagesFor, type Stages } from '../policy/stages.ts';
import { agreeing } from './agreement.ts';

type Asked = Pick<Hold, 'audience' | 'plan' | 'votes' | 'question'>;

/** Votes that say the same count: the largest group of them. */
const counted = (hold: Asked): Vote[] => agreeing(hold, hold.votes);

/** The question after a step: an escalation of a stage adds to that stage, or moves it. */
export function stepped<H extends Asked>(hold: H, step: PlannedStep): H {
  const { stages } = hold.plan;
  const stage = step.stage === undefined ? undefined : stages?.list[step.stage];
  if (stages === undefined || stage === undefined) return { ...hold, audience: audienceAfter(hold.audience, step) };
  const list = stages.list.with(step.stage ?? 0, { ...stage, audience: audienceAfter(stage.audience, step) });
  return asking(hold, { ...stages, list });
}

function asking<H extends Asked>(hold: H, stages: Stages): H {
  const audience = audienceNow(stages, counted(hold));
  const isSame = stages === hold.plan.stages && isSameAudience(audience, hold.audience);
  return isSame ? hold : { ...hold, plan: { ...hold.plan, stages }, audience };
}

type Stepping = Asked & Pick<Hold, 'stepsTaken' | 'nextStep' | 'expiresAt'>;

/** The question after its votes changed: who is asked now, with the ladder of a stage that opens, or is asked once more. */
export function atStage<H extends Stepping>(hold: H, now: string): H {
  const { plan, stepsTaken, expiresAt } = hold;
  const { stages } = plan;
  if (stages === undefined) return hold;
  const [at = stages.at] = askedNow(stages, counted(hold));
  const stage = stages.list[at];
  if (stage?.opens === undefined || at === stages.at) return asking(hold, stages);
  const { audience, ladder } = stage.opens;
  const taken = Array.from({ length: stepsTaken }, (_, index) => stepAt(plan, index) ?? plan.steps.at(-1));
  const opened = ladder
    .map(({ afterMs, ...step }): PlannedStep => ({ at: afterIn(stages, now, afterMs), ...step }))
    .filter((step) => expiresAt === null || step.at < expiresAt);
  const moved: LadderPlan = {
    ...plan,
    steps: [...taken.flatMap((step) => step ?? []), ...opened],
    notify: [...new Set([...plan.notify, ...stage.notify])],
    // What was found of another stage's reminder is no time of this one's.
    ...(plan.repeats === undefined ? {} : { repeats: { ...plan.repeats, next: null } }),
  };
  const next = { ...stages, at, list: stages.list.with(at, { ...stage, audience }) };
  const asked = asking({ ...hold, plan: moved }, next);
  return { ...asked, nextStep: nextStepOf(asked.plan, stepsTaken) };
}

/** The moment so much later, in the hours of the stages' calendar where they have one. */
function afterIn({ hours }: Stages, now: string, afterMs: number): string {
  const windows = hours?.map(([fromMs, toMs]) => ({ fromMs, toMs }));
  const nowMs = Date.parse(now);
  return new Date(windows === undefined ? nowMs + afterMs : afterHours(windows, nowMs, afterMs)).toISOString();
}

type Tallied = Pick<Hold, 'question' | 'votes' | 'plan'>;

/** What each stage has and needs, and who agreed in it; none: its audience is the only group. */
export function stagesTally(hold: Tallied): { name: string; by: Vote[]; need: number }[] {
  const { stages } = hold.plan;
  if (stages === undefined) return [];
  const own = filled(stages, agreeing(hold, hold.votes));
  return stages.list.map(({ name, quorum }, at) => ({ name, by: own[at] ?? [], need: quorum }));
}

/** A stage as people see it. */
export interface ShownStage {
  name: string;
  audience: string[];
  /** Who agreed in it, and in how many must. */
  by: string[];
  need: number;
  state: 'agreed' | 'asked' | 'waiting';
}

export function shownStages(hold: Tallied & Pick<Hold, 'status'>): ShownStage[] {
  const { stages } = hold.plan;
  if (stages === undefined) return [];
  const now = hold.status === 'open' ? askedNow(stages, agreeing(hold, hold.votes)) : [];
  return stagesTally(hold).map(({ name, by, need }, at) => ({
    name,
    audience: stages.list[at]?.audience ?? [],
    by: by.map((vote) => vote.by),
    need,
    state: by.length >= need ? 'agreed' : now.includes(at) ? 'asked' : 'waiting',
  }));
}

/** The stages in one line of text: `team 2 of 2 (anna, bob) → lead 0 of 1`; empty: there are none. */
export const stagesLine = (
  order: Stages['order'] | undefined,
  stages: readonly ShownStage[],
  nameOf: (user: string) => string = (user) => user,
): string =>
  stages
    .map(
      ({ name, by, need }) =>
        `${name} ${by.length} of ${need}${by.length === 0 ? '' : ` (${by.map(nameOf).join(', ')})`}`,
    )
    .join(order === 'parallel' ? ' + ' : ' → ');

type Counting = Pick<Vote, 'fingerprint'> & Partial<Pick<Vote, 'values' | 'stages'>>;

/** Of a question as far as it is known. */
interface Placing {
  question?: Hold['question'];
  plan: Pick<LadderPlan, 'stages'>;
  votes?: readonly Counting[];
}

const votesOf = ({ question, plan, votes = [] }: Placing): readonly Counting[] =>
  question === undefined ? votes : agreeing({ question, plan }, votes);

/** Numbers of the stages in which an answer of somebody who is asked by these entries counts now; missing: there are none. */
export const placesOf = (hold: Placing, as: readonly string[]): number[] | undefined =>
  stagesFor(hold, votesOf(hold), as);

/** The votes next to which a person has none: those of the stages that are asked now, where they may agree in each once more. */
export function votesNextTo<V extends Counting>(hold: Placing & { votes?: readonly V[] }): readonly V[] {
  const { plan } = hold;
  const votes: readonly V[] = hold.votes ?? [];
  if (plan.stages?.sameAgain !== true) return votes;
  const now = askedNow(plan.stages, votesOf(hold));
  return votes.filter(({ stages = [] }) => stages.some((at) => now.includes(at)));
}
