import type { Config } from '../contract/config.ts';
import type { Hold } from '../contract/hold.ts';
import { mayDecide } from '../core/audience.ts';
import { everybody } from '../core/delegates.ts';
import { HoldpointError } from '../core/errors.ts';

/** Why nobody would ever answer to an entry; null when somebody does. */
function strangeness(config: Config, entry: string): string | null {
  const { keys } = config.auth;
  const name = entry.slice(entry.indexOf(':') + 1);
  if (entry.startsWith('agent:')) return 'a question is handed to people; agents are asked by a policy';
  // Without keys nobody has a name.
  if (keys.length === 0 || entry === 'owner') return null;
  if (entry.startsWith('role:')) {
    const isKnown = name === 'operator' || keys.some((key) => key.roles.includes(name));
    return isKnown ? null : `nobody has the role ${name}`;
  }
  const isKnown = keys.some((key) => key.user === name) || Object.hasOwn(config.users, name);
  return isKnown ? null : `there is no user ${name}`;
}

/** Throws `input_invalid` for whom nobody is: a question handed to a misspelt name would wait for nobody. */
export function refuseUnknownEntries(config: Config, entries: readonly string[]): void {
  const errors = entries.flatMap((entry, index) => {
    const message = strangeness(config, entry);
    return message === null ? [] : [{ path: `to.${index}`, message }];
  });
  const [first] = errors;
  if (first !== undefined)
    throw new HoldpointError('input_invalid', `${first.path}: ${first.message}`, { data: { errors } });
}

/** Throws `input_invalid` where too few would be left to decide, now or after the ladder's escalations. */
export function refuseTooFew(
  config: Config,
  hold: Pick<Hold, 'plan' | 'stepsTaken' | 'votes'> & { owner: string },
  to: readonly string[],
  now: Date,
): void {
  const { plan, stepsTaken, votes, owner } = hold;
  // Without keys everybody is the one local caller, who may decide everything.
  if (config.auth.keys.length === 0) return;
  const audience = [...to, ...plan.steps.slice(stepsTaken).flatMap((step) => step.to)];
  const people = everybody(config, now);
  const deciders = new Set([
    ...people.filter((one) => mayDecide({ audience, plan }, one, owner)).map((one) => one.id),
    ...audience.filter((entry) => entry.startsWith('agent:')),
    ...votes.map((vote) => vote.by),
  ]);
  if (deciders.size >= plan.quorum) return;
  const left = deciders.size === 0 ? 'nobody' : `only ${[...deciders].join(', ')}`;
  const why = plan.quorum > 1 ? `${plan.quorum} must agree, and ${left} could` : 'nobody of these could decide it';
  throw new HoldpointError('input_invalid', `to: ${why}`, { data: { errors: [{ path: 'to', message: why }] } });
}
