import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface PrometheusMetrics {
  registry: Registry;
  requests: Histogram<'method' | 'route' | 'status'>;
  openStreams: Gauge<'kind'>;
  droppedStreams: Counter<'reason'>;
  runs: Counter<'agent' | 'result'>;
  decisions: Counter<'result'>;
  pushes: Counter<'agent' | 'result'>;
  refusedKeys: Counter<'given_as' | 'result'>;
  refusedStreams: Counter<'kind'>;
  refusedStarts: Counter;
  gateCalls: Counter<'gate' | 'verdict'>;
  partUp: Gauge<'part'>;
}

/** What an api counts, in the process's registry. */
export function createPrometheusMetrics(registry: Registry): PrometheusMetrics {
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: 'standfast_http_request_seconds',
      help: 'Duration of HTTP requests; of streams until they ended.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 5, 30],
      registers,
    }),
    openStreams: new Gauge({
      name: 'standfast_open_streams',
      help: 'Event streams open now.',
      labelNames: ['kind'],
      registers,
    }),
    droppedStreams: new Counter({
      name: 'standfast_dropped_streams_total',
      help: 'Event streams cut because their reader did not read.',
      labelNames: ['reason'],
      registers,
    }),
    runs: new Counter({
      name: 'standfast_runs_total',
      help: 'Runs asked for, by what became of the asking.',
      labelNames: ['agent', 'result'],
      registers,
    }),
    partUp: new Gauge({
      name: 'standfast_part_up',
      help: '1 while a part works as this api sees it, 0 while it does not; missing while that is unknown.',
      labelNames: ['part'],
      registers,
    }),
    gateCalls: new Counter({
      name: 'standfast_gate_calls_total',
      help: 'Calls of tools at gates, by what their rules say: pass, ask or refuse.',
      labelNames: ['gate', 'verdict'],
      registers,
    }),
    pushes: new Counter({
      name: 'standfast_agent_pushes_total',
      help: 'Push notifications of agents, by result.',
      labelNames: ['agent', 'result'],
      registers,
    }),
    refusedKeys: new Counter({
      name: 'standfast_refused_keys_total',
      help: 'Keys that are not known, as bearers or in the login form; limited: of an address that tried too many.',
      labelNames: ['given_as', 'result'],
      registers,
    }),
    refusedStreams: new Counter({
      name: 'standfast_refused_streams_total',
      help: 'Event streams refused because their caller has too many open.',
      labelNames: ['kind'],
      registers,
    }),
    refusedStarts: new Counter({
      name: 'standfast_refused_starts_total',
      help: 'Starts refused because as many wait as may.',
      registers,
    }),
    decisions: new Counter({
      name: 'standfast_decisions_total',
      help: 'Decisions submitted by REST, by result.',
      labelNames: ['result'],
      registers,
    }),
  };
}
