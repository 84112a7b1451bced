// What one message on a surface says of a question, derived from its row alone, so that each update says the same.
import type { HoldId } from '../../contract/base/id-types.ts';
import { utcTime } from '../base/utc-time.ts';
import type { Config } from '../../contract/configuration/config.ts';
import type { Decision } from '../../contract/holds/decision.ts';
import type { AnswerName, EndName, Hold, ShownArtifact } from '../../contract/holds/hold.ts';
import { holdUrl } from '../base/page-url.ts';
import { isTimeUp } from '../answers/time-up.ts';
import { chosenText, isAnswerName } from '../answers/end-name.ts';
import { endNameOfHold, goingNameOf } from '../answers/hold-end-name.ts';
import { shownStages, stagesLine } from '../consent/stage.ts';
import { chosenOf } from '../consent/verdict.ts';
import { parseActor } from '../policy/audience-entry.ts';
import { expiryActions } from '../policy/expiry-actions.ts';
import { type ArgField, argFields } from './arg-fields.ts';
import { offerOf, type Offer, type SurfaceLimits } from './surface-question.ts';
import { ownEntry } from '../base/own-entry.ts';

/** What an agent streamed before it asked; `name`: of the artifact, where it has one. */
export interface ShownText {
  name: string;
  text: string;
}

/** A question as one message shows it. */
export interface ShownQuestion {
  holdId: HoldId;
  digest: string;
  title: string;
  message: string;
  /** What the agent wrote before it asked, without what its message says itself. */
  texts: readonly ShownText[];
  /** Arguments of the tool call; null: it is about none. */
  args: readonly ArgField[] | null;
  tool: string | null;
  /** What the agent says of it beyond it, as text marked as its own words; null: nothing. */
  stated: string | null;
  agent: string;
  requester: string;
  /** Which groups must agree, and who of them has; empty: there is one. */
  stages: string;
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
  artifacts: readonly Pick<ShownArtifact, 'textLength'>[] | null;
  attachments: readonly unknown[];
}

/** `texts`: null if what lies with it is more than text, or cannot be shown as it was. */
export function shownQuestion(
  { agents, users }: Pick<Config, 'agents' | 'users'>,
  publicUrl: string,
  row: AskedRow,
  limits: SurfaceLimits,
  { texts, now }: { texts: readonly ShownText[] | null; now: string },
): ShownQuestion {
  const { holdId, digest, question, owner, expiresAt } = row;
  return {
    holdId,
    digest,
    title: question.title,
    message: question.message,
    texts: textsBeyond(question.message, texts ?? []),
    args: question.tool === null ? null : argFields(question.tool.args),
    tool: question.tool?.name ?? null,
    stated: statedText(question, agentTitle(agents, row.agent)),
    agent: agentTitle(agents, row.agent),
    requester: nameOf(users, owner),
    stages: stagesLine(row.plan.stages?.order, shownStages(row), (user) => nameOf(users, user)),
    deadline: expiresAt,
    link: holdUrl(publicUrl, holdId),
    offer: texts === null ? { kind: 'page' } : offerOf(row, limits),
    end: isTimeUp(row, now) ? 'Time is up; its policy decides' : endWords(users, row),
  };
}

export const textsBeyond = (message: string, texts: readonly ShownText[]): ShownText[] =>
  texts.filter(({ name, text }) => name !== '' || text.trim() !== message.trim());

/** One of its texts, under words that say whose it is. */
export const writtenText = (agent: string, { name, text }: ShownText): string =>
  `${agent} wrote before it asked${name === '' ? '' : ` (${name})`}:\n${text}`;

export const agentTitle = (agents: Config['agents'], name: string): string => ownEntry(agents, name)?.title ?? name;

/** Its risk and its reasoning, which nothing has checked. */
export function statedText({ stated }: Hold['question'], agent: string): string | null {
  if (stated === undefined) return null;
  const { risk, reasoning } = stated;
  const lines = [...(risk === undefined ? [] : [`Risk: ${risk}`]), ...(reasoning === undefined ? [] : [reasoning])];
  return `In ${agent}’s own words, which nothing has checked:\n${lines.join('\n')}`;
}

export const nameOf = (users: Config['users'], id: string): string => ownEntry(users, id)?.name ?? id;

type Ended = Pick<Hold, 'question' | 'status' | 'decision' | 'ended' | 'outgoing' | 'plan' | 'supersededBy'>;

/** A person by their name; what a policy or an agent did is no person's doing. */
function actorName(users: Config['users'], by: string): string {
  const { kind, name } = parseActor(by);
  return kind === 'person' ? nameOf(users, name) : kind === 'operator' ? 'an operator' : `${kind} ${name}`;
}

/** Who gave an answer, and in whose stead. */
function authorName(
  users: Config['users'],
  { by, inPlaceOf = [] }: Pick<Decision, 'by'> & Partial<Pick<Decision, 'inPlaceOf'>>,
): string {
  const others = inPlaceOf.map((user) => nameOf(users, user)).join(', ');
  return others === '' ? actorName(users, by) : `${actorName(users, by)} in place of ${others}`;
}

const verbs: Record<AnswerName, string> = {
  approved: 'Approved',
  rejected: 'Rejected',
  answered: 'Answered',
  declined: 'Declined',
};

const otherEnds: Record<Exclude<EndName, AnswerName>, (who: string, at: string, plan: Hold['plan']) => string> = {
  expired: (_who, at, { then }) => `Expired ${at}: ${expiryActions[then].label}`,
  withdrawn: (who, at) => `Taken back by ${who}, ${at}`,
  endedWith: (who, at) => `Ended with the other question (${who}), ${at}`,
  superseded: () => 'The agent asks again; a newer question takes its place',
  cancelled: (who, at) => `Its task was cancelled by ${who}, ${at}`,
};

/** How a hold ended, in words; null while it is open and nothing was decided. */
export function endWords(users: Config['users'], hold: Ended): string | null {
  const { question, decision, ended, outgoing, plan } = hold;
  const what = chosenText(chosenOf(question, outgoing?.decision ?? decision));
  if (outgoing) {
    const { decision: given, at } = outgoing;
    const verb = verbs[goingNameOf(question, given)];
    return `${verb}${what} by ${authorName(users, given)}; sent to the agent at ${utcTime(at)}`;
  }
  const name = endNameOfHold(hold);
  if (name === null) return null;
  const given = decision ?? ended;
  if (given === null) return 'Ended';
  const [who, when] = [authorName(users, given), utcTime(given.at)];
  return isAnswerName(name) ? `${verbs[name]}${what} by ${who}, ${when}` : otherEnds[name](who, when, plan);
}
