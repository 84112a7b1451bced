// What a rule of an agent matches, in words, and where a policy is on its page; pure.
import type { MatchedRule } from '../../../../src/contract/configuration/policy.ts';
import { pagePath } from '../../base/router/routes.ts';
import { strings } from '../../i18n/strings.ts';

/** `tool call, amount > 1000`. */
export function whenWords({ kind, dialect, title, data }: MatchedRule['when']): string {
  const parts = [
    ...(kind === undefined ? [] : [strings.kinds[kind]]),
    ...(title === undefined ? [] : [strings.inbox.quoted(title)]),
    ...(dialect === undefined ? [] : [dialect]),
    ...(data === undefined ? [] : [data].flat()),
  ];
  return parts.join(', ');
}

export const anchorId = (policy: string): string => `policy-${policy}`;

/** Of null: the one that holds where none is named. */
export const policyAnchor = (policy: string | null): string =>
  `${pagePath('policies')}#${anchorId(policy ?? 'default')}`;
