// Where a policy stands on its page.
import { pagePath } from '../app/routes.ts';

/** The one that holds where none is named. */
const builtIn = 'default';

export const anchorId = (policy: string): string => `policy-${policy}`;

export const policyAnchor = (policy: string | null): string => `${pagePath('policies')}#${anchorId(policy ?? builtIn)}`;
