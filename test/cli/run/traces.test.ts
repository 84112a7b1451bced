import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startTraces } from '../../../src/cli/run/traces.ts';
import { readEnvironment, type Environment } from '../../../src/host/process/environment.ts';
import { startHttpSink, type HttpSink } from '../../rigs/sinks.ts';
import { filesBelow, read } from '../../source-tree.ts';

let before: NodeJS.ProcessEnv;
let collector: HttpSink;
beforeEach(async () => {
  before = { ...process.env };
  collector = await startHttpSink();
});
afterEach(async () => {
  process.env = before;
  await collector.close();
});

function environmentOf(more: NodeJS.ProcessEnv): Environment {
  Object.assign(process.env, more);
  const found = readEnvironment(process.env);
  if (!found.ok) throw new Error(JSON.stringify(found.problems));
  return found.environment;
}
const problemsOf = (more: NodeJS.ProcessEnv): string => {
  const found = readEnvironment(more);
  return found.ok ? '' : JSON.stringify(found.problems);
};
const endpoint = (): NodeJS.ProcessEnv => ({ OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin });

describe('traces', () => {
  // Promise OT2
  test.each<[string, () => NodeJS.ProcessEnv]>([
    ['no endpoint is set', () => ({ OTEL_SERVICE_NAME: 'mine', OTEL_TRACES_EXPORTER: 'otlp' })],
    ['the SDK is disabled', () => ({ ...endpoint(), OTEL_SDK_DISABLED: 'true' })],
    ['their exporter is none', () => ({ ...endpoint(), OTEL_TRACES_EXPORTER: 'none' })],
  ])('traces are off where %s', async (_why, more) => {
    expect(await startTraces(environmentOf(more()), 'api')).toBeNull();
  });

  // Promise OT2
  test('traces that are off are not even loaded: one file imports OpenTelemetry, and one loads it, late', () => {
    const sources = filesBelow('src', (path) => path.endsWith('.ts'));
    const naming = (words: RegExp): string[] => sources.filter((path) => words.test(read(path)));
    expect(naming(/from '@opentelemetry\//)).toEqual(['src/cli/run/otel.ts']);
    expect(naming(/\/otel\.ts'/)).toEqual(['src/cli/run/traces.ts']);
    expect(read('src/cli/run/traces.ts')).not.toMatch(/^import (?!type ).*otel\.ts/m);
  });

  // Promise OT1
  test('traces have of an error its type, and neither its message nor its stack', async () => {
    const traces = await startTraces(environmentOf({ ...endpoint(), OTEL_BSP_SCHEDULE_DELAY: '10' }), 'worker');
    const words = 'the words of the agent';
    const fails = async (): Promise<never> => Promise.reject(new TypeError(words));
    const call = traces?.tracedFetch('expenses', fails);
    await expect(call?.('http://127.0.0.1:1/secret/path?q=words', { method: 'POST' })).rejects.toThrow(words);
    const [client] = traces?.clientInterceptors ?? [];
    const query = { workflowExecution: { workflowId: 'a2a/expenses/t' }, queryType: 'task', args: [], headers: {} };
    await expect(client?.query?.(query, fails)).rejects.toThrow(words);
    await traces?.stop();
    const exported = collector.got.map(({ body }) => body).join('\n');
    expect(exported).toContain('"error.type"');
    expect(exported).toContain('TypeError');
    expect(exported).toContain('standfast-worker');
    expect(exported).not.toMatch(/words|secret\/path/);
  });

  test('traces are named by OTEL_SERVICE_NAME where it is set', async () => {
    const traces = await startTraces(environmentOf({ ...endpoint(), OTEL_SERVICE_NAME: 'approvals' }), 'api');
    traces?.startRequest({ method: 'GET', route: '/api/holds', headers: {} }).end(200);
    await traces?.stop();
    expect(collector.got.map(({ body }) => body).join('')).toContain('approvals');
  });

  test.each([
    ['an endpoint that is not an address', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }],
    ['gRPC', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
    ['an unknown sampler', { OTEL_TRACES_SAMPLER: 'some' }],
    ['a ratio above one', { OTEL_TRACES_SAMPLER_ARG: '20' }],
  ])('traces by %s are refused, and the variable is named', (_what, env) => {
    expect(problemsOf(env)).toContain(Object.keys(env).at(-1));
  });
});
