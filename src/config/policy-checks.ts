// Checks of a policy that the schema cannot express: its ladder against its expiry, its calendar, and who can decide.
import type { Config } from '../contract/configuration/config.ts';
import type { Policy } from '../contract/configuration/policy.ts';
import { namesOf } from '../core/policy/audience-entry.ts';
import { afterOpenTime, mostOpenTime, type OpenWindow, type WindowsFrom } from '../core/policy/calendar.ts';
import { durationMs } from '../core/policy/duration.ts';
import { staysOpen } from '../core/policy/expiry-actions.ts';
import { isSameAgent } from '../core/policy/agent-address.ts';
import { everAsked, quorumOf } from '../core/policy/ladder.ts';
import { grantFaults } from './grant-checks.ts';
import { ladderFaults, openEndFaults } from './ladder-checks.ts';
import { decidersOf, stageFaults } from './stage-checks.ts';
import { policiesNamed } from '../core/policy/matcher.ts';
import { relyingPartyOf } from '../host/secrets/passkeys.ts';
import { readCalendar } from '../host/calendar/calendar.ts';
import { longestMs, nameFaults, entriesNamed, type CrossFault } from './config-fault.ts';
import type { Path } from './config-source.ts';

const longestGraceMs = 3_600_000;
const twoYearsMs = 731 * 86_400_000;

/** All faults of a policy; its calendar is evaluated from `nowMs` (Unix milliseconds) on. */
export function policyFaults(config: Config, name: string, nowMs: number): CrossFault[] {
  const policy = config.policies[name];
  if (policy === undefined) return [];
  const at = ['policies', name];
  return [
    ...askFaults(policy, at),
    ...quorumFaults(policy, at),
    ...stageFaults(policy, at),
    ...grantFaults(policy, at),
    ...ladderFaults(policy, policy.ladder, at),
    ...openEndFaults(policy, at),
    ...graceFaults(policy, at),
    ...signFaults(config, policy, at),
    ...supervisorFaults(config, name, policy),
    ...calendarFaults(policy, at, nowMs),
    ...policy.notify.flatMap((channel, index) => nameFaults(channel, config, 'channel', [...at, 'notify', index])),
  ];
}

function askFaults({ ask, exclude }: Policy, at: Path): CrossFault[] {
  if (ask === 'people' || !exclude.includes('requester')) return [];
  const message = `found ${ask}: the caller is the requester, whom \`exclude\` leaves out`;
  return [{ path: [...at, 'ask'], message }];
}

function quorumFaults(policy: Policy, at: Path): CrossFault[] {
  const [deciders, need] = [decidersOf(policy), quorumOf(policy)];
  if (policy.stages !== undefined || need === 1 || deciders === null || need <= deciders.size) return [];
  const who = deciders.size === 0 ? 'none' : [...deciders].join(', ');
  const message = `found ${need}: only ${deciders.size} could ever decide (${who})`;
  return [{ path: [...at, 'quorum'], message, basis: ['audience', 'ladder', 'exclude'].map((key) => [...at, key]) }];
}

function graceFaults({ grace }: Policy, at: Path): CrossFault[] {
  if (grace === undefined || durationMs(grace) <= longestGraceMs) return [];
  return [{ path: [...at, 'grace'], message: `found ${grace}: an answer waits at most 1h before it is sent` }];
}

/** What would answer without a person's passkey, or on an address where browsers allow none. */
function signFaults({ server }: Config, policy: Policy, at: Path): CrossFault[] {
  const { sign, ask, expire } = policy;
  if (sign === undefined) return [];
  const [path, found] = [[...at, 'sign'], `found ${sign}`];
  const url = server.publicUrl;
  const faults: (string | null)[] = [
    url !== undefined && relyingPartyOf(url) !== null
      ? null
      : `${found}: browsers allow passkeys where \`server.publicUrl\` is https with a host name, or http://localhost`,
    expire.then === 'default'
      ? `${found}: the clock signs nothing, so \`expire.then: default\` would not answer`
      : null,
    ask === 'people' ? null : `${found}: a caller over A2A has no page to sign on, so \`ask: ${ask}\` is not possible`,
    namesOf(everAsked(policy), 'agent').length === 0 ? null : `${found}: an agent has no passkey, and is not asked`,
  ];
  const basis: Path[] = [['server', 'publicUrl']];
  return faults.flatMap((message) => (message === null ? [] : [{ path, message, basis }]));
}

function supervisorFaults(config: Config, name: string, policy: Policy): CrossFault[] {
  const users = Object.entries(config.agents).filter(([, agent]) => policiesNamed(agent).includes(name));
  return entriesNamed(name, policy).flatMap(({ entry, text, path }) => {
    if (entry.kind !== 'agent') return [];
    if (!users.some(([agent]) => entry.name === agent)) {
      const unknown = nameFaults(entry.name, config, 'agent', path);
      return unknown.length > 0 ? unknown : selfFaults(config.agents, users, entry.name, path);
    }
    const message = `found "${text}": this agent has the policy itself, and is never asked about its own questions`;
    return [{ path, message }];
  });
}

/** An agent under a second name would decide its own questions. */
function selfFaults(
  agents: Config['agents'],
  users: [name: string, agent: Config['agents'][string]][],
  name: string,
  path: Path,
): CrossFault[] {
  const url = agents[name]?.url ?? '';
  const same = users.find(([, user]) => isSameAgent([user.url], [url]));
  if (same === undefined) return [];
  const message = `found "agent:${name}", which has the address of "${same[0]}": an agent never decides its own questions`;
  return [{ path, message, basis: [name, same[0]].map((agent) => ['agents', agent, 'url']) }];
}

function calendarFaults(policy: Policy, at: Path, nowMs: number): CrossFault[] {
  const { calendar, expire } = policy;
  const spread = spreadFaults(policy, at);
  if (spread.length > 0) return spread;
  if (calendar === undefined) {
    if (expire.clock !== 'business') return [];
    const message = 'found "business" without a calendar to count by';
    return [{ path: [...at, 'expire', 'clock'], message, basis: [[...at, 'calendar']] }];
  }
  const read = readCalendar(calendar);
  if (!read.ok)
    return read.faults.map(({ key, message }) => ({
      path: [...at, 'calendar', key],
      message: `found "${calendar[key] ?? ''}": ${message}`,
    }));
  const windows = windowsUntil(read.windowsFrom, nowMs, nowMs + twoYearsMs);
  if (windows.length === 0)
    return [
      { path: [...at, 'calendar'], message: 'there is no opening hour within two years: nothing would ever come' },
    ];
  return [
    ...tooLongFaults(policy, at, read.windowsFrom, nowMs),
    ...(expire.clock === 'wall' && !staysOpen(expire.then) ? neverFaults(policy, at, windows) : []),
  ];
}

const longestSpreadMs = 3_600_000;

/** Without opening hours deadlines are as far apart as their questions; and a deadline is a promise to the minute. */
function spreadFaults({ calendar, expire }: Policy, at: Path): CrossFault[] {
  const { spread, clock, then } = expire;
  if (spread === undefined) return [];
  const path = [...at, 'expire', 'spread'];
  if (calendar === undefined || clock === 'wall')
    return [
      {
        path,
        message: `found ${spread}: only deadlines that count opening hours coincide; leave it out`,
        basis: [[...at, 'calendar']],
      },
    ];
  if (staysOpen(then))
    return [{ path, message: `found ${spread}: with \`keep-open\` nothing happens at the deadline` }];
  const ms = durationMs(spread);
  return ms > 0 && ms <= longestSpreadMs
    ? []
    : [{ path, message: `found ${spread}: expected more than 0, at most 1h` }];
}

function windowsUntil(windowsFrom: WindowsFrom, fromMs: number, toMs: number): OpenWindow[] {
  const windows: OpenWindow[] = [];
  for (const window of windowsFrom(fromMs)) {
    if (window.fromMs >= toMs) break;
    windows.push(window);
  }
  return windows;
}

/** `260d` of opening hours are two and a half years of office days. */
function tooLongFaults(policy: Policy, at: Path, windowsFrom: WindowsFrom, nowMs: number): CrossFault[] {
  const { expire, ladder } = policy;
  const counted: [string, Path][] = ladder.flatMap((step, index): [string, Path][] => [
    [step.after, [...at, 'ladder', index, 'after']],
    ...(step.every === undefined ? [] : ([[step.every, [...at, 'ladder', index, 'every']]] as [string, Path][])),
  ]);
  if (expire.clock !== 'wall') counted.push([expire.after, [...at, 'expire', 'after']]);
  return counted.flatMap(([text, path]) => {
    const ms = durationMs(text);
    if (ms <= 0 || ms > longestMs) return [];
    const atMs = afterOpenTime(windowsFrom, nowMs, ms);
    if (atMs !== null && atMs - nowMs <= longestMs) return [];
    return [
      { path, message: `found ${text}: with this calendar that is more than ten years`, basis: [[...at, 'calendar']] },
    ];
  });
}

/** Ladder steps count opening hours but the expiry counts all hours, so a step may never be reached. */
function neverFaults(policy: Policy, at: Path, windows: readonly OpenWindow[]): CrossFault[] {
  const expiryMs = durationMs(policy.expire.after);
  const mostMs = mostOpenTime(windows, Math.min(expiryMs, twoYearsMs));
  return policy.ladder.flatMap((step, index) => {
    const ms = durationMs(step.after);
    if (ms < mostMs || ms >= expiryMs || expiryMs > twoYearsMs) return [];
    const most = `at most ${Math.floor(mostMs / 60_000)}m of opening hours lie within ${policy.expire.after}`;
    return [
      {
        path: [...at, 'ladder', index, 'after'],
        message: `found ${step.after}: ${most}, this step would never come`,
        basis: [
          [...at, 'calendar'],
          [...at, 'expire'],
        ],
      },
    ];
  });
}
