// Whether two addresses lead to one agent: under a second name it would decide its own questions.

const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const cardPath = /\/(\.well-known\/)?[^/]+\.json$/;

/** Host, port and path of an agent's address or its card's, in one spelling. */
function addressKey(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, port, pathname } = new URL(address);
  const host = loopback.test(hostname) ? 'loopback' : hostname.replace(/\.$/, '');
  const path = pathname.replace(cardPath, '').replace(/\/+$/, '');
  return `${host}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}${path}`;
}

/** True where an address of the one is an address of the other. */
export function isSameAgent(one: readonly string[], other: readonly string[]): boolean {
  const keys = new Set(one.map(addressKey));
  return other.map(addressKey).some((key) => key !== null && keys.has(key));
}
