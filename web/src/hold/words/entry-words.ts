// Audience entries as people say them, and which of them a half-typed name may mean; pure.
import type { AudienceOption } from '../../../../src/contract/inbox.ts';
import { strings } from '../../i18n/strings.ts';
import { visible } from '../text/visible.ts';

export type EntryKind = 'role' | 'user' | 'agent' | 'owner';

export const kindOf = (entry: string): EntryKind => {
  const [kind = ''] = entry.split(':');
  return kind === 'role' || kind === 'user' || kind === 'agent' ? kind : 'owner';
};

/** `role:finance` → finance, `user:cem` → Cem where he has a name. */
export function entryName(entry: string, name: string | null): string {
  if (entry === 'owner') return strings.hold.starter;
  return visible(name ?? entry.slice(entry.indexOf(':') + 1));
}

/** Those that a text may mean, by their entry or their name; nobody who was chosen already. */
export function matching(
  options: readonly AudienceOption[],
  typed: string,
  chosen: readonly string[],
): AudienceOption[] {
  const wanted = typed.trim().toLowerCase();
  return options
    .filter(({ entry }) => !chosen.includes(entry))
    .filter(({ entry, name }) => [entry, name ?? ''].some((text) => text.toLowerCase().includes(wanted)))
    .slice(0, 8);
}
