// `standfast doctor`: checks Standfast's dependencies and says how to fix each fault.
import { Connection } from '@temporalio/client';
import type { Environment } from '../../host/process/environment.ts';
import type { CodecKeys } from '../../host/secrets/codec-keys.ts';
import { readBuilds, type Builds } from '../../host/temporal/builds.ts';
import { formatProblems } from '../../config/config.ts';
import { nexusQueue, taskWorkflowType as workflowType } from '../../workflows/messages.ts';
import { wordsOfFullSlots, wordsOfSlots } from '../../core/turn/slot-words.ts';
import { sumOf } from '../../core/turn/slots.ts';
import { createEgress } from '../../host/net/egress.ts';
import { searchAttributes } from '../../host/temporal/search-attributes.ts';
import { resolveTemporal } from '../../host/temporal/temporal-cli.ts';
import { errorText } from '../../host/process/errno.ts';
import { startFailure } from '../../host/temporal/start-failure.ts';
import { runningTarget } from '../../host/temporal/temporal-server.ts';
import { listAttributes } from '../../host/temporal/temporal-setup.ts';
import { temporalTarget, type TemporalTarget } from '../../host/temporal/temporal-connection.ts';
import { inspectPostgres, type InspectedDatabase } from '../../store/database/inspect.ts';
import { readNexus, type NexusPlaces } from '../../host/temporal/nexus-endpoint.ts';
import { aheadBy, fitsMs, readTemporalClock, type ClockReading } from '../../host/temporal/temporal-clock.ts';
import { checkAgent } from './doctor-agent.ts';
import { nexusFaults, nexusWords, type NexusWanted } from './doctor-nexus.ts';
import { formatSpan } from '../operate/format-time.ts';
import {
  codecOf,
  printWarnings,
  readSettings,
  refusePublicBind,
  refuseShortKeys,
  type Settings,
} from '../run/settings.ts';
import { demoAddress } from '../run/demo-agent.ts';
import { linksFor, signerFor } from '../run/seal-key.ts';
import { StartError } from '../run/startup-output.ts';

export interface Finding {
  what: string;
  isOk: boolean;
  text: string;
}

/** `up`: on one machine, by keys of its own making. */
type Purpose = 'up' | 'production';

export async function doctor(options: {
  config?: string;
  dataDir: string;
  json: boolean;
  for?: Purpose;
}): Promise<void> {
  const settings = readSettings(options);
  const { config, environment } = settings;
  const purpose = options.for ?? 'up';
  const fitness = configured(settings, purpose);
  const findings: Finding[] = [nodeVersion(), fitness];
  const clocks: ClockReading[] = [];
  const running = await runningTarget(options.dataDir);
  const target = temporalTarget(environment.temporal) ?? running;
  findings.push(
    ...(target === null ? [await temporalProgram()] : await temporalServer(target, clocks, config.ask.nexus)),
  );
  // Keys that only read are a fault that is named already.
  const codec = fitness.isOk ? codecOf(environment) : null;
  findings.push(...(await database(environment, { codec, isUp: running !== null, clocks, purpose })));
  if (clocks.length > 0) findings.push({ what: 'clocks', ...clocksFound(clocks) });
  const egress = createEgress(config.egress);
  for (const [name, agent] of Object.entries(config.agents)) {
    const finding = await attempt(`agent ${name}`, null, () => checkAgent(name, agent, egress));
    const isStarted = purpose !== 'production' && running === null && agent.url === demoAddress(config);
    findings.push(!finding.isOk && isStarted ? { ...finding, isOk: true, text: demoText(agent.url) } : finding);
  }
  const lines = findings.map(({ what, isOk, text }) => `${isOk ? 'ok  ' : 'FAIL'} ${what}: ${text}`).join('\n');
  process.stdout.write(`${options.json ? JSON.stringify(findings, null, 2) : lines}\n`);
  if (findings.some(({ isOk }) => !isOk)) process.exitCode = 1;
}

const demoText = (url: string): string =>
  `nothing serves a card at ${url} yet; standfast up starts the demo agent there`;

/** With which valid settings a start is still refused; `upMay`: only by api and worker, since `up` does what this says. */
const refusals: readonly { refuse: (settings: Settings) => unknown; upMay?: string }[] = [
  { refuse: ({ config, environment }) => linksFor(config, environment.sealKey), upMay: 'makes its own' },
  { refuse: ({ config, environment }) => signerFor(config, environment.sealKey), upMay: 'makes its own' },
  { refuse: ({ environment }) => codecOf(environment) },
  { refuse: ({ config }) => refusePublicBind(config.server.host, config) },
];

/** What is refused, in words, and what only api and worker would refuse. */
function unfitFor(settings: Settings, purpose: Purpose): { faults: string[]; warnings: string[] } {
  const faults: string[] = [];
  const warnings: string[] = [];
  const all = purpose === 'production' ? [...refusals, { refuse: refuseShortKeys }] : refusals;
  for (const { refuse, upMay } of all)
    try {
      refuse(settings);
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      if (upMay === undefined || purpose === 'production') faults.push(error.message);
      else warnings.push(`warning: ${error.message}; api and worker refuse to start without, standfast up ${upMay}`);
    }
  return { faults, warnings: [...shortKeyWarnings(settings, purpose), ...warnings] };
}

/** `up` takes them on loopback. */
const shortKeyWarnings = ({ shortKeys }: Settings, purpose: Purpose): string[] =>
  purpose === 'production'
    ? []
    : shortKeys.map((fault) => `warning: ${formatProblems([fault])}: api and worker refuse to start with it`);

/** What `check` refuses is not called fit here. */
export function configured(settings: Settings, purpose: Purpose): Finding {
  const { faults, warnings } = unfitFor(settings, purpose);
  const text = faults.length === 0 ? [settings.configFile ?? 'defaults', ...warnings] : faults;
  return { what: 'configuration', isOk: faults.length === 0, text: text.join('; ') };
}

function nodeVersion(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isOk = (major === 20 && minor >= 20) || (major === 22 && minor >= 18) || major > 22;
  return {
    what: 'node',
    isOk,
    text: `${process.version}${isOk ? '' : ': install 20.20 or newer, or 22.18 or newer'}`,
  };
}

/** `help` is null where the failure itself says what to do. */
async function attempt(what: string, help: string | null, work: () => Promise<string>): Promise<Finding> {
  try {
    return { what, isOk: true, text: await work() };
  } catch (error) {
    const why = errorText(error);
    return { what, isOk: false, text: help === null ? why : `${why} — ${help}` };
  }
}

/** Calls to Temporal, whose failures name cause and cure. */
async function attemptAt(target: TemporalTarget, what: string, work: () => Promise<string>): Promise<Finding> {
  try {
    return { what, isOk: true, text: await work() };
  } catch (error) {
    return { what, isOk: false, text: errorText(await startFailure(error, target)) };
  }
}

function temporalProgram(): Promise<Finding> {
  return attempt('temporal', 'set TEMPORAL_ADDRESS or TEMPORAL_CLI', async () => {
    const source = await resolveTemporal({
      env: process.env,
      onProgress: (message) => process.stderr.write(`${message}\n`),
    });
    return source.use === 'cli' ? `${source.path} (from ${source.from}); standfast up starts it` : source.address;
  });
}

async function temporalServer(
  target: TemporalTarget,
  clocks: ClockReading[],
  callers: object | undefined,
): Promise<Finding[]> {
  const connection = Connection.lazy({ ...target.connection, connectTimeout: 4000 });
  const bounded = <T>(work: () => Promise<T>): Promise<T> => connection.withDeadline(Date.now() + 5000, work);
  try {
    const { namespace } = target;
    const server = await attemptAt(target, 'temporal', async () => {
      const info = await bounded(() => connection.workflowService.getSystemInfo({}));
      await bounded(() => connection.workflowService.describeNamespace({ namespace }));
      return `${target.address}, server ${info.serverVersion ?? 'of unknown version'}, namespace ${namespace}`;
    });
    if (!server.isOk) return [server];
    // A key that may not poll reads no clock.
    await bounded(() => readTemporalClock(connection, namespace)).then(
      (reading) => clocks.push(reading),
      () => undefined,
    );
    return [
      server,
      await attemptAt(target, 'search attributes', async () => {
        const listed = await bounded(() => listAttributes(connection, namespace));
        const missing = Object.keys(searchAttributes).filter((name) => !listed.has(name));
        if (missing.length > 0)
          throw new Error(`missing ${missing.join(', ')} — start a worker once: it registers them where it may`);
        return 'all registered';
      }),
      ...(await builds(target, () => bounded(() => readBuilds(connection, { namespace, workflowType })))),
      ...(callers === undefined
        ? []
        : await nexus({ namespace, taskQueue: nexusQueue, callers: Object.keys(callers) }, (wanted) =>
            bounded(() => readNexus(connection, wanted)),
          )),
    ];
  } finally {
    await connection.close();
  }
}

/** Nothing where no worker has ever named its build. */
async function builds(target: TemporalTarget, read: () => Promise<Builds | null>): Promise<Finding[]> {
  const found: { builds: Builds | null } = { builds: null };
  const finding = await attemptAt(target, 'builds', async () => {
    found.builds = await read();
    return found.builds === null ? '' : buildsText(found.builds);
  });
  return finding.isOk && found.builds === null ? [] : [finding];
}

/** One line for each fault. What these credentials may not list is no fault. */
async function nexus(wanted: NexusWanted, read: (wanted: NexusWanted) => Promise<NexusPlaces>): Promise<Finding[]> {
  const what = 'nexus';
  try {
    const seen = await read(wanted);
    const faults = nexusFaults(wanted, seen);
    if (faults.length === 0) return [{ what, isOk: true, text: nexusWords(wanted, seen) }];
    return faults.map((text) => ({ what, isOk: false, text }));
  } catch (error) {
    const text = `endpoints cannot be listed here (${errorText(error)}): look where they were made whether one leads to ${wanted.namespace}/${wanted.taskQueue}`;
    return [{ what, isOk: true, text }];
  }
}

function buildsText({ current, known, withoutBuild }: Builds): string {
  const open = (count: number): string => (count === 1 ? '1 open task' : `${count} open tasks`);
  const each = known.map(
    ({ id, open: count }) => `${id} ${id === current ? 'takes the work, ' : ''}has ${open(count)}`,
  );
  const others = withoutBuild === 0 ? [] : [`${open(withoutBuild)} of workers without a build`];
  const none = current === null ? ['workers without a build take the work'] : [];
  return [...none, ...each, ...others].join('; ');
}

async function database(
  { databaseUrl }: Environment,
  {
    codec,
    isUp,
    clocks,
    purpose,
  }: { codec: CodecKeys | null; isUp: boolean; clocks: ClockReading[]; purpose: Purpose },
): Promise<Finding[]> {
  if (databaseUrl === undefined)
    return [
      {
        what: 'database',
        isOk: true,
        text: `embedded (PGlite), ${isUp ? 'open in the `standfast up` that runs' : 'opened by `standfast up`'}`,
      },
    ];
  try {
    const inspected = await inspectPostgres(databaseUrl);
    clocks.push({ of: 'the database', ...inspected.clock });
    return [
      schemaFinding(inspected),
      ...encryption(inspected, codec),
      ...agentsAway(inspected),
      ...slotsFound(inspected),
      ...(purpose === 'production' ? workersFound(inspected) : []),
    ];
  } catch (error) {
    return [{ what: 'database', isOk: false, text: `${errorText(error)} — check DATABASE_URL` }];
  }
}

const schemaTexts = {
  current: 'PostgreSQL answers, tables are up to date',
  newer: 'PostgreSQL answers; a newer version has migrated its tables',
  other:
    'its tables were made by an unreleased version and cannot be upgraded — export with that version, start this one with an empty database',
};

function schemaFinding({ schema }: InspectedDatabase): Finding {
  if (schema.kind !== 'missing')
    return { what: 'database', isOk: schema.kind !== 'other', text: schemaTexts[schema.kind] };
  const migrations = schema.count === 1 ? '1 migration' : `${schema.count} migrations`;
  return {
    what: 'database',
    isOk: true,
    text: `PostgreSQL answers; ${migrations} to do, by the next api or worker that starts`,
  };
}

/** What waits for agents that do not take it. */
export const agentsAway = ({ away }: Pick<InspectedDatabase, 'away'>): Finding[] =>
  away.map(({ agent, tasks, since }) => ({
    what: `waiting for ${agent}`,
    isOk: false,
    text: `${tasks === 1 ? '1 task waits' : `${tasks} tasks wait`}, the longest since ${since} — what people answered is kept, and sent once the agent takes it`,
  }));

/** Roles apart: `up` has its worker with it. */
export const workersFound = ({ schema, slots }: Pick<InspectedDatabase, 'schema' | 'slots'>): Finding[] =>
  slots.total > 0 || schema.kind === 'missing'
    ? []
    : [
        {
          what: 'workers',
          isOk: false,
          text: 'none has written a heartbeat within 30 s, so runs and answers wait — start one: standfast worker',
        },
      ];

/** Circuits that are not closed, and slots of the workers that are alive. */
export function slotsFound({ circuits, slots }: Pick<InspectedDatabase, 'circuits' | 'slots'>): Finding[] {
  const away = circuits.map(({ agent, state, since, cause, waiting }) => ({
    what: `circuit of ${agent}`,
    isOk: state === 'closing',
    text: `${state} since ${since} (${cause}); ${waiting === 1 ? '1 message waits' : `${waiting} messages wait`} — they go once the agent takes one`,
  }));
  if (slots.total === 0) return away;
  const full = wordsOfFullSlots(slots, circuits);
  const agents = Object.entries(slots.agents).map(([agent, counts]) => `${agent}: ${wordsOfSlots(counts)}`);
  const used = Object.values(slots.agents).reduce((sum, counts) => sum + sumOf(counts), 0);
  const text = full ?? `${used} of ${slots.total} are in use${agents.length === 0 ? '' : ` (${agents.join('; ')})`}`;
  return [...away, { what: 'slots', isOk: full === null, text }];
}

function encryption({ keyIds }: InspectedDatabase, codec: CodecKeys | null): Finding[] {
  const missing = keyIds.filter((id) => codec?.ids.includes(id) !== true);
  if (keyIds.length === 0 && codec === null) return [];
  const text =
    missing.length === 0
      ? `the keys given here open what is encrypted (${keyIds.length === 0 ? 'nothing yet' : keyIds.join(', ')})`
      : `encrypted with the key ${missing.join(', ')}, which is not given here — give it as STANDFAST_CODEC_KEY or in STANDFAST_CODEC_KEY_OLD`;
  return [{ what: 'encryption', isOk: missing.length === 0, text }];
}

/** Compares this machine's clock with those that count deadlines and times of record. */
function clocksFound(readings: readonly ClockReading[]): { isOk: boolean; text: string } {
  const texts = readings.map((reading) => {
    const ms = aheadBy(reading);
    return { isOk: Math.abs(ms) <= fitsMs, text: differenceText(reading.of, ms) };
  });
  const wrong = texts.filter(({ isOk }) => !isOk).map(({ text }) => text);
  if (wrong.length === 0) return { isOk: true, text: texts.map(({ text }) => text).join('; ') };
  const cure =
    'let every machine set its clock by the same time servers (NTP): times in lists, figures and logs are off';
  return { isOk: false, text: `${wrong.join('; ')} — ${cure}` };
}

function differenceText(of: string, aheadMs: number): string {
  if (Math.abs(aheadMs) < 1_000) return `that of ${of} agrees`;
  return `that of ${of} is ${formatSpan(Math.abs(aheadMs))} ${aheadMs < 0 ? 'ahead of' : 'behind'} this machine's`;
}

/** A worker that signs the evidence but keeps no head elsewhere signs a rewritten chain after its next start. */
function headWarnings({ config, environment }: Settings): string[] {
  const { file, webhook } = config.evidence;
  if (environment.evidenceKey === undefined || file !== undefined || webhook !== undefined) return [];
  return [
    'warning: STANDFAST_EVIDENCE_KEY is set without evidence.file and evidence.webhook: a worker keeps no signed head outside the database, so a chain that was rewritten is not found; set evidence.file (standfast up has one in its data directory)',
  ];
}

const clearWarnings = ({ inClear }: Settings): string[] =>
  inClear.map((fault) => `warning: ${formatProblems([fault])}`);

/** Validates configuration and environment; throws with all problems (exit code 1) and only prints warnings. */
export function check(options: { config?: string; withoutSecrets?: boolean; for?: Purpose }): void {
  const settings = readSettings(options);
  const { config, configFile } = settings;
  // Where secrets are not given, none can be missing.
  const { faults, warnings } = unfitFor(settings, options.withoutSecrets === true ? 'up' : (options.for ?? 'up'));
  if (faults.length > 0) throw new StartError(faults.join('\n'));
  printWarnings({
    warnings: [...settings.warnings, ...clearWarnings(settings), ...headWarnings(settings), ...warnings],
  });
  const agents = Object.keys(config.agents).length;
  const policies = Object.keys(config.policies).length;
  const counts = `${agents} ${agents === 1 ? 'agent' : 'agents'}, ${policies} ${policies === 1 ? 'policy' : 'policies'}`;
  process.stdout.write(`${configFile ?? 'no configuration file, defaults'}: valid (${counts})\n`);
}
