// Which questions a link's own page may decide: those that it shows whole, down to the last word.
import type { Config } from '../../contract/config.ts';
import type { Question } from '../../contract/form.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { LadderPlan } from '../../contract/policy.ts';
import { yesNoFieldOf, yesOf } from '../answers/yes-no.ts';
import { canonicalJson } from '../base/canonical-json.ts';

/** What the page shows of each, in UTF-16 units. */
export const linkPageLimits = { title: 200, message: 4_000, args: 4_000 };

/** Fields in which a person may say more than yes or no; the page sends none of them. */
const remarks = new Set(['reason', 'comment', 'response', 'editedArgs']);

interface Asked {
  question: Question;
  artifacts: readonly unknown[] | null;
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

/** Whether the page shows all that the digest covers; a text that was cut before it came here ends with a mark. */
export function isShownWhole({ question, artifacts, attachments }: Asked): boolean {
  const { title, message, links, errors } = question;
  if ((artifacts ?? []).length > 0 || attachments.length > 0 || links.length > 0) return false;
  if (Object.keys(errors).length > 0 || !hasOnlyItsDecision(question)) return false;
  if (title.length > linkPageLimits.title || title.endsWith('…')) return false;
  if (message.length > linkPageLimits.message || /(?:…|\[…\])\s*$/u.test(message)) return false;
  return argsText(question).length <= linkPageLimits.args;
}

const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

/** No field beside the decision, but for remarks; and no value proposed that the call does not have anyway. */
function hasOnlyItsDecision({ schema, defaults, tool, ...question }: Question): boolean {
  const field = yesNoFieldOf({ schema, ...question });
  const others = Object.keys(objectOf(schema['properties'])).filter((name) => name !== field);
  if (others.some((name) => tool === null || !remarks.has(name))) return false;
  return Object.entries(defaults).every(
    ([name, value]) => name === 'editedArgs' && canonicalJson(value) === canonicalJson(tool?.args ?? {}),
  );
}

/** What the agent calls the decision itself, where it says more than yes or no. */
export function decisionText(question: Question): string {
  const properties = objectOf(question.schema['properties']);
  const { title, description } = objectOf(properties[yesNoFieldOf(question) ?? '']);
  return [title, description].filter((text) => typeof text === 'string' && text !== '').join('\n');
}
