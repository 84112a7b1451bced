// Rules for the addresses that Standfast may call, applied after name resolution and for every connection.
import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Config } from '../../contract/configuration/config.ts';
import { isWithin, kindOf, parseAddress, parseRange } from './address-ranges.ts';

export interface Egress {
  /** Throws PolicyError for a literal address that is denied; names are checked by `lookup`. */
  check(host: string): void;
  /** Resolves a name to its allowed addresses; fails with PolicyError if there are none. */
  lookup: LookupFunction;
}

/** Returns why an address is denied, or null. */
type Judge = (address: string) => string | null;

export function createEgress(rules: Config['egress'], lookup: LookupFunction = dns.lookup): Egress {
  const allowed = rules.allow.map(parseRange);
  const judge: Judge = (text) => {
    const address = parseAddress(text);
    if (address === null) return null;
    const kind = kindOf(address);
    if (kind === 'metadata')
      return 'an address of cloud metadata services (link-local and alike), which are never called';
    if (kind === null || !rules.deny.includes(kind) || isWithin(address, allowed)) return null;
    return 'a private address, which egress denies; add its range to egress.allow to permit it';
  };
  return {
    check(host) {
      const why = judge(host);
      if (why !== null) throw new PolicyError(`${host} is ${why}`);
    },
    lookup: refusing(lookup, judge),
  };
}

/**
 * Egress for URLs that callers supply: private addresses only if the operator allows them. Without API keys or
 * OIDC the only caller is on this machine, so the operator's rules apply unchanged.
 */
export function callersEgress({ auth, egress }: Pick<Config, 'auth' | 'egress'>): Egress {
  const isKeyless = auth.keys.length === 0 && auth.oidc === undefined;
  return createEgress(isKeyless ? egress : { ...egress, deny: ['private'] });
}

/** Why an address that a caller gave is not called; null when it may be. Names are judged again when they are resolved. */
export function whyNotCalled(url: string, egress: Egress): string | null {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return 'expected an http(s) address';
  const { username, password, hostname } = new URL(url);
  if (username !== '' || password !== '') return 'expected no user in it; credentials belong to authentication';
  try {
    egress.check(hostname.replace(/^\[|\]$/g, ''));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'may not be called';
  }
}

function refusing(lookup: LookupFunction, judge: Judge): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null && error !== undefined) {
        callback(error, []);
        return;
      }
      const addresses = typeof found === 'string' ? [] : found;
      const usable = addresses.filter(({ address }) => judge(address) === null);
      const [first] = usable;
      if (first === undefined) {
        const [refused] = addresses;
        const why = refused === undefined ? 'nothing' : `${refused.address}, ${judge(refused.address) ?? ''}`;
        callback(new PolicyError(`${hostname} resolves to ${why}`), []);
      } else if (options.all === true) {
        callback(null, usable);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}

/** A request that is not permitted; `wasSent` if the agent may have processed it before it redirected. */
export class PolicyError extends Error {
  override name = 'PolicyError';
  readonly wasSent: boolean;
  constructor(message: string, wasSent = false) {
    super(message);
    this.wasSent = wasSent;
  }
}
