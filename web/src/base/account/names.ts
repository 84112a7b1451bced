// Principals, audiences and digests as people say them.
import { parseActor, parseEntry } from '../../../../src/core/policy/audience-entry.ts';
import { hueOf, spreadHues } from './hues.ts';

/** People's names by their id, as the server sent them with who is signed in. */
let known: Readonly<Record<string, string>> = {};
export const knowNames = (names: Readonly<Record<string, string>>): void => {
  known = names;
};

/** Agents' titles by their names, as the configuration has them. */
let titles: ReadonlyMap<string, string> = new Map();
/** Their colours, apart from each other as far as there are enough. */
let hues: ReadonlyMap<string, number> = new Map();
export const knowAgents = (agents: readonly { name: string; title: string }[]): void => {
  titles = new Map(agents.map(({ name, title }) => [name, title]));
  hues = spreadHues(agents.map(({ name }) => name));
};

export const agentHue = (name: string): number => hues.get(name) ?? hueOf(name);

/** An agent as people know it; its name in the configuration where it has no title. */
export const agentTitle = (name: string): string => titles.get(name) ?? name;

/** A program that asked gets the answer and nothing else: it cannot be asked back, and no agent has this name. */
export const takesMessages = (agent: string): boolean => agent !== 'ask';

const personName = (id: string): string => (Object.hasOwn(known, id) ? known[id] : undefined) ?? id;

/** Who did something: `ana` → Ana, `policy:x` and `agent:x` without their kind. */
export function shortName(by: string): string {
  const { kind, name } = parseActor(by);
  switch (kind) {
    case 'person':
      return personName(name);
    case 'agent':
      return agentTitle(name);
    case 'policy':
    case 'operator':
      return name;
    default:
      return kind satisfies never;
  }
}

/** Who is asked: `role:finance` → finance, `user:ana` → Ana, `owner` → its name. */
export function shortEntry(text: string, owner: string): string {
  const entry = parseEntry(text);
  switch (entry.kind) {
    case 'owner':
      return owner;
    case 'user':
      return personName(entry.name);
    case 'agent':
      return agentTitle(entry.name);
    case 'role':
      return entry.name;
    default:
      return entry satisfies never;
  }
}

/** The reader themselves is `you`. */
export function nameFor(by: string, myId: string | null, you: string): string {
  const { kind, name } = parseActor(by);
  return kind === 'person' && name === myId ? you : shortName(by);
}

/** Enough of a digest to tell two apart by eye. */
export const shortDigest = (digest: string): string => digest.replace('sha256:', '').slice(0, 8);
