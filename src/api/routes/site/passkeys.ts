// Passkeys: what people register for themselves, and what two operators revoke together.
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { plainText } from '../../../contract/base/text-schemas.ts';
import { AssertionSchema, RegistrationSchema } from '../../../contract/holds/passkey.ts';
import { removalText, vouchingText } from '../../../core/consent/signed-answer.ts';
import { StandfastError } from '../../../core/base/errors.ts';
import { isSamePerson } from '../../../core/policy/lookalikes.ts';
import { creationOptions, registered, relyingPartyOf } from '../../../host/secrets/passkeys.ts';
import type { ApiContext } from '../../api-context.ts';
import {
  invalid,
  newChallenge,
  optionsToSign,
  partyOf,
  passkeysOf,
  refusePrograms,
  signedBy,
  takeChallenge,
  valueOf,
  type KeptPasskey,
  type PasskeyReads,
} from '../../auth/passkeys.ts';
import { route, type ApiApp } from '../../http/route.ts';
import type { PolicyViewReads, ViewReads, WithStore } from '../../api-parts.ts';
import { errorText } from '../../../host/process/errno.ts';

const maxPasskeys = 20;

const PasskeySchema = z
  .object({ id: z.string(), name: z.string(), since: z.string(), lastUsedAt: z.string().nullable() })
  .meta({ id: 'Passkey' });
const OwnPasskeysSchema = z
  .object({ items: z.array(PasskeySchema), isPossible: z.boolean() })
  .meta({ id: 'OwnPasskeys' });
const OptionsSchema = z
  .object({
    creation: z.record(z.string(), z.unknown()),
    vouching: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'PasskeyOptions' });
const NewPasskeySchema = z
  .object({ name: plainText(60).min(1), registration: RegistrationSchema, vouching: AssertionSchema.optional() })
  .meta({ id: 'NewPasskey' });
const AnyPasskeySchema = PasskeySchema.extend({
  user: z.string(),
  publicKey: z.string(),
  /** The operator who asked for its revocation: another one has to agree. */
  revocationAskedBy: z.string().nullable(),
}).meta({ id: 'PasskeyOfAnybody' });
const RenamedSchema = z
  .object({ id: z.string().min(1).max(1_400), name: plainText(60).min(1) })
  .meta({ id: 'PasskeyName' });
const RemovalSchema = z
  .object({ id: z.string().min(1).max(1_400), vouching: AssertionSchema.optional() })
  .meta({ id: 'PasskeyRemoval' });
const RevocationSchema = z
  .object({ user: z.string().min(1).max(200), id: z.string().min(1).max(1_400) })
  .meta({ id: 'PasskeyRevocation' });

const shown = ({ id, name, since, lastUsedAt }: KeptPasskey): z.infer<typeof PasskeySchema> => ({
  id,
  name,
  since,
  lastUsedAt,
});

/** A key in a program's hands must not become a person's signature: people register where they signed in. */
function refuseUnlessSignedIn({ principal, via }: Pick<FastifyRequest, 'principal' | 'via'>): void {
  refusePrograms(principal);
  if (via === 'key') throw new StandfastError('forbidden', 'passkeys are registered on the page, after signing in');
}

const about = 'a new passkey';

export function passkeyRoutes(app: ApiApp, api: PolicyViewReads & PasskeyReads): void {
  ownRoutes(app, api);
  changeRoutes(app, api);
  operatorRoutes(app, api);
}

function ownRoutes(app: ApiApp, api: ViewReads & PasskeyReads): void {
  app.get(
    '/api/me/passkeys',
    route('caller', 'session', {
      summary: 'Your passkeys, and whether this address allows any',
      response: { 200: OwnPasskeysSchema },
    }),
    async ({ principal }) => ({
      items: (await passkeysOf(api, principal.id)).map(shown),
      isPossible: relyingPartyOf(api.publicUrl) !== null,
    }),
  );

  app.post(
    '/api/me/passkeys/options',
    route('caller', 'session', {
      summary: 'Options to create a passkey with; who has one already vouches for the new one with it (`vouching`)',
      response: { 200: OptionsSchema },
    }),
    async (request) => {
      refuseUnlessSignedIn(request);
      const { id, name = id } = request.principal;
      const party = partyOf(api);
      const own = await passkeysOf(api, id);
      if (own.length >= maxPasskeys) throw new StandfastError('input_invalid', `at most ${maxPasskeys} passkeys`);
      const { challenge } = await newChallenge(api, id, about, (nonce, at) => vouchingText(id, nonce, at));
      // Both are asked to sign the same: the passkey there was vouches for this new one.
      const vouching = own.length === 0 ? null : { ...(await optionsToSign(api, id, challenge)) };
      return { creation: { ...(await creationOptions(party, { id, name }, challenge, own)) }, vouching };
    },
  );

  app.post(
    '/api/me/passkeys',
    route('caller', 'session', {
      summary: 'Register a passkey; it is on the record, with its public key',
      body: NewPasskeySchema,
      response: { 200: PasskeySchema },
    }),
    async (request) => {
      refuseUnlessSignedIn(request);
      const { principal, body } = request;
      const { name, registration, vouching } = body;
      const user = principal.id;
      const { challenge } = await takeChallenge(api, user, about, registration.response.clientDataJSON);
      const by = vouching === undefined ? null : await signedBy(api, user, challenge, vouching);
      const made = await registered(partyOf(api), challenge, registration).catch((error: unknown) => {
        throw invalid(errorText(error));
      });
      const since = api.now().toISOString();
      const passkey: KeptPasskey = { ...made, name, user, since, lastUsedAt: null };
      await api.store.tx(async ({ personal }) => {
        await personal.alone(user);
        const all = await passkeysOf({ ...api, store: { personal } });
        const own = all.filter((one) => one.user === user);
        if (own.length > 0 && !own.some(({ id }) => id === by?.id))
          throw new StandfastError('passkey_required', 'a passkey that you have vouches for a new one');
        if (all.some(({ id }) => id === made.id)) throw invalid('this passkey is registered already');
        await personal.put({ user, kind: 'passkey', name: made.id, value: valueOf(api, passkey) });
        personal.note({
          event: 'registered',
          user,
          passkey: made.id,
          publicKey: made.publicKey,
          by: user,
          credential: principal.credential ?? null,
          vouchedBy: by?.id ?? null,
        });
      });
      return shown(passkey);
    },
  );
}

/** Renaming and removing one's own. */
function changeRoutes(app: ApiApp, api: PolicyViewReads & PasskeyReads): void {
  const aboutRemoval = (id: string): string => `removal of ${id}`;

  async function own(
    user: string,
    wanted: string,
    store: Pick<ApiContext['store'], 'personal'> = api.store,
  ): Promise<{ passkey: KeptPasskey; isLast: boolean }> {
    const all = await passkeysOf({ ...api, store }, user);
    const passkey = all.find(({ id }) => id === wanted);
    if (passkey === undefined) throw new StandfastError('not_found', `you have no passkey ${wanted}`);
    return { passkey, isLast: all.length === 1 };
  }

  /** With a session alone, an attacker would register a first one again, believed by that session. */
  function refuseLast(isLast: boolean): void {
    const isNeeded = Object.values(api.config.policies).some(({ sign }) => sign !== undefined);
    if (isLast && isNeeded)
      throw new StandfastError(
        'forbidden',
        'it is your last passkey, and there are answers to sign: register another first',
      );
  }

  app.post(
    '/api/me/passkeys/names',
    route('caller', 'session', {
      summary: 'Rename a passkey of yours',
      body: RenamedSchema,
      response: { 200: PasskeySchema },
    }),
    async (request) => {
      refuseUnlessSignedIn(request);
      const { id: user } = request.principal;
      const { passkey } = await own(user, request.body.id);
      const renamed = { ...passkey, name: request.body.name };
      await api.store.personal.change({ user, kind: 'passkey', name: passkey.id, value: valueOf(api, renamed) });
      return shown(renamed);
    },
  );

  app.post(
    '/api/me/passkeys/removals/options',
    route('caller', 'session', {
      summary: 'What a passkey of yours signs, so that this one is removed',
      body: RemovalSchema.pick({ id: true }).meta({ id: 'PasskeyToRemove' }),
      response: { 200: OptionsSchema.pick({ vouching: true }).meta({ id: 'PasskeyRemovalOptions' }) },
    }),
    async (request) => {
      refuseUnlessSignedIn(request);
      const { id: user } = request.principal;
      const { id } = request.body;
      refuseLast((await own(user, id)).isLast);
      const { challenge } = await newChallenge(api, user, aboutRemoval(id), (nonce, at) =>
        removalText(user, id, nonce, at),
      );
      return { vouching: { ...(await optionsToSign(api, user, challenge)) } };
    },
  );

  app.post(
    '/api/me/passkeys/removals',
    route('caller', 'session', {
      summary: 'Remove a passkey of yours, signed by one that you have; it is on the record',
      body: RemovalSchema,
      response: { 200: PasskeySchema },
    }),
    async (request) => {
      refuseUnlessSignedIn(request);
      const { principal, body } = request;
      const { id, vouching } = body;
      const user = principal.id;
      if (vouching === undefined)
        throw new StandfastError('passkey_required', 'a passkey that you have signs the removal');
      const { challenge } = await takeChallenge(api, user, aboutRemoval(id), vouching.response.clientDataJSON);
      const by = await signedBy(api, user, challenge, vouching);
      return api.store.tx(async ({ personal }) => {
        await personal.alone(user);
        const { passkey, isLast } = await own(user, id, { personal });
        refuseLast(isLast);
        await personal.remove({ user, kind: 'passkey-revocation', name: id });
        await personal.remove({ user, kind: 'passkey', name: id });
        personal.note({
          event: 'removed',
          user,
          passkey: id,
          publicKey: passkey.publicKey,
          by: user,
          credential: principal.credential ?? null,
          vouchedBy: by.id,
        });
        return shown(passkey);
      });
    },
  );
}

function operatorRoutes(app: ApiApp, api: WithStore & PasskeyReads): void {
  app.get(
    '/api/passkeys',
    route('operator', 'operation', {
      summary: 'The passkeys of everybody',
      response: { 200: z.object({ items: z.array(AnyPasskeySchema) }).meta({ id: 'Passkeys' }) },
    }),
    async () => {
      const asked = await api.store.personal.list('passkey-revocation');
      const askedBy = ({ user, id }: KeptPasskey): string | null => {
        const by = asked.find((one) => one.user === user && one.name === id)?.value['by'];
        return typeof by === 'string' ? by : null;
      };
      const items = (await passkeysOf(api)).map((one) => ({
        ...shown(one),
        user: one.user,
        publicKey: one.publicKey,
        revocationAskedBy: askedBy(one),
      }));
      return { items };
    },
  );

  app.post(
    '/api/passkeys/revocations',
    route('operator', 'operation', {
      summary: 'Revoke a passkey: the first operator asks for it, and it is done once another one does the same',
      body: RevocationSchema,
      response: { 200: z.object({ isRevoked: z.boolean(), askedBy: z.string() }).meta({ id: 'RevokedPasskey' }) },
    }),
    async ({ principal, body }) => {
      refusePrograms(principal);
      const { user, id } = body;
      if (isSamePerson(user, principal.id))
        throw new StandfastError('forbidden', 'two other operators revoke a passkey of yours');
      return api.store.tx(async ({ personal }) => {
        await personal.alone(user);
        const passkey = (await passkeysOf({ ...api, store: { personal } }, user)).find((one) => one.id === id);
        if (passkey === undefined) throw new StandfastError('not_found', `${user} has no passkey ${id}`);
        const credential = principal.credential ?? null;
        const event = { user, passkey: id, publicKey: passkey.publicKey, by: principal.id, credential };
        const key = { user, kind: 'passkey-revocation' as const, name: id };
        const earlier = (await personal.list(key.kind, user)).find(({ name }) => name === id);
        const askedBy = typeof earlier?.value['by'] === 'string' ? earlier.value['by'] : principal.id;
        if (isSamePerson(askedBy, principal.id)) {
          await personal.put({ ...key, value: { by: principal.id } });
          personal.note({ ...event, event: 'revocation asked' });
          return { isRevoked: false, askedBy };
        }
        await personal.remove(key);
        await personal.remove({ user, kind: 'passkey', name: id });
        personal.note({ ...event, event: 'revoked', askedBy });
        return { isRevoked: true, askedBy };
      });
    },
  );
}
