// One rule that was not met, as a person would say it.
import { strings } from '../../i18n/strings.ts';
import { listOf } from '../values/dict.ts';
import type { Problem } from './check.ts';

export function fieldMessage({ keyword, limit }: Problem): string {
  const words = strings.hold.form;
  switch (keyword) {
    case 'required':
      return words.required;
    case 'minimum':
      return words.atLeast(String(limit));
    case 'maximum':
      return words.atMost(String(limit));
    case 'exclusiveMinimum':
      return words.moreThan(String(limit));
    case 'exclusiveMaximum':
      return words.lessThan(String(limit));
    case 'multipleOf':
      return words.stepsOf(String(limit));
    case 'minLength':
      return limit === 1 ? words.required : words.minLength(Number(limit));
    case 'maxLength':
      return words.maxLength(Number(limit));
    case 'minItems':
      return words.minItems(Number(limit));
    case 'maxItems':
      return words.maxItems(Number(limit));
    case 'uniqueItems':
      return words.unique;
    case 'enum':
      return listOf(limit).length <= 5 ? words.oneOfThese(listOf(limit).map(String).join(', ')) : words.oneOfList;
    case 'const':
      return words.mustBe(JSON.stringify(limit));
    case 'format':
      return words.format(String(limit));
    case 'type':
      return words.type(Array.isArray(limit) ? limit.map(String) : [String(limit)]);
    case 'pattern':
      return words.pattern;
    case 'oneOf':
    case 'anyOf':
      return words.noChoice;
    case 'minProperties':
      return words.minEntries(Number(limit));
    case 'maxProperties':
      return words.maxEntries(Number(limit));
    case 'false':
      return words.notAllowed;
    default:
      return words.doesNotFit;
  }
}
