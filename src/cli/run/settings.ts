import { formatProblems, loadConfig, type ConfigProblem } from '../../config/config.ts';
import type { ConfigHashes } from '../../config/config-hashes.ts';
import type { Config } from '../../contract/configuration/config.ts';
import { formatEnvironmentProblems, readEnvironment, type Environment } from '../../host/process/environment.ts';
import { createCodecKeys, type CodecKeys } from '../../host/secrets/codec-keys.ts';
import { isPortFree } from '../../host/net/free-port.ts';
import type { Logger } from '../../host/process/log.ts';
import type { QuestionEvent } from '../../store/ports/upkeep.ts';
import type { Store } from '../../store/store.ts';
import { registerCodecKey } from './codec-key.ts';
import { StartError } from './startup-output.ts';

export interface Settings {
  config: Config;
  configFile: string | null;
  /** Configuration warnings, as lines to print. */
  warnings: string[];
  shortKeys: ConfigProblem[];
  inClear: ConfigProblem[];
  hashes: ConfigHashes;
  environment: Environment;
  /** What holds if no file is named and none exists; missing: the defaults. */
  otherwise?: string | undefined;
}

/** Reads environment and configuration; throws StartError with all problems and their positions. */
export function readSettings(options: {
  config?: string | undefined;
  withoutSecrets?: boolean;
  otherwise?: string | undefined;
}): Settings {
  const read = readEnvironment(process.env);
  if (!read.ok) throw new StartError(formatEnvironmentProblems(read.problems));
  const { environment } = read;
  const path = options.config ?? environment.configPath;
  const isWithoutSecrets = options.withoutSecrets === true;
  const { otherwise } = options;
  const named = path === undefined ? { otherwise } : { path };
  const loaded = loadConfig({ ...named, env: process.env, isWithoutSecrets });
  if (!loaded.ok) throw new StartError(formatProblems(loaded.problems));
  const warnings = loaded.warnings.map((warning) => `warning: ${formatProblems([warning])}`);
  const { config, file: configFile, shortKeys, inClear, hashes } = loaded;
  return { config, configFile, warnings, shortKeys, inClear, hashes, environment, otherwise };
}

/** Keys that encrypt Temporal payloads and sealed columns; null when none is set. */
export function codecOf({ codecKey, oldCodecKeys }: Environment): CodecKeys | null {
  if (codecKey !== undefined) return createCodecKeys(codecKey, oldCodecKeys);
  if (oldCodecKeys.length === 0) return null;
  throw new StartError('STANDFAST_CODEC_KEY_OLD is given without STANDFAST_CODEC_KEY: old keys only read');
}

/** Opens the configured database; throws StartError when a key that encrypts it is missing. Imported lazily, since not every command needs it. */
export async function openDatabase(
  environment: Environment,
  location: { dataDir: string } | { databaseUrl: string },
  log: Logger,
  { onEvent, now }: { onEvent?: (event: QuestionEvent) => void; now?: () => Date } = {},
): Promise<Store> {
  const { openStore } = await import('../../store/open-store.ts');
  const codec = codecOf(environment);
  const keys = codec && { ...codec, readsClear: environment.readsClear };
  const store = await openStore({
    ...location,
    keys,
    ...(onEvent && { onEvent }),
    ...(now && { now }),
    log: (level, message, details) => log[level](details ?? {}, message),
  });
  try {
    await registerCodecKey(keys, store);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** On standard error, because standard output may be JSON. */
export function printWarnings({ warnings }: Pick<Settings, 'warnings'>): void {
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
}

const loopback = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/;

/** Without keys everyone who can connect has full access, so only loopback is allowed. */
export function refusePublicBind(host: string, config: Config): void {
  if (loopback.test(host) || config.auth.keys.length > 0 || config.auth.oidc !== undefined) return;
  throw new StartError(
    `refusing to listen on ${host} without API keys: everybody who can connect would own everything.\n` +
      'Either listen on 127.0.0.1, or add keys to the configuration:\n' +
      'auth:\n  keys:\n    - { user: anna, roles: [finance], key: "${ANNA_KEY}" }',
  );
}

/** Short keys are accepted on loopback only, since elsewhere they could be guessed. */
export function refuseShortKeys({ shortKeys }: Pick<Settings, 'shortKeys'>): void {
  if (shortKeys.length === 0) return;
  throw new StartError(
    `refusing keys that can be guessed:\n${formatProblems(shortKeys)}\nMake one that cannot: standfast key new`,
  );
}

/** Checked before anything starts; a port taken in between is reported on listen. */
export async function refuseTakenPort(host: string, port: number): Promise<void> {
  if (port !== 0 && !(await isPortFree(port, host))) throw takenPort(host, port);
}

export function takenPort(host: string, port: number): StartError {
  return new StartError(`port ${port} on ${host} is taken: stop what listens there, or give --port`);
}
