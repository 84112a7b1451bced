// What a step of the ladder does, as people say it.
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { strings } from '../../i18n/strings.ts';
import { audienceWords } from './people.ts';

const words = strings.hold.steps;

/** `replace`: it asks others in the place of those asked now. */
export type Step = NonNullable<HoldView['nextStep']> & { replace?: boolean };

export function formatStep({ do: what, to, replace = false }: Step, requester: string): string {
  const whom = to.length === 0 ? '' : audienceWords(to, requester);
  if (what === 'expire') return words.expire;
  return what === 'escalate' && replace ? words.replace(whom) : words[what](whom);
}
