// Secrets that the file itself has, where it could name a variable or a hash.
import { pathText, type ConfigSource, type Path } from './config-source.ts';
import type { CrossFault } from './config-fault.ts';

const secretPaths = [
  /^auth\.keys\[\d+\]\.key$/,
  /^codec\.key$/,
  /^(auth|agents|notifications|evidence)\..*\.(clientSecret|botToken|signingSecret|appToken|appPassword|privateKey|secret)$/,
  /^(agents|gates)\.[^.]+\.(headers|env)\.(authorization|cookie|.*(key|token|secret|password).*)$/i,
];
/** Addresses with a password, or that are one: of Slack's and Teams' incoming webhooks. */
const secretAddress = /:\/\/[^/\s:@]*:[^/\s@]+@|:\/\/hooks\.slack\.com\/|[?&]sig=/;

export function clearSecrets(source: ConfigSource): CrossFault[] {
  const faults: CrossFault[] = [];
  const search = (value: unknown, path: Path): void => {
    if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) search(one, [...path, Array.isArray(value) ? Number(key) : key]);
    if (typeof value !== 'string' || source.isSubstituted(path)) return;
    const text = pathText(path);
    if (!secretPaths.some((one) => one.test(text)) && !secretAddress.test(value)) return;
    const orHash = text.startsWith('auth.keys') ? ', or its hash as keySha256 (standfast key new)' : '';
    faults.push({ path, message: `this secret is written in clear: expected \${NAME}${orHash}` });
  };
  search(source.data, []);
  return faults;
}
