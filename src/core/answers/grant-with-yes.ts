// A grant that was given by the same press as a yes: it holds once that yes was sent, and never where the yes was taken back. What goes
// with the answer proves no grant: it counts with that very answer alone, and the process that records the end makes the grant of it.
import type { Attachment } from '../../contract/holds/attachment.ts';
import type { Granter, GrantTerms, GrantWithYes, ProvenGrant } from '../../contract/base/grant.ts';
import type { TaskId } from '../../contract/base/id-types.ts';
import type { AnswerEntry, Decision, DecisionProof, Vote } from '../../contract/holds/decision.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import { askerOf } from '../base/asker.ts';
import { type Sha1Hex, uuidV5 } from '../base/ids.ts';
import { canonicalJson } from '../base/json.ts';
import type { RowMacs } from '../base/proved-row.ts';
import { isSamePerson } from '../policy/lookalikes.ts';
import { type Call, callOf, givenBy } from '../consent/grants.ts';
import { argsEdited } from '../consent/judged.ts';
import { verdictOf } from '../consent/verdict.ts';

type Asked = Pick<Hold, 'holdId' | 'question' | 'plan'> & {
  taskId: TaskId;
  agent: string;
  owner: string;
  attachments: readonly Attachment[];
};

/** One approval makes one grant. */
export const grantIdOf = (sha1: Sha1Hex, { taskId, holdId }: Pick<Asked, 'taskId' | 'holdId'>): string =>
  uuidV5(sha1, taskId, `grant:${holdId}`);

/** The call that this answer approves, with the arguments that it approves; null: it approves none that can be granted. */
export function approvedCall(hold: Asked, answer: Pick<AnswerEntry, 'status' | 'values'>): Call | null {
  const { question, plan, attachments } = hold;
  if (verdictOf(question, answer) !== 'yes') return null;
  const call = callOf({ agent: askerOf(hold), policy: plan.policy, question, attachments });
  return call === null ? null : { ...call, args: argsEdited(question, answer.values) ?? call.args };
}

/** The text of the MAC of a part of an answer, which is named by the MAC of its proof. */
const withYesText = (
  { id, hold, terms }: Omit<ProvenGrant, 'given'>,
  { mac: _mac, ...who }: Omit<Granter, 'mac'> & { mac?: string },
  answer: string,
): string => canonicalJson({ for: 'standfast grant with an answer', answer, id, hold, terms, ...who });

/** That this person gives these terms with the answer of this proof. */
export function grantWithYes(
  macOf: (text: string) => string,
  grant: Omit<ProvenGrant, 'given'>,
  who: Omit<Granter, 'mac'>,
  { mac: answer }: Pick<DecisionProof, 'mac'>,
): GrantWithYes {
  const { ranges, times, sum, until, recheck, need } = grant.terms;
  const mac = macOf(withYesText(grant, who, answer));
  return { terms: { ranges, times, sum, until, recheck, need }, given: { ...who, mac } };
}

interface Given {
  decision: Decision | null;
  votes: readonly Vote[];
}

/** Who gave a grant with their answers so far, and how wide the first of them; null: no one. */
export function proposedWith(hold: Given): { terms: GrantWithYes['terms']; by: string[] } | null {
  const given = grantsIn(hold);
  const [first] = given;
  return first === undefined ? null : { terms: first.terms, by: sameAs(first, given).map((one) => one.by) };
}

const answersIn = ({ votes, decision }: Given): (Vote | Decision)[] => [
  // Who is no user any more leaves none.
  ...votes.filter(({ isGone }) => isGone !== true),
  ...(decision === null ? [] : [decision]),
];

const grantsIn = (given: Given): GrantWithYes[] => answersIn(given).flatMap(({ grant }) => grant ?? []);

const sameAs = (first: GrantWithYes, given: readonly GrantWithYes[]): Granter[] =>
  given
    .filter(({ terms }) => canonicalJson(terms) === canonicalJson(first.terms))
    .map((one) => one.given)
    .filter(({ by }, at, all) => all.findIndex((other) => isSamePerson(other.by, by)) === at);

/** The grant that a question ended with, of the answers that agreed; what is not as wide as the first that is proved is none. */
export function grantOfEnd({ macOf, isMacOf }: RowMacs, id: string, hold: Asked & Given): ProvenGrant | null {
  if (grantsIn(hold).length === 0) return null;
  const { decision, holdId } = hold;
  const call = decision === null ? null : approvedCall(hold, decision);
  if (call === null) return null;
  const { agent, tool, policy, args } = call;
  const named = (own: GrantWithYes['terms']): Omit<ProvenGrant, 'given'> => {
    const terms: GrantTerms = { agent, tool, policy, args, ...own };
    return { id, hold: holdId, terms };
  };
  const proved = answersIn(hold).flatMap(({ grant, proof }) => {
    if (grant === undefined || proof === undefined) return [];
    return isMacOf(withYesText(named(grant.terms), grant.given, proof.mac), grant.given.mac) ? [grant] : [];
  });
  const [first] = proved;
  if (first === undefined) return null;
  const grant = named(first.terms);
  return { ...grant, given: sameAs(first, proved).map(({ mac: _mac, ...who }) => givenBy(macOf, grant, who)) };
}
