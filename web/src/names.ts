// Principals and audiences as people say them; pure.

/** `user:ana` → ana, `role:finance` → finance, `policy:x` and `agent:x` without their kind. */
export const shortName = (principal: string): string => principal.replace(/^(user|role|agent|policy|operator):/, '');

/** The reader himself is `you`. */
export const nameFor = (principal: string, myId: string | null, you: string): string =>
  principal === myId || principal === `user:${myId ?? ''}` ? you : shortName(principal);
