// `holdpoint doctor`: checks Holdpoint's dependencies and says how to fix each fault.
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { createA2aTransport } from '../../activities/a2a/a2a-transport.ts';
import { KeptCardSchema } from '../../contract/tasks/agent-card.ts';
import { askedDialects } from '../../core/questions/agent-dialects.ts';
import { createEgress } from '../../host/net/egress.ts';
import { searchAttributes } from '../../host/temporal/search-attributes.ts';
import { resolveTemporal } from '../../host/temporal/temporal-cli.ts';
import { temporalTarget, type TemporalTarget } from '../../host/temporal/temporal-connection.ts';
import { openStore } from '../../store/open-store.ts';
import { readSettings, printWarnings } from '../run/settings.ts';
import { linksFor } from '../run/seal-key.ts';
import { timeLimit } from '../../host/process/time-limit.ts';

export interface Finding {
  what: string;
  isOk: boolean;
  text: string;
}

export async function doctor(options: { config?: string; json: boolean }): Promise<void> {
  const { config, configFile, environment } = readSettings(options);
  const findings: Finding[] = [nodeVersion(), { what: 'configuration', isOk: true, text: configFile ?? 'defaults' }];
  const target = temporalTarget(environment.temporal);
  findings.push(...(target === null ? [await temporalProgram()] : await temporalServer(target)));
  findings.push(await database(environment.databaseUrl));
  const egress = createEgress(config.egress);
  for (const [name, agent] of Object.entries(config.agents)) {
    const transport = createA2aTransport({ agent: name, config: agent, egress });
    findings.push(
      await attempt(`agent ${name}`, `check that it runs at ${agent.url} and serves its card`, async () => {
        const card = await transport.card({ signal: timeLimit(5000) });
        const streams = card.capabilities?.streaming === true ? 'streams' : 'does not stream: it will be polled';
        const asks = [...askedDialects(KeptCardSchema.parse(card), agent.extensions), 'forms', 'words'];
        return `${card.name} (${streams}; asks by ${asks.join(', ')})`;
      }),
    );
  }
  const lines = findings.map(({ what, isOk, text }) => `${isOk ? 'ok  ' : 'FAIL'} ${what}: ${text}`).join('\n');
  process.stdout.write(`${options.json ? JSON.stringify(findings, null, 2) : lines}\n`);
  if (findings.some(({ isOk }) => !isOk)) process.exitCode = 1;
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

async function attempt(what: string, help: string, work: () => Promise<string>): Promise<Finding> {
  try {
    return { what, isOk: true, text: await work() };
  } catch (error) {
    return { what, isOk: false, text: `${errorText(error)} — ${help}` };
  }
}

/** gRPC DEADLINE_EXCEEDED and UNAVAILABLE, whose messages are long-winded. */
const unreachableCodes = [4, 14];

function errorText(error: unknown): string {
  if (isGrpcServiceError(error)) return unreachableCodes.includes(error.code) ? 'it does not answer' : error.details;
  return error instanceof Error ? error.message : String(error);
}

function temporalProgram(): Promise<Finding> {
  return attempt('temporal', 'set TEMPORAL_ADDRESS or TEMPORAL_CLI', async () => {
    const source = await resolveTemporal({
      env: process.env,
      onProgress: (message) => process.stderr.write(`${message}\n`),
    });
    return source.use === 'cli' ? `${source.path} (from ${source.from}); holdpoint up starts it` : source.address;
  });
}

async function temporalServer(target: TemporalTarget): Promise<Finding[]> {
  const connection = Connection.lazy({ ...target.connection, connectTimeout: 4000 });
  const bounded = <T>(work: () => Promise<T>): Promise<T> => connection.withDeadline(Date.now() + 5000, work);
  try {
    const { namespace } = target;
    const help = `check TEMPORAL_ADDRESS=${target.address} and the namespace ${namespace}`;
    const server = await attempt('temporal', help, async () => {
      const info = await bounded(() => connection.workflowService.getSystemInfo({}));
      await bounded(() => connection.workflowService.describeNamespace({ namespace }));
      return `${target.address}, server ${info.serverVersion ?? 'of unknown version'}, namespace ${namespace}`;
    });
    if (!server.isOk) return [server];
    return [
      server,
      await attempt('search attributes', 'start a worker once: it registers them where it may', async () => {
        const { customAttributes } = await bounded(() =>
          connection.operatorService.listSearchAttributes({ namespace }),
        );
        const missing = Object.keys(searchAttributes).filter((name) => !Object.hasOwn(customAttributes ?? {}, name));
        if (missing.length > 0) throw new Error(`missing ${missing.join(', ')}`);
        return 'all registered';
      }),
    ];
  } finally {
    await connection.close();
  }
}

function database(databaseUrl: string | undefined): Promise<Finding> {
  if (databaseUrl === undefined) {
    return Promise.resolve({ what: 'database', isOk: true, text: 'embedded (PGlite), opened by holdpoint up' });
  }
  return attempt('database', 'check DATABASE_URL', async () => {
    const store = await openStore({ databaseUrl });
    try {
      await store.ping();
      return 'PostgreSQL answers, tables are up to date';
    } finally {
      await store.close();
    }
  });
}

/** Validates configuration and environment; throws with all problems (exit code 1) and only prints warnings. */
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
