// Who may have a question's notice sent again: who sees it, waits for it, and may not answer it.
import type { Principal } from '../../contract/base/principal.ts';
import { maySee, mayDecide } from './audience.ts';

type Asked = Parameters<typeof mayDecide>[0];

/** Programs wait without asking; they have reminders in the policy. */
export const mayNudge = (hold: Asked, principal: Principal, owner: string): boolean =>
  principal.kind !== 'agent' && maySee(hold, principal, owner) && !mayDecide(hold, principal, owner);
