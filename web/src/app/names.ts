// Principals, audiences and digests as people say them.

/** People's names by their id, as the server told them with who is signed in. */
let known: Readonly<Record<string, string>> = {};
export const knowNames = (names: Readonly<Record<string, string>>): void => {
  known = names;
};

/** Agents' titles by their names, as the configuration has them. */
let titles: ReadonlyMap<string, string> = new Map();
export const knowAgents = (agents: readonly { name: string; title: string }[]): void => {
  titles = new Map(agents.map(({ name, title }) => [name, title]));
};

/** An agent as people know it; its name in the configuration where it has no title. */
export const agentTitle = (name: string): string => titles.get(name) ?? name;

/** `user:ana` → Ana, `role:finance` → finance, `policy:x` and `agent:x` without their kind. */
export function shortName(principal: string): string {
  if (principal.startsWith('agent:')) return agentTitle(principal.slice('agent:'.length));
  if (/^(role|policy|operator):/.test(principal)) return principal.slice(principal.indexOf(':') + 1);
  const id = principal.replace(/^user:/, '');
  return (Object.hasOwn(known, id) ? known[id] : undefined) ?? id;
}

/** The reader themselves is `you`. */
export const nameFor = (principal: string, myId: string | null, you: string): string =>
  principal === myId || principal === `user:${myId ?? ''}` ? you : shortName(principal);

/** Enough of a digest to tell two apart by eye. */
export const shortDigest = (digest: string): string => digest.replace('sha256:', '').slice(0, 8);
