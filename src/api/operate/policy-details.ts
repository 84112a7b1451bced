// A policy as operators ask about it: who would be asked now, and when the ladder would climb if it were asked now.
import type { Config } from '../../contract/configuration/config.ts';
import type { AskedEntry, PolicyDetail } from '../../contract/views/operate.ts';
import { PolicySchema, type Calendar, type Policy } from '../../contract/configuration/policy.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { mayDecide } from '../../core/policy/audience.ts';
import { parseEntry } from '../../core/policy/audience-entry.ts';
import type { WindowsFrom } from '../../core/policy/calendar.ts';
import { allUsers, delegateOf } from '../../core/policy/delegates.ts';
import { audienceOf, planLadder, quorumOf, takesDeputies } from '../../core/policy/ladder.ts';

/** What holds where no policy is named: the owner is asked, for a day. */
const builtIn = 'default';
const yearMs = 366 * 86_400_000;

interface PolicySetting {
  config: Config;
  windowsOf: (calendar: Calendar) => WindowsFrom;
  now: Date;
  open: ReadonlyMap<string, number>;
}

function askedOf(
  entry: string,
  { people, deputies }: { people: readonly Principal[]; deputies: PolicyDetail['deputies'] },
  { config, now }: PolicySetting,
): AskedEntry {
  const meant = parseEntry(entry);
  if (meant.kind === 'owner' || meant.kind === 'agent') return { entry, people: [] };
  const plan = { exclude: [], ...(deputies === 'none' ? { deputies } : {}) };
  const isMeant = (principal: Principal): boolean => mayDecide({ audience: [entry], plan }, principal, '');
  return {
    entry,
    people: people.filter(isMeant).map((principal) => {
      const { alsoFor: _others, ...alone } = principal;
      return {
        id: principal.id,
        standsInFor: isMeant(alone) ? null : meant.name,
        isAway: delegateOf(config.users, principal.id, now) !== null,
      };
    }),
  };
}

function calendarOf(calendar: Calendar, { windowsOf, now }: PolicySetting): NonNullable<PolicyDetail['calendar']> {
  const at = now.getTime();
  const [window] = windowsOf(calendar)(at);
  const isOpen = window !== undefined && window.fromMs <= at;
  const changesAt = window === undefined ? null : isOpen ? window.toMs : window.fromMs;
  const { zone, hours, holidays = null } = calendar;
  return { zone, hours, holidays, isOpen, changesAt: changesAt === null ? null : new Date(changesAt).toISOString() };
}

function usedBy(name: string, { config }: PolicySetting): PolicyDetail['usedBy'] {
  return Object.entries(config.agents).flatMap(([agent, { policy, rules }]) => [
    ...((policy ?? builtIn) === name ? [{ agent, when: null }] : []),
    ...rules.filter((rule) => rule.policy === name).map(({ when }) => ({ agent, when })),
  ]);
}

function detailOf(name: string, policy: Policy, people: Principal[], setting: PolicySetting): PolicyDetail {
  const { calendar, expire } = policy;
  const { now } = setting;
  const deputies = takesDeputies(policy) ? 'anyone' : 'none';
  const asked = (entries: readonly string[]): AskedEntry[] =>
    entries.map((entry) => askedOf(entry, { people, deputies }, setting));
  const windowsFrom = calendar === undefined ? undefined : setting.windowsOf(calendar);
  const plan = planLadder(name, policy, now.toISOString(), null, { windowsFrom });
  const fromNow = (at: string): number => Date.parse(at) - now.getTime();
  const steps = policy.ladder.map((step) => {
    const only = planLadder(name, { ...policy, ladder: [step] }, now.toISOString(), null, { windowsFrom }).steps[0];
    return {
      after: step.after,
      atMs: only === undefined ? yearMs : fromNow(only.at),
      do: step.remind === true ? ('remind' as const) : ('escalate' as const),
      to: asked(step.escalate ?? []),
      replace: step.replace ?? false,
      every: step.every ?? null,
    };
  });
  return {
    name,
    isBuiltIn: !Object.hasOwn(setting.config.policies, name),
    audience: asked(audienceOf(policy)),
    excludesRequester: policy.exclude.includes('requester'),
    deputies,
    quorum: quorumOf(policy),
    danger: policy.danger || policy.sign !== undefined,
    grace: policy.grace ?? null,
    notify: policy.notify,
    ladder: steps.toSorted((a, b) => a.atMs - b.atMs),
    expire: {
      after: expire.after,
      atMs: fromNow(plan.expiresAt ?? plan.overdueAt ?? now.toISOString()),
      then: plan.then,
      clock: plan.clock,
    },
    calendar: calendar === undefined ? null : calendarOf(calendar, setting),
    usedBy: usedBy(name, setting),
    open: setting.open.get(name) ?? 0,
  };
}

/** The built-in one as well, where an agent lives by it. */
export function policyDetails(setting: PolicySetting): PolicyDetail[] {
  const { config, now } = setting;
  const people = allUsers(config, now);
  const named = Object.entries(config.policies).map(([name, policy]) => detailOf(name, policy, people, setting));
  if (Object.hasOwn(config.policies, builtIn)) return named;
  const own = detailOf(builtIn, PolicySchema.parse({}), people, setting);
  return own.usedBy.length === 0 && own.open === 0 ? named : [...named, own];
}
