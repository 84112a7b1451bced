// A text that grows is one message. Deltas cannot take words back: when it is replaced by one that does not continue
// it, the message ends and the new text begins another version of the id. At the run's end MESSAGES_SNAPSHOT lists the
// newest versions only, so that clients drop the older ones.
import type { JsonObject } from '../../../contract/base/json.ts';
import type { Projection } from './projection.ts';

type VersionedKind = 'artifact' | 'thought';

const roles: Record<VersionedKind, string> = { artifact: 'assistant', thought: 'reasoning' };
const pattern = /^(artifact|thought)(?:\.([1-9]\d{0,8}))?:(.*)$/s;

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
  return { kind: match[1] === 'thought' ? 'thought' : 'artifact', key: match[3] ?? '', version: Number(match[2] ?? 1) };
}

const isVersionOf = (id: unknown, kind: VersionedKind, key: string): boolean => {
  const found = versionOf(id);
  return found !== null && found.kind === kind && found.key === key;
};

/** All versions of a text that the conversation has, of whatever role. */
export function versionsOf(p: Projection, kind: VersionedKind, key: string): JsonObject[] {
  return p.messages.filter((message) => isVersionOf(message['id'], kind, key));
}

/** The newest version, 0 when there is none; the open one is the newest. */
export function currentVersion(p: Projection, kind: VersionedKind, key: string): number {
  const isOpen = kind === 'artifact' ? p.openTexts : p.openReasoning;
  const open = isOpen.find((id) => isVersionOf(id, kind, key));
  if (open !== undefined) return versionOf(open)?.version ?? 1;
  return versionsOf(p, kind, key).reduce((newest, { id }) => Math.max(newest, versionOf(id)?.version ?? 0), 0);
}

/** Messages without the texts that a later version replaced. */
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
