// A growing text is one message. Deltas cannot delete text, so replacing it by text that does not extend it ends the
// message and starts another version of its id. The run's final MESSAGES_SNAPSHOT lists the latest versions only, so
// that clients drop the others.
import type { JsonObject } from '../../../contract/base/json.ts';
import type { Projection } from './projection.ts';

type VersionedKind = 'artifact' | 'reasoning';

const roles = { artifact: 'assistant', reasoning: 'reasoning' } as const satisfies Record<VersionedKind, string>;
const pattern = /^(artifact|reasoning)(?:\.([1-9]\d{0,8}))?:(.*)$/s;

export interface Version {
  kind: VersionedKind;
  key: string;
  version: number;
}

export function versionId({ kind, key, version }: Version): string {
  return version === 1 ? `${kind}:${key}` : `${kind}.${version}:${key}`;
}

export function versionOf(id: unknown): Version | null {
  const match = typeof id === 'string' ? pattern.exec(id) : null;
  if (match === null) return null;
  return {
    kind: match[1] === 'reasoning' ? 'reasoning' : 'artifact',
    key: match[3] ?? '',
    version: Number(match[2] ?? 1),
  };
}

const isVersionOf = (id: unknown, kind: VersionedKind, key: string): boolean => {
  const found = versionOf(id);
  return found !== null && found.kind === kind && found.key === key;
};

/** All versions of a text in the conversation, of any role. */
export function versionsOf(p: Projection, kind: VersionedKind, key: string): JsonObject[] {
  return p.messages.filter((message) => isVersionOf(message['id'], kind, key));
}

/** Number of the latest version; 0 when there is none. */
export function currentVersion(p: Projection, kind: VersionedKind, key: string): number {
  const isOpen = kind === 'artifact' ? p.openTexts : p.openReasoning;
  const open = isOpen.find((id) => isVersionOf(id, kind, key));
  if (open !== undefined) return versionOf(open)?.version ?? 1;
  return versionsOf(p, kind, key).reduce((newest, { id }) => Math.max(newest, versionOf(id)?.version ?? 0), 0);
}

/** The messages without superseded versions. */
export function withoutReplacedTexts(messages: readonly JsonObject[]): JsonObject[] {
  const newest = new Map<string, number>();
  for (const { id, role } of messages) {
    const found = versionOf(id);
    if (found === null || role !== roles[found.kind]) continue;
    const name = `${found.kind}:${found.key}`;
    newest.set(name, Math.max(found.version, newest.get(name) ?? 0));
  }
  return messages.filter((message) => {
    const found = versionOf(message['id']);
    if (found === null || message['role'] !== roles[found.kind]) return true;
    return found.version === newest.get(`${found.kind}:${found.key}`);
  });
}
