// Audience entries are text in policies, rows and requests (`role:finance`, `owner`), and a union where code decides.
import { StandfastError } from '../base/errors.ts';

/** `owner` is the owner of the question's thread. */
export type AudienceEntry = { kind: 'owner' } | NamedEntry;
type NamedEntry = { kind: 'role' | 'user' | 'agent'; name: string };

const isNamedKind = (kind: string): kind is NamedEntry['kind'] =>
  kind === 'role' || kind === 'user' || kind === 'agent';

/** Any name is accepted, since identity providers choose them; the schema of policies is stricter. */
export function parseEntry(text: string): AudienceEntry {
  if (text === 'owner') return { kind: 'owner' };
  const colon = text.indexOf(':');
  const [kind, name] = [text.slice(0, Math.max(colon, 0)), text.slice(colon + 1)];
  if (isNamedKind(kind) && name !== '') return { kind, name };
  const found = JSON.stringify(text);
  throw new StandfastError('input_invalid', `found ${found}: expected role:<name>, user:<name>, agent:<name> or owner`);
}

export const formatEntry = (entry: AudienceEntry): string =>
  entry.kind === 'owner' ? 'owner' : `${entry.kind}:${entry.name}`;

/** Names of one kind among entries, in their order. */
export const namesOf = (entries: readonly string[], kind: NamedEntry['kind']): string[] =>
  entries.map(parseEntry).flatMap((entry) => (entry.kind === kind ? [entry.name] : []));

export const isKind = (text: string, kind: AudienceEntry['kind']): boolean => parseEntry(text).kind === kind;

/** Entries with `owner` replaced by the user. */
export const withOwner = (entries: readonly string[], owner: string): string[] =>
  entries.map((text) => (isKind(text, 'owner') ? formatEntry({ kind: 'user', name: owner }) : text));

/** Who did something, as rows and events name it: a person by their id, an agent, a policy, or a Temporal operator. */
interface Actor {
  kind: 'person' | 'agent' | 'policy' | 'operator';
  name: string;
}

/** Anything without a known prefix is a person's id, even with colons, which identity providers may use. */
export function parseActor(by: string): Actor {
  const [, kind, name = ''] = /^(user|agent|policy|operator):(.*)$/s.exec(by) ?? [];
  if (kind === 'user') return { kind: 'person', name };
  if (kind === 'agent' || kind === 'policy' || kind === 'operator') return { kind, name };
  return by === 'operator' ? { kind: 'operator', name: by } : { kind: 'person', name: by };
}
