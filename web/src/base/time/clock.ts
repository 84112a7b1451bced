// The server's time on this machine: deadlines are counted by it, because a reader's clock may be wrong.

let skewMs = 0;
let isExact = false;

export const serverNow = (): number => Date.now() + skewMs;

/** From `hello` of the event stream, in milliseconds. */
export function takeServerTime(iso: string): void {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return;
  skewMs = at - Date.now();
  isExact = true;
}

/** From a `Date` header: whole seconds, so it only corrects what is further off than they are. */
export function takeDateHeader(header: string | null, sentAt: number): void {
  if (header === null) return;
  const at = Date.parse(header);
  if (Number.isNaN(at)) return;
  const found = at + 500 - (sentAt + Date.now()) / 2;
  if (!isExact || Math.abs(found - skewMs) > 3_000) skewMs = Math.abs(found) < 1_500 ? 0 : found;
}
