// What one message on a surface says of a question, derived from its row alone, so that each update says the same.
import type { HoldId } from '../../contract/base/id-types.ts';
import { utcTime } from '../base/utc-time.ts';
import type { Config } from '../../contract/configuration/config.ts';
import type { Decision } from '../../contract/holds/decision.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import { holdUrl } from '../base/page-url.ts';
import { decisionLabel } from '../answers/yes-no.ts';
import { expiryActions } from '../policy/expiry-actions.ts';
import { argsText } from './link-page.ts';
import { offerOf, type Offer, type SurfaceLimits } from './surface-question.ts';

/** A question as one message shows it. */
export interface ShownQuestion {
  holdId: HoldId;
  digest: string;
  title: string;
  message: string;
  /** Arguments of the tool call as text; null: it is about none. */
  args: string | null;
  tool: string | null;
  agent: string;
  requester: string;
  /** ISO; null: none. */
  deadline: string | null;
  /** Address of the question's page. */
  link: string;
  /** What may be done here; ignored once it has ended. */
  offer: Offer;
  /** What became of it, in words; null while it is open. */
  end: string | null;
}

export interface AskedRow extends Hold {
  agent: string;
  owner: string;
  artifacts: readonly unknown[] | null;
  attachments: readonly unknown[];
}

export function shownQuestion(
  { agents, users }: Pick<Config, 'agents' | 'users'>,
  publicUrl: string,
  row: AskedRow,
  limits: SurfaceLimits,
): ShownQuestion {
  const { holdId, digest, question, owner, expiresAt } = row;
  return {
    holdId,
    digest,
    title: question.title,
    message: question.message,
    args: question.tool === null ? null : argsText(question),
    tool: question.tool?.name ?? null,
    agent: (Object.hasOwn(agents, row.agent) ? agents[row.agent]?.title : undefined) ?? row.agent,
    requester: nameOf(users, owner),
    deadline: expiresAt,
    link: holdUrl(publicUrl, holdId),
    offer: offerOf(row, limits),
    end: endWords(users, row),
  };
}

export const nameOf = (users: Config['users'], id: string): string =>
  (Object.hasOwn(users, id) ? users[id]?.name : undefined) ?? id;

const verbs = { approved: 'Approved', rejected: 'Rejected', provided: 'Answered' };

/** How a hold ended, in words; null while it is open and nothing was decided. */
export function endWords(
  users: Config['users'],
  hold: Pick<Hold, 'question' | 'status' | 'decision' | 'ended' | 'outgoing' | 'plan'>,
): string | null {
  const { question, status, decision, ended, outgoing, plan } = hold;
  if (outgoing)
    return `${verdict(question, outgoing.decision)} by ${nameOf(users, outgoing.decision.by)}; sent to the agent at ${utcTime(outgoing.at)}`;
  if (status === 'open') return null;
  if (ended?.why === 'superseded') return 'The agent asks again; a newer question takes its place';
  if (ended?.why === 'expired') return `Expired ${utcTime(ended.at)}: ${expiryActions[plan.then].label}`;
  if (decision !== null)
    return `${verdict(question, decision)} by ${nameOf(users, decision.by)}, ${utcTime(decision.at)}`;
  return ended === null
    ? 'Ended'
    : `${ended.why === 'withdrawn' ? 'Withdrawn' : 'Cancelled'} by ${nameOf(users, ended.by)}, ${utcTime(ended.at)}`;
}

const verdict = (question: Hold['question'], decision: Decision): string =>
  verbs[decisionLabel({ question, decision })];
