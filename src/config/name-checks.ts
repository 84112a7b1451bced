// Rejects distinct names that render alike, because readers of a record could not tell them apart.
import type { Config } from '../contract/configuration/config.ts';
import { shapesOf } from '../core/policy/lookalikes.ts';
import { entriesNamed, entryAt } from './config-fault.ts';
import type { CrossFault } from './config-fault.ts';
import { pathText, type Path } from './config-source.ts';

interface NameAt {
  kind: string;
  name: string;
  path: Path;
}

/** All users and roles that the file names. */
function namesIn({ agents, auth, policies, users }: Config): NameAt[] {
  const entries = [
    ...Object.entries(policies).flatMap(([name, policy]) => entriesNamed(name, policy)),
    ...Object.entries(agents).flatMap(([name, { access = [] }]) =>
      access.map((text, index) => entryAt(text, ['agents', name, 'access', index])),
    ),
    ...Object.entries(users).flatMap(([name, { away }]) =>
      away === undefined ? [] : [entryAt(away.delegate, ['users', name, 'away', 'delegate'])],
    ),
  ];
  return [
    ...auth.keys.flatMap(({ user, roles }, index) => [
      { kind: 'user', name: user, path: ['auth', 'keys', index, 'user'] },
      ...roles.map((name, nth) => ({ kind: 'role', name, path: ['auth', 'keys', index, 'roles', nth] })),
    ]),
    ...Object.entries(auth.oidc?.roles ?? {}).flatMap(([group, roles]) =>
      roles.map((name, nth) => ({ kind: 'role', name, path: ['auth', 'oidc', 'roles', group, nth] })),
    ),
    ...Object.keys(users).map((name) => ({ kind: 'user', name, path: ['users', name] })),
    ...entries.flatMap(({ entry, path }) =>
      entry.kind === 'owner' ? [] : [{ kind: entry.kind, name: entry.name, path }],
    ),
  ];
}

export function lookalikeFaults(config: Config): CrossFault[] {
  const first = new Map<string, NameAt>();
  return namesIn(config).flatMap((one) => {
    const keys = shapesOf(one.name).map((shape) => `${one.kind}:${shape}`);
    const known = keys.flatMap((key) => first.get(key) ?? []).find(({ name }) => name !== one.name);
    for (const key of keys) if (!first.has(key)) first.set(key, one);
    if (known === undefined) return [];
    const message = `found "${one.name}", which is written like "${known.name}" of ${pathText(known.path)} and is another ${one.kind}: expected names that people can tell apart`;
    return [{ path: one.path, message, basis: [known.path.slice(0, -1)] }];
  });
}
