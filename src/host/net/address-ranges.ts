// Classifies IP addresses in any notation: cloud metadata service, private, or public.
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];
/** `null` for a public address. */
type AddressKind = 'metadata' | 'private' | null;

/**
 * Metadata services, which return credentials to any request from inside the cloud. Includes all of link-local, where
 * most are (AWS, Google, Azure, Oracle, DigitalOcean, Hetzner, OpenStack, ECS tasks, EKS pods) and no agent is.
 */
const metadataRanges = [
  '169.254.0.0/16',
  'fe80::/10',
  // AWS: instances and EKS pods, over IPv6.
  'fd00:ec2::/32',
  // Google
  'fd20:ce::/64',
  // Alibaba
  '100.100.100.200/32',
  // Azure's WireServer
  '168.63.129.16/32',
  // Oracle Classic
  '192.0.0.192/32',
  // Scaleway
  'fd00:42::42/128',
  // Akamai
  'fd00:a9fe:a9fe::1/128',
].map(parseRange);

const publicV6 = parseRange('2000::/3');

/** IPv6 ranges that embed an IPv4 address, which a gateway or the system would call, with the offsets of its bytes. */
const carriers: { range: Range; at: number[]; isFlipped?: boolean }[] = [
  // Mapped, compatible, translated.
  { range: parseRange('::ffff:0:0/96'), at: [12, 13, 14, 15] },
  { range: parseRange('::/96'), at: [12, 13, 14, 15] },
  { range: parseRange('::ffff:0:0:0/96'), at: [12, 13, 14, 15] },
  // NAT64 (RFC 6052), and for local use (RFC 8215) with either length of its prefix.
  { range: parseRange('64:ff9b::/96'), at: [12, 13, 14, 15] },
  { range: parseRange('64:ff9b:1::/48'), at: [12, 13, 14, 15] },
  { range: parseRange('64:ff9b:1::/48'), at: [6, 7, 9, 10] },
  // 6to4
  { range: parseRange('2002::/16'), at: [2, 3, 4, 5] },
  // Teredo: its server, and the client behind it.
  { range: parseRange('2001::/32'), at: [4, 5, 6, 7] },
  { range: parseRange('2001::/32'), at: [12, 13, 14, 15], isFlipped: true },
];

export function parseRange(text: string): Range {
  return ipaddr.parseCIDR(text);
}

/** Parses an address in any notation of the system's resolver (decimal, octal, hexadecimal, shortened); else null. */
export function parseAddress(text: string): Address | null {
  const bare = text.replace(/^\[(.*)\]$/s, '$1').replace(/%.*$/s, '');
  return ipaddr.isValid(bare) ? ipaddr.parse(bare) : null;
}

const isIn = (address: Address, range: Range): boolean =>
  address.kind() === range[0].kind() && address.match(range[0], range[1]);

/** Returns the IPv4 addresses that an IPv6 address embeds. */
function carried(address: Address): Address[] {
  if (address.kind() === 'ipv4') return [];
  const bytes = address.toByteArray();
  const found = carriers
    .filter(({ range }) => isIn(address, range))
    .map(({ at, isFlipped = false }) => at.map((index) => (bytes[index] ?? 0) ^ (isFlipped ? 0xff : 0)));
  // ISATAP, in any network.
  const isIsatap = ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
  return [...found, ...(isIsatap ? [bytes.slice(12)] : [])].map((four) => new ipaddr.IPv4(four));
}

export function kindOf(address: Address): AddressKind {
  const all = [address, ...carried(address)];
  if (all.some((one) => metadataRanges.some((range) => isIn(one, range)))) return 'metadata';
  return all.some(isPrivate) ? 'private' : null;
}

function isPrivate(address: Address): boolean {
  if (address.kind() === 'ipv4') return address.range() !== 'unicast';
  // An embedded IPv4 address is classified instead.
  if (carried(address).length > 0 && !isUnspecifiedOrLoopback(address)) return false;
  return address.range() !== 'unicast' || !isIn(address, publicV6);
}

const isUnspecifiedOrLoopback = (address: Address): boolean => ['unspecified', 'loopback'].includes(address.range());

/** Whether the ranges contain this address, or all IPv4 addresses that it embeds. */
export function isWithin(address: Address, ranges: readonly Range[]): boolean {
  const inside = (one: Address): boolean => ranges.some((range) => isIn(one, range));
  const inner = carried(address);
  return inside(address) || (inner.length > 0 && inner.every(inside));
}

const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether a URL's host is a loopback address. */
export const isLoopbackHost = (address: string): boolean => loopback.test(new URL(address).hostname);
