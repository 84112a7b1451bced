import { linksFor } from '../run/link-key.ts';
import { readSettings, printWarnings } from '../run/settings.ts';

/** Validates configuration and environment; throws with every problem, so that the program ends with 1. Warnings are only said. */
export function check(options: { config?: string }): void {
  const settings = readSettings(options);
  const { config, configFile, environment } = settings;
  linksFor(config, environment.sealKey);
  printWarnings(settings);
  const agents = Object.keys(config.agents).length;
  const policies = Object.keys(config.policies).length;
  const counts = `${agents} ${agents === 1 ? 'agent' : 'agents'}, ${policies} ${policies === 1 ? 'policy' : 'policies'}`;
  process.stdout.write(`${configFile ?? 'no configuration file, defaults'}: valid (${counts})\n`);
}
