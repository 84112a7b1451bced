// What a person had typed into an answer that was taken back: their draft from then on.
import type { Decision } from '../../contract/holds/decision.ts';
import { draftReasonKey } from '../../contract/holds/answer-names.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { canonicalJson } from '../base/json.ts';
import { decidesOf } from '../consent/verdict.ts';
import { reasonNames } from './reason-names.ts';

type Asked = Pick<Question, 'kind' | 'schema' | 'decisionField' | 'defaults' | 'secrets'>;

/** Without secrets, without the yes or no of a button, and without what was proposed; empty: nothing was typed. */
export function draftOfAnswer(question: Asked, { values, reason }: Pick<Decision, 'values' | 'reason'>): JsonObject {
  const { defaults, secrets } = question;
  const decides = decidesOf(question);
  // Next to two buttons the reason has a field of its own on the page.
  const carrier = decides === null ? undefined : reasonNames.find((name) => typeof values[name] === 'string');
  const typed = Object.entries(values).filter(
    ([name, value]) =>
      name !== decides?.field &&
      name !== carrier &&
      !secrets.includes(name) &&
      canonicalJson(value) !== canonicalJson(defaults[name]),
  );
  const words = reason ?? (carrier === undefined ? null : (values[carrier] ?? null));
  return {
    ...Object.fromEntries(typed),
    ...(words === null || words === '' || (carrier !== undefined && secrets.includes(carrier))
      ? {}
      : { [draftReasonKey]: words }),
  };
}
