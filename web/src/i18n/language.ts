// Which language the pages speak: the first one of the browser's that there are words for, else English.
import { translate } from './define.ts';
import { pluralRulesOf } from './plural.ts';

const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** `['de-AT', 'en']` → `de`. */
export function languageOf(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split('-')[0];
    const found = languages.find((language) => language === base);
    if (found !== undefined) return found;
  }
  return 'en';
}

/** Before anything is drawn; resolves to the language spoken. Words that do not come leave the pages English. */
export async function speak(language: Language): Promise<Language> {
  if (language === 'en') return 'en';
  try {
    const { de } = await import('./de/words.ts');
    translate(de);
  } catch {
    return 'en';
  }
  pluralRulesOf(language);
  return language;
}
