import { afterAll, describe, expect, test } from '@jest/globals';
import { TranslatableString } from '@rjsf/utils';
import { de } from '../../web/src/i18n/de/words.ts';
import { define, translate } from '../../web/src/i18n/define.ts';
import { languageOf } from '../../web/src/i18n/language.ts';
import { plural, pluralRulesOf } from '../../web/src/i18n/plural.ts';
import * as en from '../../web/src/i18n/words.ts';
import { translateString } from '../../web/src/hold/form/field-message.ts';

type Words = Record<string, unknown>;
const isGroup = (value: unknown): value is Words =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names in `words` that `known` lacks, or has as something else. */
function strange(words: Words, known: Words, path: string): string[] {
  return Object.entries(words).flatMap(([name, word]) => {
    const english = known[name];
    if (isGroup(word) && isGroup(english)) return strange(word, english, `${path}.${name}`);
    return typeof word === typeof english ? [] : [`${path}.${name}`];
  });
}

describe('the language of the pages', () => {
  // Promise S48
  test('the language of the pages is the first one of the browser that there are words for, else English', () => {
    expect(languageOf(['de-AT', 'en'])).toBe('de');
    expect(languageOf(['fr', 'DE', 'en'])).toBe('de');
    expect(languageOf(['en-GB', 'de'])).toBe('en');
    expect(languageOf(['tlh'])).toBe('en');
    expect(languageOf([])).toBe('en');
  });

  // Promise S48
  test('the language of the pages has no word that English has not, and none of another kind', () => {
    expect(strange(de as Words, en, 'de')).toEqual([]);
  });

  // Promise S48
  test('the language of the pages has a German word for every English one', () => {
    // The words of German as names of English: what is strange to it is missing.
    expect(strange(en as unknown as Words, de as Words, 'en')).toEqual([]);
  });

  // Promise S48
  test('the language of the pages takes the place of English inside its groups, whichever comes first, and lacks nothing', () => {
    const before = define('early', { yes: 'yes', more: { no: 'no', maybe: 'maybe' } });
    translate({ early: { yes: 'ja', more: { no: 'nein' } }, late: { hello: 'hallo' } });
    expect(before).toEqual({ yes: 'ja', more: { no: 'nein', maybe: 'maybe' } });
    expect(define('late', { hello: 'hello', bye: 'bye' })).toEqual({ hello: 'hallo', bye: 'bye' });
  });

  test('the language of the pages has its own words for the choices of a yes-or-no field', () => {
    const { choiceYes, choiceNo } = en.hold;
    try {
      translate({ hold: { choiceYes: de.hold?.choiceYes, choiceNo: de.hold?.choiceNo } });
      expect(translateString(TranslatableString.YesLabel)).toBe('Ja');
      expect(translateString(TranslatableString.NoLabel)).toBe('Nein');
    } finally {
      // The words are those of all files of a worker.
      translate({ hold: { choiceYes, choiceNo } });
    }
  });

  test('counts by its own rules', () => {
    expect([plural(1, 'question', 'questions'), plural(0, 'question', 'questions')]).toEqual([
      '1 question',
      '0 questions',
    ]);
    pluralRulesOf('fr');
    expect(plural(0, 'question', 'questions')).toBe('0 question');
  });

  afterAll(() => {
    pluralRulesOf('en');
    translate({});
  });
});
