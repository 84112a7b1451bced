// Addresses of other programs' pages; pure.

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || host.startsWith('127.');

/** Null as well where it is one of the machine that Standfast runs on, and the reader (at `here`) is at another one. */
export function openable(url: string | null, here: string): string | null {
  if (url === null || !URL.canParse(url)) return null;
  return isLoopback(new URL(url).hostname) && !isLoopback(here) ? null : url;
}
