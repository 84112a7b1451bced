// Reloads users, keys, policies, agents and channels on SIGHUP and when the configuration file changes; everything else needs
// a restart.
import { unwatchFile, watchFile } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { formatProblems, loadConfig, type LoadedConfig } from '../../config/config.ts';
import type { ConfigHashes } from '../../config/config-hashes.ts';
import { crossFaults } from '../../config/config-checks.ts';
import { pathText } from '../../config/config-source.ts';
import type { Config } from '../../contract/configuration/config.ts';
import { offersDecideLinks } from '../../core/questions/link-page.ts';
import { onHangup } from '../../host/process/shutdown.ts';
import type { Logger } from '../../host/process/log.ts';
import { refuseShortKeys, type Settings } from './settings.ts';
import type { Store } from '../../store/store.ts';
import { StartError } from './startup-output.ts';
import { ownEntry } from '../../core/base/own-entry.ts';

/** Polls the path: editors and mounted volumes replace the file, which file watchers miss. */
const pollMs = 1_000;

interface ReloadDeps {
  /** The live configuration, of which reloaded sections are replaced. */
  running: Config;
  /** The configuration as read at the start. */
  settings: Pick<Settings, 'config' | 'configFile' | 'otherwise'>;
  load: () => LoadedConfig;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Throws StartError for guessable keys on a server that others can reach. */
  refuseKeys: (loaded: { shortKeys: Settings['shortKeys'] }) => void;
  now: () => Date;
  /** Called with the hashes of what was taken over. */
  onTaken: (hashes: ConfigHashes) => void;
}

/** Changed sections by the path that people use: `server.port`, `policies.finance`, `agentOutage`. */
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

/** A changed section with the very objects of before where nothing has changed: what is kept by them stays. */
function merged<T>(before: Record<string, T>, after: Record<string, T>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => {
      const old = ownEntry(before, name);
      return [name, old !== undefined && isDeepStrictEqual(old, value) ? old : value];
    }),
  );
}

type Channels = Config['notifications']['channels'];

/** Connections and callbacks of surfaces are made at the start: these stay as they were. */
const surfaces: readonly Channels[string]['type'][] = ['slack-app', 'teams-bot', 'push'];

function channelsOf(before: Channels, after: Channels): Channels {
  const isApp = (channel: Channels[string] | undefined): boolean =>
    channel !== undefined && surfaces.includes(channel.type);
  const others = Object.entries(after).filter(([name, channel]) => !isApp(channel) && !isApp(before[name]));
  const apps = Object.entries(before).filter(([, channel]) => isApp(channel));
  return merged(before, Object.fromEntries([...others, ...apps]));
}

/** The running configuration with what can be reloaded from the one that was read. */
function reloaded(running: Config, read: Config): Config {
  return {
    ...running,
    users: read.users,
    agents: merged(running.agents, read.agents),
    gates: merged(running.gates, read.gates),
    policies: merged(running.policies, read.policies),
    ask: read.ask,
    notifications: {
      ...read.notifications,
      channels: channelsOf(running.notifications.channels, read.notifications.channels),
    },
    auth: { ...running.auth, keys: read.auth.keys },
  };
}

/** `3 agents (+1 -1 ~1)` with what came, went and changed; null where nothing did. */
function changeText(name: string, before: object, after: object): string | null {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const counts = {
    '+': [...now.keys()].filter((key) => !old.has(key)),
    '-': [...old.keys()].filter((key) => !now.has(key)),
    '~': [...now].filter(([key, value]) => old.has(key) && !isDeepStrictEqual(old.get(key), value)).map(([key]) => key),
  };
  const changes = Object.entries(counts).flatMap(([sign, keys]) => keys.map((key) => `${sign}${key}`));
  return changes.length === 0 ? null : `${name} ${changes.join(' ')}`;
}

function changesText(before: Config, after: Config): string {
  const parts = [
    isDeepStrictEqual(before.auth.keys, after.auth.keys) && isDeepStrictEqual(before.users, after.users)
      ? null
      : `${Object.keys(after.users).length} users and ${after.auth.keys.length} keys`,
    changeText('agents', before.agents, after.agents),
    changeText('gates', before.gates, after.gates),
    changeText('policies', before.policies, after.policies),
    changeText('channels', before.notifications.channels, after.notifications.channels),
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'settings' : parts.join(', ');
}

const givesReceipts = ({ policies }: Config): boolean =>
  Object.values(policies).some(({ receipt }) => receipt !== false);

const isOpenToAll = ({ auth }: Config): boolean => auth.keys.length === 0 && auth.oidc === undefined;

/** Returns a function that reads the configuration again and applies what can be reloaded; true when it did. */
function createReload({ running, settings, load, log, refuseKeys, now, onTaken }: ReloadDeps): () => boolean {
  // `running` may have been completed since, so only the written configuration is compared; copied as deep as it is
  // replaced.
  let current: Config = { ...settings.config, auth: { ...settings.config.auth } };

  /** Faults of what is reloaded combined with the running rest. */
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
    const next = reloaded(current, config);
    const others = changedPaths(next, config);
    if (others.length > 0) log.warn(`${file ?? 'the configuration'}: changes of ${others.join(', ')} need a restart`);
    // A file that is being written may be empty for a moment, which must not give everyone full access.
    if (isOpenToAll(next) !== isOpenToAll(current))
      return refuse('the first key of all, and the end of the last, need a restart');
    // Their keys are made at the start.
    if (offersDecideLinks(next) && !offersDecideLinks(settings.config))
      return refuse('the first channel with decideLinks needs a restart');
    if (givesReceipts(next) && !givesReceipts(settings.config))
      return refuse('the first policy with a receipt needs a restart');
    const faults = faultsWith(next);
    if (faults.length > 0)
      return refuse(`it goes together only with changes that need a restart: ${faults.join('; ')}`);
    if (isDeepStrictEqual(next, current)) return false;
    for (const warning of warnings) log.warn(formatProblems([warning]));
    const { users, agents, gates, policies, ask, notifications, auth } = next;
    Object.assign(running, { users, agents, gates, policies, ask, notifications });
    running.auth.keys = auth.keys;
    log.info(`${file ?? 'the configuration'}: taken over: ${changesText(current, next)}`);
    current = next;
    onTaken(loaded.hashes);
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
    // `watchFile` takes a change between our reading and its first poll for the initial state.
    const once = setTimeout(handler, pollMs).unref();
    return () => {
      clearTimeout(once);
      unwatchFile(file, handler);
    };
  },
};

interface ConfiguredDeps {
  store: Pick<Store, 'evidence'>;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** Best effort: a process that can do its work is not stopped by a record, and the log has the same. */
export async function recordConfigured(
  { store, log }: ConfiguredDeps,
  at: 'start' | 'reload',
  hashes: ConfigHashes,
): Promise<void> {
  try {
    const isNew = await store.evidence.configured({ at, ...hashes });
    if (isNew) log.info({ at, ...hashes }, 'another configuration is in force, and the evidence has its hashes');
  } catch (err) {
    log.warn({ err, at, ...hashes }, 'the evidence has no record of this configuration');
  }
}

/** Starts watching and returns a function that stops it; short keys are allowed on a loopback server only. */
export function startReloading(
  {
    settings,
    deps,
    mayBeShort,
    complete = () => undefined,
  }: Pick<ReloadDeps, 'settings'> & {
    deps: ConfiguredDeps & Pick<ReloadDeps, 'log'> & { config: Config };
    mayBeShort: boolean;
    /** Adds what the program itself added to the configuration at its start: it is not in the file. */
    complete?: ((read: Config) => void) | undefined;
  },
  triggers: Partial<ReloadTriggers> = {},
): () => void {
  const { onSignal, onFileChange } = { ...triggersOfProcess, ...triggers };
  const { configFile, otherwise } = settings;
  const reload = createReload({
    running: deps.config,
    settings,
    log: deps.log,
    load() {
      const loaded = loadConfig({ ...(configFile === null ? { otherwise } : { path: configFile }), env: process.env });
      if (loaded.ok) complete(loaded.config);
      return loaded;
    },
    refuseKeys: mayBeShort ? () => undefined : refuseShortKeys,
    now: () => new Date(),
    onTaken: (hashes) => void recordConfigured(deps, 'reload', hashes),
  });
  const ends = [
    onSignal(() => void reload()),
    ...(configFile === null ? [] : [onFileChange(configFile, () => void reload())]),
  ];
  return () => {
    for (const end of ends) end();
  };
}
