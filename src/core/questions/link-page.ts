// Which questions the page of a link may decide: only those that it shows in full.
import { editedArgsField } from '../../contract/holds/answer-names.ts';
import type { Config } from '../../contract/configuration/config.ts';
import type { ShownArtifact } from '../../contract/holds/hold.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { LadderPlan } from '../../contract/configuration/policy.ts';
import { isCarriedWhole } from '../consent/whole.ts';
import { yesNoFieldOf, yesOf } from '../consent/verdict.ts';
import { canonicalJson, objectOf } from '../base/json.ts';
import { visible } from '../base/visible.ts';

/** How much of a question a page or surface shows, in UTF-16 units. */
export interface WholeLimits {
  title: number;
  message: number;
  args: number;
  /** Of artifacts that are text and nothing else, together; missing: it shows none. */
  texts?: number;
}

/** What the page shows of each. */
const linkPageLimits: WholeLimits = { title: 200, message: 4_000, args: 4_000, texts: 4_000 };

/** Fields for comments and reasons; the page sends none of them. */
export const remarks = new Set(['reason', 'comment', 'response', editedArgsField]);

interface Asked {
  question: Question;
  artifacts: readonly Pick<ShownArtifact, 'textLength'>[] | null;
  attachments: readonly unknown[];
  plan: Pick<LadderPlan, 'danger'>;
}

export const offersDecideLinks = ({ notifications }: Pick<Config, 'notifications'>): boolean =>
  Object.values(notifications.channels).some(({ decideLinks }) => decideLinks);

/** Whether a link may decide such a question at all: a yes or a no is the whole answer, and nothing about it is dangerous. */
export const isLinkable = ({ question, plan }: Pick<Asked, 'question' | 'plan'>): boolean =>
  question.secrets.length === 0 && yesOf(question) !== null && !plan.danger;

export const argsText = (question: Question): string =>
  question.tool === null ? '' : JSON.stringify(question.tool.args, null, 1);

/** Whether the page shows all that the digest covers. */
export function isShownWhole({ question, artifacts, attachments }: Asked, limits = linkPageLimits): boolean {
  const { title, message, links, errors } = question;
  const texts = (artifacts ?? []).map(({ textLength = Number.POSITIVE_INFINITY }) => textLength);
  if (texts.length > 0 && !(sumOf(texts) <= (limits.texts ?? 0))) return false;
  if (attachments.length > 0 || links.length > 0) return false;
  if (Object.keys(errors).length > 0 || !hasOnlyItsDecision(question)) return false;
  if (!isCarriedWhole(question)) return false;
  // As they are written, characters that are not drawn written out.
  if (visible(title).length > limits.title || visible(message).length > limits.message) return false;
  return argsText(question).length <= limits.args;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** Nothing but the decision and comments, and no proposed value that differs from the call's own. */
function hasOnlyItsDecision({ schema, defaults, tool, ...question }: Question): boolean {
  const field = yesNoFieldOf({ schema, ...question });
  const others = Object.keys(objectOf(schema['properties'])).filter((name) => name !== field);
  if (others.some((name) => tool === null || !remarks.has(name))) return false;
  return Object.entries(defaults).every(
    ([name, value]) => name === editedArgsField && canonicalJson(value) === canonicalJson(tool?.args ?? {}),
  );
}

/** The agent's label of the decision, if it is more than yes or no. */
export function decisionText(question: Question): string {
  const properties = objectOf(question.schema['properties']);
  const { title, description } = objectOf(properties[yesNoFieldOf(question) ?? '']);
  return [title, description].filter((text) => typeof text === 'string' && text !== '').join('\n');
}
