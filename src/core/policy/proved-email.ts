// Which mail address somebody has who is known to an identity provider, Slack or Teams. People are found by their mail address, so one
// that anybody could have entered, or a person of another organisation, would decide as somebody else.
import type { JsonObject } from '../../contract/base/json.ts';
import { objectOf, stringOf } from '../base/json.ts';

/** What an identity provider, Slack or Teams tells of somebody. */
export type EmailSource =
  | { from: 'oidc'; claims: Readonly<Record<string, unknown>> }
  | { from: 'slack'; user: JsonObject; own: SlackHome }
  | { from: 'teams'; member: JsonObject; tenant: string };

/** Where the app is installed: a workspace, of an organisation where there is one. */
export interface SlackHome {
  team: string;
  organisation: string;
}

/** Members of the app's own workspace or organisation; not those of others who share a channel with it. */
export function isOfSlackHome(user: JsonObject, { team, organisation }: SlackHome): boolean {
  const isGone = ['deleted', 'is_bot', 'is_workflow_bot', 'is_stranger'].some((name) => user[name] === true);
  const isHere = team !== '' && user['team_id'] === team;
  const isOrganisations = organisation !== '' && objectOf(user['enterprise_user'])['enterprise_id'] === organisation;
  return !isGone && (isHere || isOrganisations);
}

/** Guests are let in by an address that another organisation keeps. */
const isSlackGuest = (user: JsonObject): boolean =>
  ['is_restricted', 'is_ultra_restricted', 'is_invited_user'].some((name) => user[name] === true) ||
  user['is_email_confirmed'] === false;

function isOfTenant({ tenantId, userRole, userPrincipalName }: JsonObject, tenant: string): boolean {
  const isMember = userRole === undefined || userRole === 'user';
  return tenantId === tenant && isMember && !/#ext#/i.test(stringOf(userPrincipalName));
}

/** The mail address of a member, as it was verified; null: there is none that proves who this is. */
export function provedEmail(source: EmailSource): string | null {
  switch (source.from) {
    case 'oidc': {
      const { email, email_verified: isVerified } = source.claims;
      return isVerified === true ? stringOf(email) || null : null;
    }
    case 'slack': {
      const { user, own } = source;
      if (!isOfSlackHome(user, own) || isSlackGuest(user)) return null;
      return stringOf(objectOf(user['profile'])['email']) || null;
    }
    case 'teams': {
      const { member, tenant } = source;
      return isOfTenant(member, tenant)
        ? stringOf(member['email']) || stringOf(member['userPrincipalName']) || null
        : null;
    }
    default:
      return source satisfies never;
  }
}
