// An api whose people sign in at a real identity provider, and tokens of that provider's making.
import { SignJWT } from 'jose';
import {
  clientId,
  clientSecret,
  startIdentityProvider,
  type IdentityProvider,
} from '../../rigs/pages/identity-provider.ts';
import { keyConfig, startRig, type Rig } from '../rig.ts';

export const publicUrl = 'http://127.0.0.1:8600';

/** The claim that makes a token one of a sign-out. */
export const logoutEvent = { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } };

const groups = { anna: ['fin-team', 'everybody'], opal: ['admins'] };

export async function startOidc(): Promise<{ rig: Rig; provider: IdentityProvider }> {
  const provider = await startIdentityProvider({ publicUrl, groups });
  const { issuer } = provider;
  const rig = await startRig({
    publicUrl,
    config: {
      auth: {
        keys: [
          ...keyConfig,
          { user: 'bot', kind: 'agent', key: 'the-bot-has-a-key-of-its-own-00001' },
          { user: 'shop', kind: 'backend', key: 'the-shop-has-a-key-of-its-own-0001' },
        ],
        session: '1h',
        oidc: {
          issuer,
          clientId,
          clientSecret,
          maxSession: '2h',
          allowBearer: true,
          audience: 'holdpoint-api',
          authorizedParties: ['front-end'],
          roles: { 'fin-team': ['finance'], admins: ['operator'] },
        },
      },
    },
  });
  return { rig, provider };
}

/** A token of the provider’s own making, signed by its key. */
export const tokensOf =
  ({ issuer, privateKey }: IdentityProvider) =>
  (
    claims: Record<string, unknown>,
    audience: string | string[] = 'holdpoint-api',
    typ = 'at+jwt',
    from = issuer,
  ): Promise<string> =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'k1', typ })
      .setIssuer(from)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('5m')
      .setJti('j1')
      .sign(privateKey);
