// One rule that was not met, as a person would say it.
import { englishStringTranslator, TranslatableString } from '@rjsf/utils';
import { strings } from '../../i18n/strings.ts';
import { listOf } from '../values/dict.ts';
import type { Problem } from '../answer/check.ts';

const words = strings.hold.form;

/** By the keyword; each takes the rule's own value. */
const messages: Record<string, (ruleValue: unknown) => string> = {
  required: () => words.required,
  minimum: (ruleValue) => words.atLeast(String(ruleValue)),
  maximum: (ruleValue) => words.atMost(String(ruleValue)),
  exclusiveMinimum: (ruleValue) => words.moreThan(String(ruleValue)),
  exclusiveMaximum: (ruleValue) => words.lessThan(String(ruleValue)),
  multipleOf: (ruleValue) => words.stepsOf(String(ruleValue)),
  minLength: (ruleValue) => (ruleValue === 1 ? words.required : words.minLength(Number(ruleValue))),
  maxLength: (ruleValue) => words.maxLength(Number(ruleValue)),
  minItems: (ruleValue) => words.minItems(Number(ruleValue)),
  maxItems: (ruleValue) => words.maxItems(Number(ruleValue)),
  uniqueItems: () => words.unique,
  enum: (ruleValue) =>
    listOf(ruleValue).length <= 5 ? words.oneOfThese(listOf(ruleValue).map(String).join(', ')) : words.oneOfList,
  const: (ruleValue) => words.mustBe(JSON.stringify(ruleValue)),
  format: (ruleValue) => words.format(String(ruleValue)),
  type: (ruleValue) => words.type(Array.isArray(ruleValue) ? ruleValue.map(String) : [String(ruleValue)]),
  pattern: () => words.pattern,
  oneOf: () => words.noChoice,
  anyOf: () => words.noChoice,
  minProperties: (ruleValue) => words.minEntries(Number(ruleValue)),
  maxProperties: (ruleValue) => words.maxEntries(Number(ruleValue)),
  false: () => words.notAllowed,
};

export const fieldMessage = ({ keyword, ruleValue }: Problem): string =>
  messages[keyword]?.(ruleValue) ?? words.doesNotFit;

/** The library has English words alone. */
export const translateString: typeof englishStringTranslator = (text, params) => {
  if (text === TranslatableString.YesLabel) return strings.hold.choiceYes;
  if (text === TranslatableString.NoLabel) return strings.hold.choiceNo;
  return englishStringTranslator(text, params);
};
