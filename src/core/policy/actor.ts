// Who did something, as rows and events name it: a person by their id, an agent, a policy, or a Temporal operator.

export interface Actor {
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
