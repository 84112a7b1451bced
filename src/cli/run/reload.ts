// Users and keys are taken over while we run: on SIGHUP, and when the configuration file changes. Everything else is built
// into what was started, and needs a restart.
import { unwatchFile, watchFile } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { formatProblems, loadConfig, type LoadedConfig } from '../../config/config.ts';
import { crossFaults } from '../../config/config-checks.ts';
import { pathText } from '../../config/config-source.ts';
import type { Config } from '../../contract/configuration/config.ts';
import { onHangup } from '../../host/process/shutdown.ts';
import type { Logger } from '../../host/process/log.ts';
import { refuseShortKeys, type Settings } from './settings.ts';
import { StartError } from './startup-output.ts';

/** Polled by its path: editors and mounted volumes put another file in its place, which no file watcher notices. */
const pollMs = 1_000;

interface ReloadDeps {
  /** What is running: its users and keys are replaced. */
  running: Config;
  /** The configuration as it was read at the start. */
  settings: Pick<Settings, 'config' | 'configFile'>;
  load: () => LoadedConfig;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Throws StartError for keys that can be guessed, where others could try. */
  refuseKeys: (loaded: { shortKeys: Settings['shortKeys'] }) => void;
  now: () => Date;
}

/** Sections as far down as people name them: `server.port`, `policies.finance`, `agentOutage`. */
function changedPaths(before: Config, after: Config): string[] {
  const names = Object.keys({ ...before, ...after }) as (keyof Config)[];
  return names.flatMap((name) => {
    const [one, other]: unknown[] = [before[name], after[name]];
    if (isDeepStrictEqual(one, other)) return [];
    if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return [name];
    const fields = new Map<string, unknown>(Object.entries(other));
    const keys = new Set([...Object.keys(one), ...fields.keys()]);
    const old = new Map<string, unknown>(Object.entries(one));
    return [...keys].filter((key) => !isDeepStrictEqual(old.get(key), fields.get(key))).map((key) => `${name}.${key}`);
  });
}

const isOpenToAll = ({ auth }: Config): boolean => auth.keys.length === 0 && auth.oidc === undefined;

/** Reads the configuration again when it is called, and takes its users and keys over; true where it did. */
function createReload({ running, settings, load, log, refuseKeys, now }: ReloadDeps): () => boolean {
  // What runs may have been completed since; only what people wrote is compared. Copied as deep as it is replaced.
  let current: Config = { ...settings.config, auth: { ...settings.config.auth } };

  /** Faults of the new users and keys with all the rest that goes on as it is. */
  function faultsWith(next: Config): string[] {
    const textOf = (config: Config): string[] =>
      crossFaults(config, now().getTime()).map(({ path, message }) => `${pathText(path)}: ${message}`);
    const before = new Set(textOf(current));
    return textOf(next).filter((fault) => !before.has(fault));
  }

  function refuse(why: string): false {
    log.error(`the configuration was read again and is not taken over; what was known stays: ${why}`);
    return false;
  }

  return () => {
    const loaded = load();
    if (!loaded.ok) return refuse(formatProblems(loaded.problems));
    try {
      refuseKeys(loaded);
    } catch (error) {
      if (error instanceof StartError) return refuse(error.message);
      throw error;
    }
    const { config, warnings, file } = loaded;
    const { users } = config;
    const { keys } = config.auth;
    const next = { ...current, users, auth: { ...current.auth, keys } };
    const others = changedPaths(next, config);
    if (others.length > 0) log.warn(`${file ?? 'the configuration'}: changes of ${others.join(', ')} need a restart`);
    // A file that is being written may be empty for a moment: nobody may come to own everything by that.
    if (isOpenToAll(next) !== isOpenToAll(current))
      return refuse('the first key of all, and the end of the last, need a restart');
    const faults = faultsWith(next);
    if (faults.length > 0)
      return refuse(`it goes together only with changes that need a restart: ${faults.join('; ')}`);
    if (isDeepStrictEqual(next, current)) return false;
    for (const warning of warnings) log.warn(formatProblems([warning]));
    running.users = users;
    running.auth.keys = keys;
    current = next;
    log.info(
      `${file ?? 'the configuration'}: users and keys are taken over (${Object.keys(users).length} users, ${keys.length} keys)`,
    );
    return true;
  };
}

interface ReloadTriggers {
  onSignal: (handler: () => void) => () => void;
  onFileChange: (file: string, handler: () => void) => () => void;
}

const triggersOfProcess: ReloadTriggers = {
  onSignal: onHangup,
  onFileChange(file, handler) {
    watchFile(file, { interval: pollMs, persistent: false }, handler);
    // What changed between our reading and its first poll, it takes for how the file always was.
    const once = setTimeout(handler, pollMs).unref();
    return () => {
      clearTimeout(once);
      unwatchFile(file, handler);
    };
  },
};

/** From now on; returns what ends it. Keys may be short on a machine of one's own alone. */
export function startReloading(
  { settings, running, log, mayBeShort }: Pick<ReloadDeps, 'settings' | 'running' | 'log'> & { mayBeShort: boolean },
  triggers: Partial<ReloadTriggers> = {},
): () => void {
  const { onSignal, onFileChange } = { ...triggersOfProcess, ...triggers };
  const { configFile } = settings;
  const reload = createReload({
    running,
    settings,
    log,
    load: () => loadConfig({ ...(configFile === null ? {} : { path: configFile }), env: process.env }),
    refuseKeys: mayBeShort ? () => undefined : refuseShortKeys,
    now: () => new Date(),
  });
  const ends = [
    onSignal(() => void reload()),
    ...(configFile === null ? [] : [onFileChange(configFile, () => void reload())]),
  ];
  return () => {
    for (const end of ends) end();
  };
}
