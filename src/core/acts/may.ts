// Who may do an act about a question, of those who see it: one rule for routes, views, workflow and documents.
import { type ActName, acts, whoMay, type WhoMay } from '../../contract/acts/act-names.ts';
import type { Principal } from '../../contract/base/principal.ts';
import type { Refusal } from '../../contract/base/problem.ts';
import type { Hold, HoldMove } from '../../contract/holds/hold.ts';
import { refuse } from '../base/errors.ts';
import { isOperator, isSameAudience, mayDecide, ownsThread } from '../policy/audience.ts';
import { withPeople } from '../policy/ladder.ts';

/** What the rules read of a question: of its row, or of the workflow's hold. */
export interface ActedOn extends Pick<Hold, 'audience' | 'plan' | 'openedAt' | 'outgoing' | 'votes'> {
  /** Its last move, as long as nothing else has been done to it. */
  passedOn?: Hold['passedOn'];
}

type Rule = (hold: ActedOn, principal: Principal, owner: string) => boolean;

const isPerson = ({ kind }: Principal): boolean => kind !== 'agent';
const isDiscusser: Rule = (hold, principal, owner) => isOperator(principal) || mayDecide(hold, principal, owner);

const rules: Record<WhoMay, Rule> = {
  seers: () => true,
  people: (_hold, principal) => isPerson(principal),
  deciders: mayDecide,
  discussers: isDiscusser,
  movers: (hold, principal, owner) => isDiscusser(hold, principal, owner) || mayTakeBack(hold, principal),
  bystanders: (hold, principal, owner) => isPerson(principal) && !isDiscusser(hold, principal, owner),
  // Programs wait without asking; they have reminders in the policy.
  waiting: (hold, principal, owner) => isPerson(principal) && !mayDecide(hold, principal, owner),
  extenders: (hold, principal, owner) =>
    isOperator(principal) || (hold.plan.extend === 'asked' && mayDecide(hold, principal, owner)),
  undoers: mayUndo,
  owners: (_hold, principal, owner) => ownsThread(principal, owner),
  operators: (_hold, principal) => isOperator(principal),
};

/** Whether the decision is theirs to take back: a grace must not be a lock by which one person keeps the question from all others. */
function mayUndo({ plan, outgoing, openedAt }: ActedOn, principal: Principal, owner: string): boolean {
  // There is none to take back: nothing changes.
  if (!outgoing) return true;
  if (outgoing.decision.by === principal.id || isOperator(principal)) return true;
  const audience = plan.steps.flatMap((step) => (step.do === 'escalate' ? step.to : []));
  return mayDecide({ audience, plan, openedAt }, principal, owner);
}

/** Whether the last move is theirs to take back: by now others may have been asked, or have agreed. */
function mayTakeBack({ audience, votes, passedOn }: ActedOn, { id }: Pick<Principal, 'id'>): boolean {
  if (!passedOn) return false;
  const { by, to, at } = passedOn;
  return by === id && isSameAudience(audience, to) && votes.every((vote) => vote.at <= at);
}

/** Whether they take the last move back by naming these: the same people are asked again as before it. */
export const takesBack = (hold: ActedOn, principal: Principal, to: readonly string[]): boolean =>
  mayTakeBack(hold, principal) && isSameAudience(withPeople(to), hold.passedOn?.from ?? []);

/** A question as its row has it. */
type Row = Pick<Hold, 'audience' | 'plan' | 'openedAt' | 'outgoing' | 'votes' | 'status' | 'expiresAt'> & {
  moves: readonly HoldMove[];
  claim: { by: string } | null;
};

/** The row with its last move, where that can still be taken back by this principal. */
export function asActedOn<R extends Row>(row: R, { id }: Principal): R & ActedOn {
  const last = row.moves.at(-1);
  const isFree = row.claim === null || row.claim.by === id;
  const isOpen = row.status === 'open' && isFree && last?.isBack !== true;
  return { ...row, passedOn: isOpen ? (last ?? null) : null };
}

/** Whether this principal, who sees the question, may do this about it. */
export const mayAct = (act: ActName, hold: ActedOn, principal: Principal, owner: string): boolean =>
  whyNotAct(act, hold, principal, owner) === null;

/** Why they may not; null: they may. */
export function whyNotAct(act: ActName, hold: ActedOn, principal: Principal, owner: string): Refusal | null {
  const { who, verb } = acts[act];
  if (act === 'extend' && hold.plan.extend === 'none')
    return refuse('forbidden', `the policy ${hold.plan.policy} allows no later deadline`);
  if (rules[who](hold, principal, owner)) return null;
  const { words, code } = whoMay[who];
  return refuse(code, `only ${words} may ${verb}`);
}
