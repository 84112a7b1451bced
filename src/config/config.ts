import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigSchema, type Config } from '../contract/configuration/config.ts';
import { crossFaults } from './config-checks.ts';
import type { CrossFault } from './config-fault.ts';
import { hashesOf, noHashes, type ConfigHashes } from './config-hashes.ts';
import { parseConfigSource, pathText, type ConfigSource, type SourceProblem } from './config-source.ts';
import { clearSecrets } from './clear-secrets.ts';
import { unsetFaults, unsetWarnings, withNumbers } from './config-variables.ts';
import { crossWarnings } from './config-warnings.ts';
import { readablePart } from './readable-part.ts';
import { issueProblems, valueAt } from './config-issues.ts';
import { errnoCode, errorText } from '../host/process/errno.ts';

/** A fault of the configuration; line and column are 1-based, `path` is empty for the file as a whole. */
export interface ConfigProblem {
  file: string;
  line: number;
  column: number;
  path: string;
  message: string;
}

/**
 * `file` is null when the defaults apply; `warnings` are valid but probably unintended settings; short keys are refused
 * unless only this machine's user can reach the server; `inClear` are secrets that the file itself has.
 */
export type LoadedConfig =
  | {
      ok: true;
      config: Config;
      file: string | null;
      warnings: ConfigProblem[];
      shortKeys: ConfigProblem[];
      inClear: ConfigProblem[];
      hashes: ConfigHashes;
    }
  | { ok: false; problems: ConfigProblem[] };

const defaultConfigFile = 'standfast.yaml';

interface LoadConfigOptions {
  /** The file of `--config` or STANDFAST_CONFIG, which must exist. */
  path?: string | undefined;
  /** The text itself, in place of a file. */
  text?: string;
  /** What holds in place of the defaults if no file is named and none exists. */
  otherwise?: string | undefined;
  env: NodeJS.ProcessEnv;
  /** Start of calendar checks; now by default. */
  now?: Date;
  /** Variables may be unset: everything else is judged, and a warning says of what nothing was. */
  isWithoutSecrets?: boolean;
}

interface Found {
  file: string;
  text: string;
}

function readConfigFile(named: string | undefined): Found | { file: null } | { problem: ConfigProblem } {
  const file = named ?? defaultConfigFile;
  try {
    return { file, text: readFileSync(file, 'utf8') };
  } catch (error) {
    const code = errnoCode(error);
    if (code === 'ENOENT' && named === undefined) return { file: null };
    const known: Record<string, string> = {
      ENOENT: 'there is no such file',
      EISDIR: 'this is a directory, expected a file',
    };
    const what = known[code ?? ''] ?? errorText(error);
    return { problem: { file, line: 1, column: 1, path: '', message: what } };
  }
}

const byLocation = (a: SourceProblem, b: SourceProblem): number => a.line - b.line || a.column - b.column;

interface Checked {
  config: Config;
  warnings: SourceProblem[];
  shortKeys: SourceProblem[];
  inClear: SourceProblem[];
}

/** All faults of a file in line order; warnings only when there are none. */
function check(
  source: ConfigSource,
  { nowMs, isWithoutSecrets }: { nowMs: number; isWithoutSecrets: boolean },
): Checked | { problems: SourceProblem[] } {
  if (!source.isYaml) return { problems: source.problems };
  const located = ({ path, message }: CrossFault): SourceProblem => {
    const name = path.at(-1);
    const value = valueAt(source.data, path);
    // A mapping starts on the line after its name.
    const isNamed = typeof name === 'string' && typeof value === 'object' && value !== null;
    const location = isNamed ? source.locationOfKey(path.slice(0, -1), name) : source.locationOf(path);
    return { ...location, path: pathText(path), message };
  };
  const unset = isWithoutSecrets ? unsetWarnings(source) : { warnings: [], problems: unsetFaults(source) };
  const parsed = ConfigSchema.safeParse(withNumbers(source));
  const faults = parsed.success
    ? crossFaults(parsed.data, nowMs).map(located)
    : [
        ...parsed.error.issues.flatMap((issue) => issueProblems(issue, source)),
        ...partFaults(source.data, nowMs).map(located),
      ];
  const own = [...source.problems, ...unset.problems];
  // A value with a missing variable has one fault or warning, not two.
  const without = new Set([...own, ...unset.warnings].map(({ path }) => path));
  const isJudged = ({ path }: SourceProblem): boolean => !without.has(path);
  const problems = [...own, ...faults.filter(isJudged)];
  if (!parsed.success || problems.length > 0) return { problems: problems.toSorted(byLocation) };
  const warnings = [...emptyFile(source), ...crossWarnings(parsed.data, nowMs).map(located).filter(isJudged)];
  return {
    config: withHashedKeys(parsed.data),
    warnings: [...unset.warnings, ...warnings].toSorted(byLocation),
    shortKeys: shortKeyFaults(parsed.data).map(located),
    inClear: clearSecrets(source).map(located),
  };
}

/** The faults across keys that are there whatever the schema's faults turn out to mean. */
function partFaults(data: unknown, nowMs: number): CrossFault[] {
  const part = readablePart(data);
  return part === null ? [] : crossFaults(part.config, nowMs).flatMap(part.faultsOf);
}

const emptyFile = ({ data }: ConfigSource): SourceProblem[] =>
  data === null ? [{ line: 1, column: 1, path: '', message: 'the file is empty: the defaults apply' }] : [];

const shortestKey = 32;

function shortKeyFaults({ auth }: Config): CrossFault[] {
  return auth.keys.flatMap(({ key, user }, index) => {
    if (key === undefined || key.length >= shortestKey) return [];
    const message = `the key of ${user} has fewer than ${shortestKey} characters`;
    return [{ path: ['auth', 'keys', index, 'key'], message }];
  });
}

/** Comparing needs only the hash, so that printing a running configuration reveals no key. */
function withHashedKeys(config: Config): Config {
  const keys = config.auth.keys.map(({ key, ...entry }) =>
    key === undefined ? entry : { ...entry, keySha256: createHash('sha256').update(key).digest('hex') },
  );
  return { ...config, auth: { ...config.auth, keys } };
}

/**
 * Reads and validates the configuration: YAML, `${NAME}` from the environment, the schema, and rules across keys. The
 * defaults apply when no file is named and none exists.
 */
export function loadConfig({
  path,
  text,
  otherwise,
  env,
  now = new Date(),
  isWithoutSecrets = false,
}: LoadConfigOptions): LoadedConfig {
  const named = path ?? (env['STANDFAST_CONFIG'] || undefined);
  const found = text === undefined ? readConfigFile(named) : { file: path ?? defaultConfigFile, text };
  if ('problem' in found) return { ok: false, problems: [found.problem] };
  if (found.file === null && otherwise !== undefined) {
    const loaded = loadConfig({ text: otherwise, env, now });
    return loaded.ok ? { ...loaded, file: null } : loaded;
  }
  if (found.file === null)
    return {
      ok: true,
      config: ConfigSchema.parse({}),
      file: null,
      warnings: [],
      shortKeys: [],
      inClear: [],
      hashes: noHashes,
    };
  const { file } = found;
  const inFile = (problem: SourceProblem): ConfigProblem => ({ file, ...problem });
  const checked = check(parseConfigSource(found.text, env), { nowMs: now.getTime(), isWithoutSecrets });
  if ('config' in checked) {
    const { config, warnings, shortKeys, inClear } = checked;
    return {
      ok: true,
      config,
      file,
      warnings: warnings.map(inFile),
      shortKeys: shortKeys.map(inFile),
      inClear: inClear.map(inFile),
      hashes: hashesOf(found.text),
    };
  }
  return { ok: false, problems: checked.problems.map(inFile) };
}

/**
 * One line per problem, in the form that editors and terminals make clickable: `standfast.yaml:7:12 policies.finance:
 * …`.
 */
export function formatProblems(problems: readonly ConfigProblem[]): string {
  return problems
    .map(
      ({ file, line, column, path, message }) =>
        `${file}:${line}:${column} ${path === '' ? '' : `${path}: `}${message}`,
    )
    .join('\n');
}
