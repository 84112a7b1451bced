// Asks the browser for a passkey; loaded once a person signs or registers.
import {
  startAuthentication,
  startRegistration,
  WebAuthnError,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { DecisionBody } from '../../../../src/contract/holds/decision.ts';
import { ApiError, holdApi, send } from '../live/api.ts';

/** The browser's refusals, among them that its person stopped it, become a refusal as the server's are. */
async function asked<T>(ceremony: Promise<T>): Promise<T> {
  try {
    return await ceremony;
  } catch (error) {
    const isKnown = error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
    throw new ApiError({ code: isKnown ? 'passkey_known' : 'passkey_stopped', status: 403 });
  }
}

/** The answer with its person's signature. */
export async function signedAnswer(holdId: string, body: DecisionBody): Promise<DecisionBody> {
  const path = holdApi(holdId, '/signing');
  const { options } = await send<{ options: PublicKeyCredentialRequestOptionsJSON }>('POST', path, body);
  const { id, response } = await asked(startAuthentication({ optionsJSON: options }));
  return { ...body, passkey: { id, response } };
}

interface Options {
  creation: PublicKeyCredentialCreationOptionsJSON;
  vouching: PublicKeyCredentialRequestOptionsJSON | null;
}

/** A new passkey under this name; one that is there already is asked to vouch for it first. */
export async function register(name: string): Promise<void> {
  const { creation, vouching } = await send<Options>('POST', '/api/me/passkeys/options', {});
  const vouched = vouching === null ? null : await asked(startAuthentication({ optionsJSON: vouching }));
  const { id, response } = await asked(startRegistration({ optionsJSON: creation }));
  await send('POST', '/api/me/passkeys', {
    name,
    registration: { id, response },
    ...(vouched === null ? {} : { vouching: { id: vouched.id, response: vouched.response } }),
  });
}

export async function rename(id: string, name: string): Promise<void> {
  await send('POST', '/api/me/passkeys/names', { id, name });
}

/** Removed by the signature of one that is there, which may be itself. */
export async function remove(id: string): Promise<void> {
  const { vouching } = await send<Pick<Options, 'vouching'>>('POST', '/api/me/passkeys/removals/options', { id });
  if (vouching === null) return;
  const vouched = await asked(startAuthentication({ optionsJSON: vouching }));
  await send('POST', '/api/me/passkeys/removals', { id, vouching: { id: vouched.id, response: vouched.response } });
}
