// The one place that knows how numbers and nouns go together, by the rules of the language the pages speak.
let rules = new Intl.PluralRules('en');

export function pluralRulesOf(language: string): void {
  rules = new Intl.PluralRules(language);
}

/** `1 question`, `2 questions`. */
export const plural = (n: number, one: string, many: string): string =>
  `${n} ${rules.select(n) === 'one' ? one : many}`;
