// What people choose for themselves: events, hours, digests, and who decides in their stead.
import type { FastifyRequest } from 'fastify';
import { PreferencesSchema, type Preferences } from '../../../contract/configuration/personal.ts';
import { StandfastError } from '../../../core/base/errors.ts';
import { digestCalendar } from '../../../core/policy/digest-times.ts';
import { isAgentUser } from '../../../core/policy/askers.ts';
import { keptPreferences, readPreferences } from '../../../host/secrets/kept-preferences.ts';
import { readCalendar } from '../../../host/calendar/calendar.ts';
import type { ApiContext } from '../../api-context.ts';
import { route, type ApiApp } from '../../http/route.ts';
import type { PolicyActs, PolicyTimes, WithConfig } from '../../api-parts.ts';

const maxAwayMs = 366 * 24 * 60 * 60 * 1000;

const invalid = (message: string): StandfastError => new StandfastError('input_invalid', message);

const isKnown = ({ config: { users, auth } }: WithConfig, user: string): boolean =>
  Object.hasOwn(users, user) || auth.keys.some((key) => key.user === user);

/** Throws `input_invalid` for what could not be followed. */
function refuseFaults(api: PolicyTimes, user: string, { hours, digest, away }: Preferences): void {
  const read = hours === undefined ? null : readCalendar(hours);
  if (read?.ok === false) throw invalid(`hours: ${read.faults.map(({ message }) => message).join('; ')}`);
  const times = digest === undefined || digest === 'off' ? null : readCalendar(digestCalendar(digest));
  if (times?.ok === false) throw invalid(`digest: ${times.faults.map(({ message }) => message).join('; ')}`);
  if (away === undefined) return;
  const delegate = away.delegate.slice('user:'.length);
  if (delegate === user) throw invalid('away.delegate: expected another person');
  if (!isKnown(api, delegate) || isAgentUser(api.config, delegate))
    throw invalid(`away.delegate: there is no user ${delegate}`);
  const [from, until] = [Date.parse(away.from ?? api.now().toISOString()), Date.parse(away.until)];
  if (until <= from || until <= api.now().getTime()) throw invalid('away.until: expected a time to come, after `from`');
  if (until - from > maxAwayMs) throw invalid('away.until: expected at most a year after `from`');
}

/** Only people, themselves: a back end that acts for a person gives their authority to no one. */
function refuseOthers(api: WithConfig, { principal }: Pick<FastifyRequest, 'principal'>): void {
  if (principal.kind !== undefined || principal.actor !== undefined)
    throw new StandfastError('forbidden', 'only people choose for themselves');
  if (!isKnown(api, principal.id))
    throw new StandfastError('forbidden', 'only people whom `users` or `auth.keys` names have preferences');
}

async function preferencesOf(
  { personal }: Pick<ApiContext['store'], 'personal'>,
  { prover }: Pick<ApiContext, 'prover'>,
  user: string,
): Promise<Preferences> {
  const [row] = await personal.list('preferences', user);
  return (row === undefined ? null : readPreferences(prover, row)) ?? {};
}

/** A deputy counts from when they were named: of a question that was open before, they change nothing. */
function withNamedAt({ away, ...chosen }: Preferences, before: Preferences, now: Date): Preferences {
  if (away === undefined) return chosen;
  const { namedAt: _sent, ...given } = away;
  const since = before.away?.delegate === given.delegate ? before.away.namedAt : undefined;
  return { ...chosen, away: { ...given, namedAt: since ?? now.toISOString() } };
}

export function preferenceRoutes(app: ApiApp, api: PolicyActs & Pick<ApiContext, 'prover'>): void {
  app.get(
    '/api/me/preferences',
    route('caller', 'session', {
      summary: 'What you have chosen: events, hours, digests, and who decides in your stead',
      response: { 200: PreferencesSchema },
    }),
    async ({ principal }) => preferencesOf(api.store, api, principal.id),
  );

  app.put(
    '/api/me/preferences',
    route('caller', 'session', {
      summary: 'Choose all of it at once; in force within two seconds, and a deputy is on the record',
      body: PreferencesSchema,
      response: { 200: PreferencesSchema },
    }),
    async (request) => {
      const { principal, body } = request;
      refuseOthers(api, request);
      refuseFaults(api, principal.id, body);
      const given = { by: principal.id, credential: principal.credential ?? null };
      return api.store.tx(async ({ personal }) => {
        await personal.alone(principal.id);
        const chosen = withNamedAt(body, await preferencesOf({ personal }, api, principal.id), api.now());
        await personal.prefer(principal.id, keptPreferences(api.prover, principal.id, chosen), given);
        return chosen;
      });
    },
  );
}
