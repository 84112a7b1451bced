// The port of metrics, and the names that dashboards and alerts hold on to.
import { expect, test } from '@jest/globals';
import { startMetricsListener } from '../../../src/host/metrics/listener.ts';
import { createRegistry } from '../../../src/host/metrics/registry.ts';
import { createWorkerMetrics } from '../../../src/host/metrics/worker-metrics.ts';
import { createPrometheusMetrics } from '../../../src/api/http/prometheus.ts';
import { registerInstallationGauges } from '../../../src/api/operate/installation-gauges.ts';
import { createProcessMetrics } from '../../../src/cli/run/metrics.ts';
import { version } from '../../../src/host/process/version.ts';
import type { Store } from '../../../src/store/store.ts';

const noStore: unknown = {};

test('metrics have pinned names, types and labels', async () => {
  const registry = createRegistry('api');
  createWorkerMetrics(registry);
  createPrometheusMetrics(registry);
  // Nothing is scraped here.
  registerInstallationGauges(registry, noStore as Store);
  const own = registry
    .getMetricsAsArray()
    .filter(({ name }) => name.startsWith('standfast_'))
    .map((metric) => {
      const { labelNames = [] } = metric as unknown as { labelNames?: string[] };
      return `${metric.name}{${labelNames.join(',')}}`;
    });
  expect(own.toSorted()).toEqual([
    'standfast_agent_away_seconds{agent,state}',
    'standfast_agent_errors_total{agent,cause}',
    'standfast_agent_pushes_total{agent,result}',
    'standfast_answer_seconds{agent}',
    'standfast_build_info{version,node,role}',
    'standfast_caller_pushes_total{result}',
    'standfast_clock_ahead_seconds{}',
    'standfast_dead_workers_total{}',
    'standfast_deadline_seconds{policy}',
    'standfast_decision_wait_seconds{policy}',
    'standfast_decisions_total{result}',
    'standfast_dropped_streams_total{reason}',
    'standfast_evidence_refused_signatures_total{}',
    'standfast_evidence_unsigned_seconds{}',
    'standfast_first_notice_seconds{policy,channel}',
    'standfast_gate_calls_total{gate,verdict}',
    'standfast_holds{metric}',
    'standfast_http_request_seconds{method,route,status}',
    'standfast_intake_backlog{}',
    'standfast_intake_oldest_seconds{}',
    'standfast_messages_waiting{agent}',
    'standfast_notices_total{channel,result}',
    'standfast_open_streams{kind}',
    'standfast_part_up{part}',
    'standfast_question_events_total{policy,event}',
    'standfast_reconciled_tasks_total{result}',
    'standfast_refused_keys_total{given_as,result}',
    'standfast_refused_starts_total{}',
    'standfast_refused_streams_total{kind}',
    'standfast_runs_total{agent,result}',
    'standfast_tasks_ended_total{agent,status,code}',
    'standfast_tasks_stuck_oldest_seconds{cause}',
    'standfast_tasks_stuck{cause}',
    'standfast_turn_seconds{agent,result}',
    'standfast_turn_slots_free{}',
    'standfast_turn_slots{agent,state}',
    'standfast_undecided_results_total{agent}',
    'standfast_unreadable_rows{table}',
    'standfast_workers{}',
  ]);
});

test('how long an agent has been away is by the clock of the database, where it is noted, and not by that of the api', async () => {
  const registry = createRegistry('api');
  const circuit = {
    agent: 'slow',
    state: 'open',
    cause: '',
    failures: 1,
    since: '2026-11-01T00:00:00Z',
    dueInMs: 0,
    awayMs: 61_000,
  };
  registerInstallationGauges(registry, { circuits: { list: () => Promise.resolve([circuit]) } } as unknown as Store);
  expect(await registry.getSingleMetricAsString('standfast_agent_away_seconds')).toContain(
    'standfast_agent_away_seconds{agent="slow",state="open"} 61',
  );
});

test('every metric names its build', async () => {
  expect(await createRegistry('worker').metrics()).toContain(
    `standfast_build_info{version="${version}",node="${process.versions.node}",role="worker"} 1`,
  );
});

test('the port answers metrics and health without a key, and nothing else', async () => {
  let fault: string | null = null;
  const listener = await startMetricsListener({
    host: '127.0.0.1',
    port: 0,
    metrics: async () => 'one 1\n',
    fault: async () => fault,
  });
  const read = async (path: string, method = 'GET'): Promise<[number, string]> => {
    const response = await fetch(`${listener.url}${path}`, { method });
    return [response.status, await response.text()];
  };
  try {
    expect(await read('/metrics')).toEqual([200, 'one 1\n']);
    expect(await read('/healthz')).toEqual([200, 'ok\n']);
    fault = 'the worker is failed';
    expect(await read('/healthz')).toEqual([503, 'the worker is failed\n']);
    expect((await read('/api/holds'))[0]).toBe(404);
    expect((await read('/metrics', 'POST'))[0]).toBe(404);
    const port = Number(new URL(listener.url).port);
    const second = startMetricsListener({ host: '127.0.0.1', port, metrics: async () => '', fault: async () => null });
    await expect(second).rejects.toThrow('STANDFAST_METRICS_PORT');
  } finally {
    await listener.stop();
  }
});

test('changes of questions are counted by policy, and decisions by how long they took', async () => {
  const metrics = await createProcessMetrics('worker', { metricsPort: undefined, metricsHost: '127.0.0.1' });
  const openedAt = '2029-01-01T00:00:00.000Z';
  const now = new Date('2029-01-01T00:02:00.000Z');
  metrics.onEvent({ kind: 'opened', policy: 'finance', openedAt, at: null, dueAt: null }, now);
  metrics.onEvent({ kind: 'decided', policy: 'finance', openedAt, at: now.toISOString(), dueAt: null }, now);
  const text = await metrics.registry.metrics();
  expect(text).toContain('standfast_question_events_total{policy="finance",event="opened"} 1');
  expect(text).toContain('standfast_decision_wait_seconds_sum{policy="finance"} 120');
  expect(await metrics.listen(async () => null)).toBeNull();
});

test('an end by a deadline counts with its lateness, and any other end does not', async () => {
  const metrics = await createProcessMetrics('worker', { metricsPort: undefined, metricsHost: '127.0.0.1' });
  const opened = { policy: 'finance', openedAt: '2029-01-01T00:00:00.000Z', at: null };
  metrics.worker.levels.begin('deadline', { policy: 'finance' });
  // Temporal’s: this process may have another time.
  const now = new Date('2029-01-02T00:00:00.000Z');
  metrics.onEvent({ ...opened, kind: 'ended', dueAt: null }, now);
  const read = (): Promise<string> => metrics.registry.getSingleMetricAsString('standfast_deadline_seconds');
  expect(await read()).toContain('_count{policy="finance"} 0');
  metrics.onEvent({ ...opened, kind: 'expired', dueAt: '2029-01-01T23:59:45.000Z' }, now);
  // A series that was begun keeps what it has.
  metrics.worker.levels.begin('deadline', { policy: 'finance' });
  expect(await read()).toContain('le="10",policy="finance"} 0');
  expect(await read()).toContain('le="30",policy="finance"} 1');
});
