// A grant that was given by the same press as a yes: it holds once that yes was sent, and never where the yes was taken back.
import type { Granter, GrantTerms, GrantWithYes, ProvenGrant } from '../../contract/base/grant.ts';
import type { TaskId } from '../../contract/base/id-types.ts';
import type { AnswerEntry, Decision, Vote } from '../../contract/holds/decision.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import { askerOf } from '../base/asker.ts';
import { type Sha1Hex, uuidV5 } from '../base/ids.ts';
import { canonicalJson } from '../base/json.ts';
import { isSamePerson } from '../policy/lookalikes.ts';
import { type Call, callOf, givenBy } from '../consent/grants.ts';
import { argsEdited } from '../consent/judged.ts';
import { verdictOf } from '../consent/verdict.ts';

type Asked = Pick<Hold, 'holdId' | 'question' | 'plan'> & { taskId: TaskId; agent: string; owner: string };

/** One approval makes one grant. */
export const grantIdOf = (sha1: Sha1Hex, { taskId, holdId }: Pick<Asked, 'taskId' | 'holdId'>): string =>
  uuidV5(sha1, taskId, `grant:${holdId}`);

/** The call that this answer approves, with the arguments that it approves; null: it approves none that can be granted. */
export function approvedCall(hold: Asked, answer: Pick<AnswerEntry, 'status' | 'values'>): Call | null {
  const { question, plan } = hold;
  if (verdictOf(question, answer) !== 'yes') return null;
  const call = callOf({ agent: askerOf(hold), policy: plan.policy, question });
  return call === null ? null : { ...call, args: argsEdited(question, answer.values) ?? call.args };
}

/** That this person gives these terms with their yes. */
export function grantWithYes(
  macOf: (text: string) => string,
  grant: Omit<ProvenGrant, 'given'>,
  who: Omit<Granter, 'mac'>,
): GrantWithYes {
  const { ranges, times, sum, until, recheck, need } = grant.terms;
  return { terms: { ranges, times, sum, until, recheck, need }, given: givenBy(macOf, grant, who) };
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

const grantsIn = ({ votes, decision }: Given): GrantWithYes[] =>
  [...votes, ...(decision === null ? [] : [decision])].flatMap(({ grant }) => grant ?? []);

const sameAs = (first: GrantWithYes, given: readonly GrantWithYes[]): Granter[] =>
  given
    .filter(({ terms }) => canonicalJson(terms) === canonicalJson(first.terms))
    .map((one) => one.given)
    .filter(({ by }, at, all) => all.findIndex((other) => isSamePerson(other.by, by)) === at);

/** The grant that a question ended with, of the answers that agreed; what is not as wide as the first is none. */
export function grantOfEnd(id: string, hold: Asked & Given): ProvenGrant | null {
  const { decision, holdId } = hold;
  const given = grantsIn(hold);
  const [first] = given;
  const call = decision === null || first === undefined ? null : approvedCall(hold, decision);
  if (first === undefined || call === null) return null;
  const { agent, tool, policy, args } = call;
  const terms: GrantTerms = { agent, tool, policy, args, ...first.terms };
  return { id, hold: holdId, terms, given: sameAs(first, given) };
}
