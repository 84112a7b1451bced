// Checks across several keys of the configuration.
import { createECDH, createHash } from 'node:crypto';
import { readCalendar } from '../host/calendar/calendar.ts';
import type { Config } from '../contract/configuration/config.ts';
import type { DigestTimes } from '../contract/configuration/people.ts';
import { askAgent } from '../core/base/ids.ts';
import { isKind } from '../core/policy/audience-entry.ts';
import { digestCalendar } from '../core/policy/digest-times.ts';
import { readMatcher } from '../core/policy/matcher.ts';
import { unknownFields } from '../core/questions/notice.ts';
import { egressFaults } from './egress-checks.ts';
import { durationFaults, headerFaults, nameFaults, type CrossFault } from './config-fault.ts';
import type { Path } from './config-source.ts';
import { askerFaults } from './asker-checks.ts';
import { gateFaults } from './gate-checks.ts';
import { lookalikeFaults } from './name-checks.ts';
import { policyFaults } from './policy-checks.ts';

function agentFaults(config: Config): CrossFault[] {
  return Object.entries(config.agents).flatMap(([name, agent]) => {
    const path = ['agents', name];
    const faults: CrossFault[] = [];
    if (name === askAgent)
      faults.push({ path, message: `"${name}" is the agent of programs’ questions: expected another name` });
    if (agent.policy !== undefined) faults.push(...unknownPolicy(config, agent.policy, [...path, 'policy']));
    if (agent.gate !== undefined) faults.push(...unknownPolicy(config, agent.gate.policy, [...path, 'gate', 'policy']));
    const isAuthorized = Object.keys(agent.headers).some((header) => header.toLowerCase() === 'authorization');
    if (agent.oauth2 !== undefined && isAuthorized) {
      const message = 'the agent is authorised twice: expected either `oauth2` or a header Authorization';
      faults.push({ path: [...path, 'oauth2'], message });
    }
    faults.push(...headerFaults(agent.headers, [...path, 'headers']));
    for (const key of ['silence', 'total'] as const) {
      const limit = agent.limits[key];
      if (limit !== undefined) faults.push(...durationFaults(limit, [...path, 'limits', key]));
    }
    const { unreadable } = agent;
    if (unreadable !== undefined) faults.push(...unknownPolicy(config, unreadable, [...path, 'unreadable']));
    return [...faults, ...ruleFaults(config, name)];
  });
}

function unknownPolicy(config: Config, policy: string, path: Path): CrossFault[] {
  return nameFaults(policy, config, 'policy', path);
}

function ruleFaults(config: Config, agent: string): CrossFault[] {
  return (config.agents[agent]?.rules ?? []).flatMap((rule, index) => {
    const path = ['agents', agent, 'rules', index];
    const read = readMatcher(rule.when);
    const faults = read.ok
      ? []
      : read.faults.map(({ index: nth, text, why }) => ({
          path: [...path, 'when', 'data', ...(nth === null ? [] : [nth])],
          message: `found ${JSON.stringify(text)}: ${why}`,
        }));
    return [...unknownPolicy(config, rule.policy, [...path, 'policy']), ...faults];
  });
}

function userFaults(config: Config): CrossFault[] {
  return Object.entries(config.users).flatMap(([name, { notify, away, hours, digest }]) => {
    const path = ['users', name];
    const faults = notify.flatMap((channel, index) =>
      nameFaults(channel, config, 'channel', [...path, 'notify', index]),
    );
    const read = hours === undefined ? null : readCalendar(hours);
    if (hours !== undefined && read?.ok === false)
      for (const { key, message } of read.faults)
        faults.push({ path: [...path, 'hours', key], message: `found "${hours[key] ?? ''}": ${message}` });
    if (digest !== undefined && digest !== 'off') faults.push(...digestFaults(digest, [...path, 'digest']));
    if (away === undefined) return faults;
    const { from, until, delegate } = away;
    if (!(isKind(delegate, 'user') || isKind(delegate, 'role')) || delegate === `user:${name}`) {
      const message = `found "${delegate}": expected another person, user:<name>, or a role, role:<name>`;
      faults.push({ path: [...path, 'away', 'delegate'], message });
    }
    if (from !== undefined && until !== undefined && Date.parse(until) <= Date.parse(from))
      faults.push({ path: [...path, 'away', 'until'], message: `found ${until}: expected a time after ${from}` });
    return faults;
  });
}

function digestFaults(digest: DigestTimes, path: CrossFault['path']): CrossFault[] {
  const read = readCalendar(digestCalendar(digest));
  if (read.ok) return [];
  return read.faults.map(({ key, message }) => ({ path: [...path, key === 'zone' ? 'zone' : 'days'], message }));
}

function channelFaults(config: Config): CrossFault[] {
  return Object.entries(config.notifications.channels).flatMap(([name, { template, show }]) =>
    (['subject', 'text'] as const).flatMap((key) =>
      unknownFields(template?.[key] ?? '', show).map((field) => ({
        path: ['notifications', 'channels', name, 'template', key],
        basis: [['notifications', 'channels', name, 'show']],
        message: `"{{${field}}}" is not known here, or the channel's \`show\` does not allow it`,
      })),
    ),
  );
}

/** A person who is mapped to an unknown user could never decide. */
function mappedUserFaults(config: Config): CrossFault[] {
  const known = new Set([...Object.keys(config.users), ...config.auth.keys.map(({ user }) => user)]);
  return Object.entries(config.notifications.channels).flatMap(([name, channel]) =>
    channel.type !== 'slack-app' && channel.type !== 'teams-bot'
      ? []
      : Object.entries(channel.users).flatMap(([person, user]) => {
          const message = `found "${user}": expected a user of \`users\` or \`auth.keys\``;
          const path = ['notifications', 'channels', name, 'users', person];
          return known.has(user) ? [] : [{ path, message, basis: [['users'], ['auth', 'keys']] }];
        }),
  );
}

/** A browser is subscribed for one key, and the two parts of a key must belong together. */
function pushFaults({ notifications }: Config): CrossFault[] {
  const pushes = Object.entries(notifications.channels).flatMap(([name, channel]) =>
    channel.type === 'push' ? [{ name, channel }] : [],
  );
  return pushes.flatMap(({ name, channel: { publicKey, privateKey } }, index): CrossFault[] => {
    const path = ['notifications', 'channels', name];
    const message = 'a second channel of type push: expected one, since a browser is subscribed for one key';
    const faults = index === 0 ? [] : [{ path: [...path, 'type'], message }];
    const isPair = publicKeyOf(privateKey) === publicKey;
    const unpaired = 'found a public and a private key that do not belong together: expected a pair';
    return isPair ? faults : [...faults, { path: [...path, 'privateKey'], message: unpaired }];
  });
}

function publicKeyOf(privateKey: string): string | null {
  const curve = createECDH('prime256v1');
  try {
    curve.setPrivateKey(privateKey, 'base64url');
    return curve.getPublicKey('base64url');
  } catch {
    return null;
  }
}

function keyFaults(config: Config): CrossFault[] {
  const seen = new Map<string, number>();
  const ids = new Map<string, number>();
  const idFaults = config.auth.keys.flatMap(({ id }, index): CrossFault[] => {
    if (id === undefined) return [];
    const first = ids.get(id);
    ids.set(id, first ?? index);
    if (first === undefined) return [];
    const message = `found "${id}", the id of auth.keys[${first}]: expected an id of its own for each key`;
    return [{ path: ['auth', 'keys', index, 'id'], message }];
  });
  const twice = config.auth.keys.flatMap(({ key, keySha256 }, index): CrossFault[] => {
    const fingerprint =
      keySha256 ??
      createHash('sha256')
        .update(key ?? '')
        .digest('hex');
    const first = seen.get(fingerprint);
    seen.set(fingerprint, first ?? index);
    if (first === undefined) return [];
    const path = ['auth', 'keys', index, key === undefined ? 'keySha256' : 'key'];
    return [{ path, message: `the same API key as auth.keys[${first}]: expected a key of its own for each entry` }];
  });
  return [...idFaults, ...twice];
}

/** The faults that the schema cannot express; calendars are evaluated from `nowMs` (Unix milliseconds) on. */
export function crossFaults(config: Config, nowMs: number): CrossFault[] {
  return [
    ...agentFaults(config),
    ...gateFaults(config),
    ...Object.keys(config.policies).flatMap((name) => policyFaults(config, name, nowMs)),
    ...userFaults(config),
    ...channelFaults(config),
    ...mappedUserFaults(config),
    ...pushFaults(config),
    ...keyFaults(config),
    ...askerFaults(config),
    ...lookalikeFaults(config),
    ...egressFaults(config),
    ...durationFaults(config.auth.maxIdle, ['auth', 'maxIdle']),
    ...(config.auth.oidc === undefined
      ? []
      : durationFaults(config.auth.oidc.maxSession, ['auth', 'oidc', 'maxSession'])),
    ...durationFaults(config.server.rateLimit.per, ['server', 'rateLimit', 'per']),
    ...durationFaults(config.notifications.giveUpAfter, ['notifications', 'giveUpAfter']),
    ...durationFaults(config.reconcile.every, ['reconcile', 'every']),
    ...(config.retention.tasks === undefined ? [] : durationFaults(config.retention.tasks, ['retention', 'tasks'])),
    ...durationFaults(config.retention.events, ['retention', 'events']),
    ...durationFaults(config.retention.drafts, ['retention', 'drafts']),
    ...durationFaults(config.agentOutage, ['agentOutage']),
  ];
}
