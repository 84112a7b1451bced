import { readSettings } from './settings.ts';

/** Validates configuration and environment; throws with every problem, so that the program ends with 1. */
export function check(options: { config?: string }): void {
  const { config, configFile } = readSettings(options);
  const agents = Object.keys(config.agents).length;
  const policies = Object.keys(config.policies).length;
  process.stdout.write(
    `${configFile ?? 'no configuration file, defaults'}: valid (${agents} agents, ${policies} policies)\n`,
  );
}
