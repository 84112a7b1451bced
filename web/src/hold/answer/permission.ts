// What an agent asks for at an address, by the parameters of OAuth 2.0 and OpenID Connect; pure.
import { oneLine } from '../../base/text/visible.ts';
import { strings } from '../../i18n/strings.ts';

/** What the agent gets there, of which account and for how long, in a sentence. */
export function permissionWords({ host, searchParams }: URL, agent: string): string {
  const shown = (name: string): string => oneLine(searchParams.get(name) ?? '', 999);
  return strings.hold.permission(agent, host, shown('scope'), shown('login_hint'));
}
