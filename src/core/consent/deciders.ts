// Whether anybody is left who can decide a question, and which votes are of people who are no users any more.
import type { Config } from '../../contract/configuration/config.ts';
import type { Vote } from '../../contract/holds/decision.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { askedAs, mayDecide } from '../policy/audience.ts';
import { isKind, namesOf, parseActor, withOwner } from '../policy/audience-entry.ts';
import { allUsers } from '../policy/delegates.ts';
import { isSamePerson } from '../policy/lookalikes.ts';
import type { PlannedStep } from '../../contract/configuration/policy.ts';
import { filled, type Stages } from '../policy/stages.ts';
import { agreeing, votersOf } from './agreement.ts';

/** Who can act at a moment, as the configuration has it. */
export interface Known {
  people: readonly Principal[];
  agents: readonly string[];
  /**
   * Who may come in addition: `any` of an identity provider, or the keyless caller on loopback; `named` users of a back end, who
   * have no roles of their own.
   */
  others: 'none' | 'named' | 'any';
}

type Configured = Pick<Config, 'agents' | 'auth' | 'users' | 'notifications'>;

/** People decide there who have no key. */
const takesKeyless = ({ notifications }: Configured): boolean =>
  Object.values(notifications.channels).some(
    (channel) => channel.type === 'slack-app' || channel.type === 'teams-bot' || channel.decideLinks,
  );

export function knownAt(config: Configured, now: Date): Known {
  const { auth, users } = config;
  const isValid = ({ expires }: { expires?: string | undefined }): boolean =>
    expires === undefined || Date.parse(expires) > now.getTime();
  const keys = auth.keys.filter((key) => key.kind !== 'metrics' && isValid(key));
  const withKey = new Set(keys.map(({ user }) => user));
  const isKeyless = takesKeyless(config);
  const people = allUsers({ auth: { ...auth, keys }, users }, now);
  return {
    people: people.filter(({ id }) => isKeyless || withKey.has(id)),
    agents: Object.keys(config.agents),
    others:
      auth.keys.length === 0 || auth.oidc !== undefined
        ? 'any'
        : keys.some(({ kind }) => kind === 'backend')
          ? 'named'
          : 'none',
  };
}

/** True for a vote of somebody who could give none now: no user any more, or by a back end that is none. */
export function isGone({ people, agents, others }: Known, { by, actor }: Pick<Vote, 'by' | 'actor'>): boolean {
  if (others === 'any') return false;
  const { kind, name } = parseActor(by);
  if (kind === 'agent') return !agents.includes(name);
  const isKnown = (user: string): boolean => people.some(({ id }) => id === user);
  return kind === 'person' && !isKnown(by) && !(actor !== null && isKnown(actor));
}

/** The votes with a mark at those of who is gone. */
export const withGone = <V extends Pick<Vote, 'by' | 'actor'>>(
  known: Known,
  votes: readonly V[],
): (V & { isGone?: true })[] => votes.map((vote) => (isGone(known, vote) ? { ...vote, isGone: true } : vote));

export interface NoDecider {
  /** Entries of who is asked now that are no one. */
  gone: string[];
  /** How many could agree in the end, with the votes that it has, and how many must. */
  could: number;
  need: number;
}

type Asked = Pick<
  Hold,
  'status' | 'audience' | 'plan' | 'stepsTaken' | 'votes' | 'question' | 'outgoing' | 'openedAt'
> & {
  owner: string;
};

/** Why a question will be decided by no one, now or after the stages and escalations to come; null: it can be. */
export function noDeciderOf(known: Known, hold: Asked): NoDecider | null {
  if (hold.status !== 'open' || (hold.outgoing ?? null) !== null || known.others === 'any') return null;
  const { stages, ...plan } = hold.plan;
  const inAll = groupWithout(known, hold, stages === undefined ? [] : stages.list.flatMap(({ audience }) => audience));
  if (stages === undefined || inAll !== null) return inAll;
  const own = filled(stages, agreeing(hold, hold.votes));
  for (const [at, { audience, quorum }] of stages.list.entries()) {
    const steps = [...plan.steps.slice(hold.stepsTaken).filter(({ stage }) => stage === at), ...laterSteps(stages, at)];
    const votes = own[at] ?? [];
    const group = { ...hold, audience, votes, stepsTaken: 0, plan: { ...plan, quorum, steps } };
    const without = groupWithout(known, group);
    if (without !== null) return without;
  }
  return null;
}

/** Of a stage that is not asked yet. */
const laterSteps = ({ list, at: now }: Stages, at: number): PlannedStep[] =>
  at === now ? [] : (list[at]?.opens?.ladder ?? []).map(({ afterMs: _after, ...step }) => ({ at: '', ...step }));

function groupWithout(known: Known, hold: Asked, later: readonly string[] = []): NoDecider | null {
  const { audience, plan, owner, votes } = hold;
  const asked = [...new Set([...audience, ...later, ...plan.steps.slice(hold.stepsTaken).flatMap(({ to }) => to)])];
  if (known.others === 'named' && asked.some((entry) => takesNamed(entry, plan))) return null;
  const deciders = known.people.filter(
    (person) => mayDecide({ ...hold, audience: asked }, person, owner) && votes.every(({ by }) => by !== person.id),
  );
  const gone = votes.filter((vote) => isGone(known, vote));
  const still = votes.filter((vote) => !gone.includes(vote));
  // Who voted can vote otherwise; who is gone cannot.
  const could =
    votersAmong(deciders, { ...hold, audience: asked }) +
    agentsLeft(known, asked, plan).length +
    still.length +
    agreeing(hold, gone).length;
  return could >= plan.quorum
    ? null
    : { gone: audience.filter((entry) => isNoOne(known, entry, owner)), could, need: plan.quorum };
}

const takesNamed = (entry: string, { exclude }: Hold['plan']): boolean =>
  isKind(entry, 'user') || (isKind(entry, 'owner') && !exclude.includes('requester'));

/** Agents decide where they are being asked, or a step to come asks them. */
const agentsLeft = ({ agents }: Known, asked: readonly string[], { supervisors }: Hold['plan']): string[] =>
  namesOf(asked, 'agent').filter(
    (name) => agents.includes(name) && supervisors.every((call) => call.agent !== name || call.doneAt === null),
  );

function isNoOne({ people, agents }: Known, entry: string, owner: string): boolean {
  const [text = entry] = withOwner([entry], owner);
  const [agent] = namesOf([text], 'agent');
  if (agent !== undefined) return !agents.includes(agent);
  const [user] = namesOf([text], 'user');
  if (user !== undefined) return people.every(({ id }) => id !== user);
  const roles = namesOf([text], 'role');
  return people.every((person) => !person.roles.some((role) => roles.includes(role)));
}

/** How many votes these have between them, in addition to those given: one with those in whose stead they are asked. */
function votersAmong(
  deciders: readonly Principal[],
  hold: Pick<Asked, 'audience' | 'plan' | 'openedAt' | 'owner' | 'votes'>,
): number {
  const { owner, votes } = hold;
  const taken = votes.flatMap((vote) => votersOf(vote, owner));
  const own = (person: Principal): string[] => votersOf({ by: person.id, as: askedAs(hold, person, owner) }, owner);
  const inOrder = deciders.map(own).toSorted((a, b) => a.length - b.length);
  return inOrder.filter((voters) => {
    if (voters.some((one) => taken.some((other) => isSamePerson(one, other)))) return false;
    taken.push(...voters);
    return true;
  }).length;
}
