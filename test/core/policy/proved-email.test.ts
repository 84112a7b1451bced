import { expect, test } from '@jest/globals';
import { provedEmail } from '../../../src/core/policy/proved-email.ts';

const email = 'cfo@acme.test';

// Promise Y95
test('An address of the identity provider counts only where the provider has verified it', () => {
  expect(provedEmail({ from: 'oidc', claims: { email, email_verified: true } })).toBe(email);
  for (const verified of [false, 'true', 'yes', 1, null, undefined])
    expect(provedEmail({ from: 'oidc', claims: { email, email_verified: verified } })).toBeNull();
  expect(provedEmail({ from: 'oidc', claims: { email } })).toBeNull();
  expect(provedEmail({ from: 'oidc', claims: { email: '', email_verified: true } })).toBeNull();
});

// Promise Y95
test('A member of an organisation of Slack is known in each of its workspaces, and no one where the app is nowhere', () => {
  const user = { team_id: 'T2', enterprise_user: { enterprise_id: 'E1' }, profile: { email } };
  expect(provedEmail({ from: 'slack', user, own: { team: 'T1', organisation: 'E1' } })).toBe(email);
  expect(provedEmail({ from: 'slack', user, own: { team: 'T1', organisation: 'E2' } })).toBeNull();
  expect(provedEmail({ from: 'slack', user, own: { team: 'T1', organisation: '' } })).toBeNull();
  const nowhere = { team: '', organisation: '' };
  expect(provedEmail({ from: 'slack', user: { ...user, team_id: '' }, own: nowhere })).toBeNull();
});
