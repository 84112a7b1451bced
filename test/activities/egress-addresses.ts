// Sixty addresses that no agent may lead us to, as they are written in a URL, and as a resolver gives them.

/** `always`: refused though no rule says so. */
export interface HostileAddress {
  written: string;
  resolved: string;
  always: boolean;
}

const of = (always: boolean, pairs: readonly (readonly [string, string?])[]): HostileAddress[] =>
  pairs.map(([written, resolved = written.replace(/^\[|\]$/g, '')]) => ({ written, resolved, always }));

const metadata = of(true, [
  // AWS, Azure, Google, DigitalOcean, Hetzner, OpenStack …, in every notation that a URL may have.
  ['169.254.169.254'],
  ['2852039166', '169.254.169.254'],
  ['0xa9fea9fe', '169.254.169.254'],
  ['0xA9.0xFE.0xA9.0xFE', '169.254.169.254'],
  ['0251.0376.0251.0376', '169.254.169.254'],
  ['169.254.43518', '169.254.169.254'],
  ['169.16689662', '169.254.169.254'],
  ['169.254.169.254.', '169.254.169.254'],
  ['[::ffff:169.254.169.254]'],
  ['[::ffff:a9fe:a9fe]'],
  ['[::169.254.169.254]'],
  ['[::ffff:0:169.254.169.254]'],
  ['[64:ff9b::169.254.169.254]'],
  ['[64:ff9b:1::a9fe:a9fe]'],
  ['[64:ff9b:1:a9fe:a9:fe00::]'],
  ['[2002:a9fe:a9fe::]'],
  ['[2001:0:a9fe:a9fe::1]'],
  ['[2001:0:4136:e378:8000:63bf:5601:5601]'],
  ['[2a00:1450::5efe:169.254.169.254]'],
  ['[fe80::a9fe:a9fe]'],
  ['[fe80::1]'],
  // ECS tasks, EKS pods, Scaleway, Tencent.
  ['169.254.170.2'],
  ['169.254.170.23'],
  ['169.254.42.42'],
  ['169.254.0.23'],
  // AWS, EKS pods, Google, Scaleway and Akamai over IPv6.
  ['[fd00:ec2::254]'],
  ['[fd00:ec2::23]'],
  ['[fd20:ce::254]'],
  ['[fd00:42::42]'],
  ['[fd00:a9fe:a9fe::1]'],
  // Alibaba, Azure's WireServer, Oracle Classic.
  ['100.100.100.200'],
  ['[::ffff:100.100.100.200]'],
  ['168.63.129.16'],
  ['[64:ff9b::a83f:8110]'],
  ['192.0.0.192'],
]);

const privates = of(false, [
  ['127.0.0.1'],
  ['127.1', '127.0.0.1'],
  ['2130706433', '127.0.0.1'],
  ['127.255.255.254'],
  ['[::1]'],
  ['[::ffff:127.0.0.1]'],
  ['[64:ff9b::7f00:1]'],
  ['[2002:7f00:1::]'],
  ['0.0.0.0'],
  ['0', '0.0.0.0'],
  ['[::]'],
  ['[::ffff:0.0.0.0]'],
  ['10.0.0.1'],
  ['172.16.0.1'],
  ['172.31.255.255'],
  ['192.168.1.1'],
  ['[::ffff:192.168.1.1]'],
  ['[2002:c0a8:101::1]'],
  ['[64:ff9b::a00:1]'],
  ['100.64.0.1'],
  ['[::ffff:100.127.255.255]'],
  ['[fc00::1]'],
  ['[fd12:3456:789a::1]'],
  ['[fec0::1]'],
  ['255.255.255.255'],
]);

export const hostileAddresses: HostileAddress[] = [...metadata, ...privates];
