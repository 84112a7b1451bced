// To whom a question can be reassigned: a person who exists, may decide it, and is allowed by its policy.
import type { Config } from '../../contract/configuration/config.ts';
import type { AudienceOption } from '../../contract/views/inbox.ts';
import { noDeciderOf, type Known } from '../../core/consent/deciders.ts';
import { whyNotReassigned } from '../../core/policy/audience.ts';
import { isKind, namesOf, parseEntry, withOwner } from '../../core/policy/audience-entry.ts';
import { assertNever, StandfastError } from '../../core/base/errors.ts';
import { withPeople } from '../../core/policy/ladder.ts';
import { whyPeopleOnly } from '../../core/task/supervisors.ts';
import type { HoldRow } from '../../store/store.ts';
import { ownEntry } from '../../core/base/own-entry.ts';

/** A question that may be reassigned. */
type Moving = Pick<HoldRow, 'agent' | 'owner' | 'openedAt' | 'plan' | 'question' | 'stepsTaken' | 'votes'>;

const maxOptions = 500;

/** Entries that the policy of a question names: as it was when it was asked, and as it is now. */
function entriesOfPolicy({ policies }: Config, { plan }: Moving): string[] {
  const now = ownEntry(policies, plan.policy);
  const later = now?.ladder.flatMap((step) => step.escalate ?? []) ?? [];
  return [...(now?.audience ?? []), ...later, ...plan.steps.flatMap((step) => step.to)];
}

/** An agent decides only if the policy says so; reassigning must not get around it. */
function whyNoAgent(config: Config, hold: Moving, name: string): string | null {
  const entry = `agent:${name}`;
  if (!Object.hasOwn(config.agents, name)) return `there is no agent ${name} in the configuration`;
  if (name === hold.agent) return 'no agent decides its own questions; name a person or a role';
  const people = whyPeopleOnly(hold);
  if (people !== null) return `${people}; name a person or a role`;
  if (entriesOfPolicy(config, hold).includes(entry)) return null;
  return `the policy ${hold.plan.policy} lets no ${entry} decide; name a person or a role, or have the policy ask this agent (in \`audience\` or \`escalate\`)`;
}

/** Why no user matches an entry; null when one does. */
function unknownAssignee(config: Config, hold: Moving, text: string): string | null {
  const { keys, oidc } = config.auth;
  const entry = parseEntry(text);
  // Without keys people have no names.
  // The configuration does not have the users and roles of an identity provider.
  const isAnybody = keys.length === 0 || oidc !== undefined;
  switch (entry.kind) {
    case 'owner':
      return null;
    case 'agent':
      return whyNoAgent(config, hold, entry.name);
    case 'role': {
      const isKnown = entry.name === 'operator' || keys.some((key) => key.roles.includes(entry.name));
      return isAnybody || isKnown ? null : `no key has the role ${entry.name}`;
    }
    case 'user': {
      const isKnown = keys.some((key) => key.user === entry.name) || Object.hasOwn(config.users, entry.name);
      return isAnybody || isKnown ? null : `there is no user ${entry.name}`;
    }
    default:
      return assertNever(entry);
  }
}

/** Throws `input_invalid` for an unknown name: a question handed to a misspelt one would wait in vain. */
export function refuseUnknownAssignees(config: Config, hold: Moving, entries: readonly string[]): void {
  const errors = entries.flatMap((entry, index) => {
    const message = unknownAssignee(config, hold, entry);
    return message === null ? [] : [{ path: `to.${index}`, message }];
  });
  const [first] = errors;
  if (first !== undefined)
    throw new StandfastError('input_invalid', `${first.path}: ${first.message}`, { data: { errors } });
}

/** By which entry of its policy each user among these is one whom the question may go to. */
export function withinPolicy(config: Config, { plan }: Moving, to: readonly string[]): Record<string, string> {
  const found = namesOf(to, 'user').flatMap((name): [string, string][] => {
    const roles = config.auth.keys.filter(({ user }) => user === name).flatMap((key) => key.roles);
    const by = roles.map((role) => `role:${role}`).find((role) => plan.among.includes(role));
    return by === undefined ? [] : [[`user:${name}`, by]];
  });
  return Object.fromEntries(found);
}

/** Throws `forbidden` for whom the policy of the question does not let it go to. */
export function refuseOutside(config: Config, hold: Moving, to: readonly string[]): void {
  const why = whyNotReassigned(hold.plan, to, withinPolicy(config, hold, to));
  if (why !== null) throw new StandfastError('forbidden', why);
}

/** Throws `input_invalid` where too few would be left to decide, now or after the ladder's escalations. */
export function refuseTooFew(known: Known, hold: Moving, to: readonly string[]): void {
  const left = noDeciderOf(known, { ...hold, ...beingAsked, audience: withPeople(to) });
  if (left === null) return;
  const { could, need } = left;
  const why = need > 1 ? `${need} must agree, and ${could} could` : 'none of these could decide it';
  throw new StandfastError('input_invalid', `to: ${why}`, { data: { errors: [{ path: 'to', message: why }] } });
}

const beingAsked = { status: 'open', outgoing: null } as const;

/** At least one of these could decide it alone. */
const isOfDeciders = (known: Known, hold: Moving, entry: string): boolean =>
  isKind(entry, 'agent') ||
  noDeciderOf(known, {
    ...hold,
    ...beingAsked,
    audience: [entry],
    votes: [],
    plan: { ...hold.plan, quorum: 1, steps: [] },
  }) === null;

/** Whom the configuration knows, each of whom could decide this question: roles, the owner, users, agents. */
export function audienceOptions(config: Config, known: Known, hold: Moving): AudienceOption[] {
  const { agents, auth, users } = config;
  const named = entriesOfPolicy(config, hold);
  const roles = ['operator', ...auth.keys.flatMap((key) => key.roles), ...namesOf(named, 'role')];
  const names = [...known.people.map(({ id }) => id), ...namesOf(named, 'user')];
  const all = [
    ...roles.toSorted().map((name) => `role:${name}`),
    'owner',
    ...names.toSorted().map((name) => `user:${name}`),
    ...Object.keys(agents).map((name) => `agent:${name}`),
  ];
  const isOpen = (entry: string): boolean =>
    unknownAssignee(config, hold, entry) === null &&
    whyNotReassigned(hold.plan, [entry], withinPolicy(config, hold, [entry])) === null &&
    isOfDeciders(known, hold, entry);
  const nameOf = (entry: string): string | null => {
    const [name = ''] = namesOf(withOwner([entry], hold.owner), 'user');
    return Object.hasOwn(users, name) ? (users[name]?.name ?? null) : null;
  };
  const open = [...new Set(all)].filter(isOpen).slice(0, maxOptions);
  return open.map((entry) => ({ entry, name: nameOf(entry) }));
}
