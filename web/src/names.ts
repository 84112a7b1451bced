// Principals, audiences and digests as people say them; pure.

/** `user:ana` → ana, `role:finance` → finance, `policy:x` and `agent:x` without their kind. */
export const shortName = (principal: string): string => principal.replace(/^(user|role|agent|policy|operator):/, '');

/** The reader himself is `you`. */
export const nameFor = (principal: string, myId: string | null, you: string): string =>
  principal === myId || principal === `user:${myId ?? ''}` ? you : shortName(principal);

/** Enough of a digest to tell two apart by eye. */
export const shortDigest = (digest: string): string => digest.replace('sha256:', '').slice(0, 8);
