// Warnings about valid but probably unintended configuration, reported at start.
import type { Config } from '../contract/configuration/config.ts';
import { dialectNames } from '../contract/holds/question.ts';
import { isKind, namesOf } from '../core/policy/audience-entry.ts';
import { policiesOfGate } from '../core/policy/gate-rules.ts';
import { durationMs } from '../core/policy/duration.ts';
import { contradictionIn, covers, isLike, policiesNamed, readMatcher, type Matcher } from '../core/policy/matcher.ts';
import { entriesNamed, entryAt, type CrossFault } from './config-fault.ts';
import { isLoopbackHost } from '../host/net/address-ranges.ts';
import { everAsked, quorumOf, takesDeputies } from '../core/policy/ladder.ts';
import { decidersOf } from './stage-checks.ts';

export function crossWarnings(config: Config, nowMs: number): CrossFault[] {
  return [
    ...unknownNames(config),
    ...missingOperator(config),
    ...deadRules(config),
    ...unreadableChoices(config),
    ...deadRepeats(config),
    ...unusedPolicies(config),
    ...unusedChannels(config),
    ...quorums(config),
    ...uselessDeputies(config),
    ...unanswerableProgramQuestions(config),
    ...unanswerableCallerQuestions(config),
    ...limits(config),
    ...publicPath(config),
    ...clearPublicUrl(config),
    ...claimsOfOthers(config),
    ...groupsAsRoles(config),
    ...endedKeys(config, nowMs),
  ];
}

/** Names that no key has; without keys there is only the local caller, so no name is unknown. */
function unknownNames(config: Config): CrossFault[] {
  const { keys } = config.auth;
  if (keys.length === 0 || config.auth.oidc !== undefined) return [];
  const known = new Set(keys.flatMap(({ user, roles }) => [`user:${user}`, ...roles.map((role) => `role:${role}`)]));
  const named = [
    ...Object.entries(config.policies).flatMap(([name, policy]) => entriesNamed(name, policy)),
    ...Object.entries(config.users).flatMap(([name, { away }]) =>
      away === undefined ? [] : [entryAt(away.delegate, ['users', name, 'away', 'delegate'])],
    ),
  ];
  return named.flatMap(({ entry, text, path }) =>
    (entry.kind === 'user' || entry.kind === 'role') && !known.has(text)
      ? [{ path, message: `no entry of auth.keys has "${text}": no key can act as it` }]
      : [],
  );
}

/** Agents' questions need at least one operator. */
function missingOperator({ auth, policies }: Config): CrossFault[] {
  if (auth.keys.length === 0 || auth.keys.some(({ roles }) => roles.includes('operator'))) return [];
  const message = 'only agents are asked: if they do not decide operators do, and no entry of auth.keys has that role';
  return Object.entries(policies).flatMap(([name, { audience }]) =>
    audience.length > 0 && audience.every((entry) => isKind(entry, 'agent'))
      ? [{ path: ['policies', name, 'audience'], message }]
      : [],
  );
}

function deadRepeats({ policies }: Config): CrossFault[] {
  return Object.entries(policies).flatMap(([name, { ladder }]) => {
    const last = ladder.findLastIndex(({ every }) => every !== undefined);
    return ladder.flatMap(({ every }, index) => {
      if (every === undefined || index === last) return [];
      const message = `this reminder comes once: only the last one that repeats does, ladder[${last}]`;
      return [{ path: ['policies', name, 'ladder', index, 'every'], message }];
    });
  });
}

/** Whom a question comes to of which nothing can be read: reported where rules differ in it. */
function unreadableChoices({ agents }: Config): CrossFault[] {
  return Object.entries(agents).flatMap(([agent, { rules, unreadable }]) => {
    const reading = rules.flatMap(({ when, policy }, index) => (when.data === undefined ? [] : [{ policy, index }]));
    const [first] = reading;
    if (unreadable !== undefined || first === undefined) return [];
    if (reading.every(({ policy }) => policy === first.policy)) return [];
    const message = `a question of which no data can be read comes under the policy ${first.policy}, by this rule: name the strictest one by \`unreadable\`, or put its rule first`;
    return [{ path: ['agents', agent, 'rules', first.index], message }];
  });
}

function deadRules(config: Config): CrossFault[] {
  return Object.entries(config.agents).flatMap(([agent, { rules }]) => {
    const matchers = rules.map((rule): Matcher | null => {
      const read = readMatcher(rule.when);
      return read.ok ? read.matcher : null;
    });
    return matchers.flatMap((matcher, index) => {
      if (matcher !== null) {
        const why = unmatchableReason(matcher);
        if (why !== null) return [{ path: ['agents', agent, 'rules', index, 'when', why.key], message: why.words }];
      }
      const by = matchers.findIndex((earlier, at) => at < index && isCovered(earlier, matcher));
      if (by < 0) return [];
      const message = `this rule never comes to pass: rules[${by}] above it matches everything that it does`;
      return [{ path: ['agents', agent, 'rules', index], message }];
    });
  });
}

/** The reason why a rule can never match; null when it can. */
function unmatchableReason(matcher: Matcher): { key: 'dialect' | 'data'; words: string } | null {
  const { dialect } = matcher;
  if (dialect !== null && !dialectNames.some((name) => isLike(dialect, name))) {
    const known = dialectNames.join(', ');
    return {
      key: 'dialect',
      words: `this rule never comes to pass: no way of asking is called "${dialect}"; there are ${known}`,
    };
  }
  const both = contradictionIn(matcher);
  if (both === null) return null;
  return {
    key: 'data',
    words: `this rule never comes to pass: data[${both[0]}] and data[${both[1]}] are never both so`,
  };
}

const isCovered = (wide: Matcher | null, narrow: Matcher | null): boolean =>
  wide !== null && narrow !== null && covers(wide, narrow);

function unusedPolicies(config: Config): CrossFault[] {
  const used = new Set([
    config.ask.policy,
    ...(config.ask.policies ?? []),
    ...Object.values(config.agents).flatMap(policiesNamed),
    ...Object.values(config.gates).flatMap(policiesOfGate),
  ]);
  return Object.keys(config.policies).flatMap((name) =>
    used.has(name)
      ? []
      : [{ path: ['policies', name], message: 'no agent uses this policy; only a program’s question could name it' }],
  );
}

function unusedChannels(config: Config): CrossFault[] {
  const used = new Set(
    [...Object.values(config.policies), ...Object.values(config.users)].flatMap(({ notify }) => notify),
  );
  return Object.keys(config.notifications.channels).flatMap((name) =>
    used.has(name)
      ? []
      : [{ path: ['notifications', 'channels', name], message: 'no policy and no user has this channel in `notify`' }],
  );
}

function quorums(config: Config): CrossFault[] {
  const isKeyless = config.auth.keys.length === 0;
  return Object.entries(config.policies).flatMap(([name, policy]) => {
    const path = ['policies', name, 'quorum'];
    const need = quorumOf(policy);
    if (isKeyless && need > 1)
      return [{ path, message: `without auth.keys everybody is one person: ${need} never come together` }];
    if (isKeyless || need > 1 || decidersOf(policy)?.size !== 0) return [];
    const message = 'no decision is possible: only the owner of a thread is asked, and the requester is left out';
    return [{ path: ['policies', name, 'exclude'], message }];
  });
}

/** Who is away and asked by name, where no deputy may answer. */
function uselessDeputies({ policies, users }: Config): CrossFault[] {
  return Object.entries(policies).flatMap(([name, policy]) => {
    if (takesDeputies(policy)) return [];
    return namesOf(everAsked(policy), 'user').flatMap((user) => {
      if (!Object.hasOwn(users, user) || users[user]?.away === undefined) return [];
      const message = `the policy ${name} asks user:${user} and takes no deputies: its questions wait for them`;
      return [{ path: ['users', user, 'away'], message }];
    });
  });
}

/** The question would be refused only when it is asked. */
function unanswerableProgramQuestions({ auth, ask }: Config): CrossFault[] {
  const index = auth.keys.findIndex(({ kind }) => kind === 'agent');
  if (index < 0 || ask.policy !== undefined) return [];
  const message =
    'a program’s question that names no policy would ask its asker alone and is refused: set `ask.policy`';
  return [{ path: ['auth', 'keys', index, 'kind'], message }];
}

/** A task's caller over A2A is identified by the key it calls with, and an agent's key cannot decide. */
function unanswerableCallerQuestions({ auth, agents, policies }: Config): CrossFault[] {
  // Users of the identity provider call with tokens of their own.
  if (auth.keys.length === 0 || auth.oidc !== undefined) return [];
  return Object.entries(policies).flatMap(([name, { ask }]) => {
    if (ask !== 'caller') return [];
    const used = Object.values(agents).filter((agent) => policiesNamed(agent).includes(name));
    const isAnybodys = auth.keys.some((key) => key.kind !== 'agent' && used.some((agent) => mayCall(agent, key)));
    if (used.length === 0 || isAnybodys) return [];
    const message =
      'only the caller is asked, and only keys of agents may call, which decide nothing: no answer is possible';
    return [{ path: ['policies', name, 'ask'], message }];
  });
}

const mayCall = ({ access }: Config['agents'][string], { user, roles }: Config['auth']['keys'][number]): boolean =>
  access === undefined ||
  roles.includes('operator') ||
  [`user:${user}`, ...roles.map((role) => `role:${role}`)].some((entry) => access.some((one) => one === entry));

function limits(config: Config): CrossFault[] {
  return Object.entries(config.agents).flatMap(
    ([
      agent,
      {
        limits: { silence, total },
      },
    ]) => {
      if (silence === undefined || total === undefined || durationMs(silence) < durationMs(total)) return [];
      const message = `a silence of ${silence} is never reached: the agent has ${total} in all`;
      return [{ path: ['agents', agent, 'limits', 'silence'], message }];
    },
  );
}

/** The pages refer to their assets and the API by absolute paths. */
function publicPath({ server }: Config): CrossFault[] {
  if (server.publicUrl === undefined || new URL(server.publicUrl).pathname === '/') return [];
  const message = 'the pages work at the root of an address only: expected one without a path';
  return [{ path: ['server', 'publicUrl'], message }];
}

const endedKeys = ({ auth }: Config, nowMs: number): CrossFault[] =>
  auth.keys.flatMap(({ user, expires }, index) =>
    expires === undefined || Date.parse(expires) > nowMs
      ? []
      : [{ path: ['auth', 'keys', index, 'expires'], message: `the key of ${user} is refused since ${expires}` }],
  );

/** By http a session cookie has no `Secure`, and anybody on the way reads keys. */
function clearPublicUrl({ server }: Config): CrossFault[] {
  if (server.publicUrl === undefined) return [];
  const { protocol } = new URL(server.publicUrl);
  if (protocol === 'https:' || isLoopbackHost(server.publicUrl)) return [];
  const message = 'keys, sessions and answers cross the network in clear by http: expected https';
  return [{ path: ['server', 'publicUrl'], message }];
}

/** Claims whose value the provider may give to another person later, or let people choose. */
const reusedClaims = new Set(['email', 'preferred_username', 'upn', 'unique_name', 'nickname', 'name']);

function claimsOfOthers({ auth: { oidc } }: Config): CrossFault[] {
  if (oidc === undefined || !reusedClaims.has(oidc.userClaim)) return [];
  const message = `the value of the claim "${oidc.userClaim}" can be given to another person later, who would then have the first one's questions and decisions: expected one that stays with a person, as "sub" does`;
  return [{ path: ['auth', 'oidc', 'userClaim'], message }];
}

/** Who manages a provider's groups manages Standfast's roles, `operator` among them. */
function groupsAsRoles({ auth: { oidc } }: Config): CrossFault[] {
  if (oidc === undefined || oidc.roles !== undefined) return [];
  const message = `each group of the provider is a role of its name, so that its group "operator" makes operators here: name the groups that have roles, as roles: { finance: [approver] }`;
  return [{ path: ['auth', 'oidc'], message }];
}
