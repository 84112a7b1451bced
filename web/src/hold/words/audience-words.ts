// Several people named in one field: what is suggested completes the one being written, and keeps those before it.
import type { AudienceOption } from '../../../../src/contract/inbox.ts';
import { visible } from '../text/visible.ts';

/** `role:finance us` may go on as `role:finance user:ana`; nobody named already is suggested again. */
export function completionsOf(
  text: string,
  options: readonly AudienceOption[],
): { value: string; label: string | undefined }[] {
  const before = /^.*[\s,]/su.exec(text)?.[0] ?? '';
  const named = new Set(before.split(/[\s,]+/u));
  return options
    .filter(({ entry }) => !named.has(entry))
    .map(({ entry, name }) => ({ value: before + entry, label: name === null ? undefined : visible(name) }));
}
