// One rule that was not met, as a person would say it.
import { englishStringTranslator, TranslatableString } from '@rjsf/utils';
import { strings } from '../../i18n/strings.ts';
import { listOf } from '../values/dict.ts';
import type { Problem } from '../answer/check.ts';

const words = strings.hold.form;

/** By the keyword; each takes the rule's own value. */
const messages: Record<string, (limit: unknown) => string> = {
  required: () => words.required,
  minimum: (limit) => words.atLeast(String(limit)),
  maximum: (limit) => words.atMost(String(limit)),
  exclusiveMinimum: (limit) => words.moreThan(String(limit)),
  exclusiveMaximum: (limit) => words.lessThan(String(limit)),
  multipleOf: (limit) => words.stepsOf(String(limit)),
  minLength: (limit) => (limit === 1 ? words.required : words.minLength(Number(limit))),
  maxLength: (limit) => words.maxLength(Number(limit)),
  minItems: (limit) => words.minItems(Number(limit)),
  maxItems: (limit) => words.maxItems(Number(limit)),
  uniqueItems: () => words.unique,
  enum: (limit) =>
    listOf(limit).length <= 5 ? words.oneOfThese(listOf(limit).map(String).join(', ')) : words.oneOfList,
  const: (limit) => words.mustBe(JSON.stringify(limit)),
  format: (limit) => words.format(String(limit)),
  type: (limit) => words.type(Array.isArray(limit) ? limit.map(String) : [String(limit)]),
  pattern: () => words.pattern,
  oneOf: () => words.noChoice,
  anyOf: () => words.noChoice,
  minProperties: (limit) => words.minEntries(Number(limit)),
  maxProperties: (limit) => words.maxEntries(Number(limit)),
  false: () => words.notAllowed,
};

export const fieldMessage = ({ keyword, limit }: Problem): string => messages[keyword]?.(limit) ?? words.doesNotFit;

/** The library has English words alone. */
export const translateString: typeof englishStringTranslator = (text, params) => {
  if (text === TranslatableString.YesLabel) return strings.hold.choiceYes;
  if (text === TranslatableString.NoLabel) return strings.hold.choiceNo;
  return englishStringTranslator(text, params);
};
