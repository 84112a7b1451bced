// Reports configured URLs that egress rules would refuse, at `check` rather than at the first message.
import { isIP } from 'node:net';
import type { Channel } from '../contract/configuration/channels.ts';
import type { Config } from '../contract/configuration/config.ts';
import { kindOf, parseAddress, parseRange } from '../host/net/address-ranges.ts';
import { createEgress, PolicyError } from '../host/net/egress.ts';
import type { CrossFault } from './config-fault.ts';
import type { Path } from './config-source.ts';

function calledBy(channel: Channel): { key: string; address: string }[] {
  switch (channel.type) {
    case 'mail':
      return [{ key: 'server', address: channel.server }];
    case 'slack-app':
      return [{ key: 'apiUrl', address: channel.apiUrl }];
    case 'teams-bot':
      return [
        { key: 'openIdUrl', address: channel.openIdUrl },
        ...channel.services.map((address) => ({ key: 'services', address })),
      ];
    // Its addresses come from browsers, and are judged as they come.
    case 'push':
      return [];
    default:
      return [{ key: 'url', address: channel.url }];
  }
}

/** The URLs that Standfast calls. */
function called({ agents, notifications }: Config): { address: string; path: Path }[] {
  return [
    ...Object.entries(agents).flatMap(([name, { url, endpoint, allowOrigins, oauth2 }]) => [
      { address: url, path: ['agents', name, 'url'] },
      ...(endpoint === undefined ? [] : [{ address: endpoint, path: ['agents', name, 'endpoint'] }]),
      ...allowOrigins.map((address, index) => ({ address, path: ['agents', name, 'allowOrigins', index] })),
      ...(oauth2 === undefined ? [] : [{ address: oauth2.tokenUrl, path: ['agents', name, 'oauth2', 'tokenUrl'] }]),
    ]),
    ...Object.entries(notifications.channels).flatMap(([name, channel]) =>
      calledBy(channel).map(({ key, address }) => ({ address, path: ['notifications', 'channels', name, key] })),
    ),
  ];
}

export function egressFaults(config: Config): CrossFault[] {
  const egress = createEgress(config.egress);
  const refused = called(config).flatMap(({ address, path }): CrossFault[] => {
    const host = URL.canParse(address) ? new URL(address).hostname : '';
    try {
      egress.check(host);
      return [];
    } catch (error) {
      if (error instanceof PolicyError) return [{ path, message: error.message, basis: [['egress', 'allow']] }];
      throw error;
    }
  });
  return [...refused, ...publicUrlFaults(config), ...allowFaults(config)];
}

/** Agents call back there: it must be this server, and never a metadata service that issues credentials. */
function publicUrlFaults({ server: { publicUrl } }: Config): CrossFault[] {
  const address = publicUrl === undefined ? null : parseAddress(new URL(publicUrl).hostname);
  if (address === null || kindOf(address) !== 'metadata') return [];
  const message = `${publicUrl ?? ''} is an address of cloud metadata services: expected one at which Standfast is reached`;
  return [{ path: ['server', 'publicUrl'], message }];
}

/** Allowing a metadata service has no effect, since it is never called. */
function allowFaults({ egress: { allow } }: Config): CrossFault[] {
  return allow.flatMap((range, index) => {
    const [address, length] = parseRange(range);
    const isOne = length === (isIP(address.toString()) === 6 ? 128 : 32);
    if (!isOne || kindOf(address) !== 'metadata') return [];
    return [
      { path: ['egress', 'allow', index], message: `${range} is a cloud metadata service, which is never called` },
    ];
  });
}
