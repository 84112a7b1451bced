// Audience entries as people say them, and which of them a half-typed name may mean; pure.
import type { AudienceOption } from '../../../../src/contract/views/inbox.ts';
import { parseEntry } from '../../../../src/core/policy/audience-entry.ts';
import { strings } from '../../i18n/strings.ts';
import { visible } from '../../base/text/visible.ts';

/** `role:finance` → finance, `user:cem` → Cem where he has a name. */
export function entryName(entry: string, name: string | null): string {
  const parsed = parseEntry(entry);
  return parsed.kind === 'owner' ? strings.hold.starter : visible(name ?? parsed.name);
}

/** Those that a text may mean, by their entry or their name, without those that were chosen already. */
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
