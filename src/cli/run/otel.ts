// Traces by OpenTelemetry. Loaded late, by traces.ts: who does not use it pays neither time nor memory.
import {
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry/lib/client/index.js';
import { OpenTelemetryActivityInboundInterceptor } from '@temporalio/interceptors-opentelemetry/lib/worker/index.js';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { TraceRequest } from '../../api/api-deps.ts';
import { version } from '../../host/process/version.ts';
import type { TracesEnvironment } from '../../host/process/environment.ts';
import { settledWithin } from '../../host/process/retry.ts';

export interface Traces {
  startRequest: TraceRequest;
  /** Calls of Temporal: spans, whose context goes along in headers. */
  clientInterceptors: WorkflowClientInterceptor[];
  activityInterceptors: ActivityInterceptorsFactory[];
  /** The `fetch` for one agent: spans, whose context goes along as `traceparent`. */
  tracedFetch(agent: string, send: typeof fetch): typeof fetch;
  /** Sends what is left, unless that takes too long, and removes the process' provider. */
  stop(): Promise<void>;
}

/** Maximum wait for a collector that does not answer, at shutdown. */
const shutdownWaitMs = 1_000;

/** Attributes that a span may have: names, numbers and ids of Standfast and Temporal, never what people or agents wrote. */
const allowedAttributes = new Set([
  'error.type',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'run_id',
  'server.address',
  'server.port',
  'standfast.agent',
  'temporalActivityId',
  'temporalUpdateId',
  'temporalWorkflowId',
]);

/** The span without words: an error keeps its type, not its message or stack, which may quote people and agents. */
function withoutWords(span: ReadableSpan): ReadableSpan {
  const type: unknown = span.events.find(({ name }) => name === 'exception')?.attributes?.['exception.type'];
  const attributes: Attributes = Object.fromEntries(
    Object.entries(span.attributes).filter(([name]) => allowedAttributes.has(name)),
  );
  if (typeof type === 'string') attributes['error.type'] = type;
  // Safe: everything else is read from the span itself.
  return Object.create(span, {
    attributes: { value: attributes },
    events: { value: [] },
    links: { value: [] },
    status: { value: { code: span.status.code } },
  }) as ReadableSpan;
}

const exporterWithoutWords = (exporter: SpanExporter): SpanExporter => ({
  export: (spans, done) => exporter.export(spans.map(withoutWords), done),
  forceFlush: async () => exporter.forceFlush?.(),
  shutdown: () => exporter.shutdown(),
});

const samplerOf: Record<NonNullable<TracesEnvironment['sampler']>, (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
};

/** Registers the process' one provider, as the interceptors of Temporal's SDK expect it. */
export function createTraces(
  { sampler = 'parentbased_always_on', ratio, delayMs }: TracesEnvironment,
  role: string,
): Traces {
  const own = resourceFromAttributes({ 'service.name': `standfast-${role}`, 'service.version': version });
  const provider = new TracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf[sampler](ratio),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: exporterWithoutWords(new OTLPTraceExporter()),
        scheduledDelayMillis: delayMs,
      }),
    ],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  // Baggage is left out: it would carry words of others to agents.
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const tracer = provider.getTracer('standfast', version);
  return {
    startRequest({ method, route, headers }) {
      const above = propagation.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      const attributes = { 'http.request.method': method, 'http.route': route };
      const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, above);
      return {
        run: (handle) => context.with(trace.setSpan(above, span), handle),
        end(status) {
          span.setAttribute('http.response.status_code', status);
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    clientInterceptors: [new OpenTelemetryWorkflowClientInterceptor({ tracer })],
    activityInterceptors: [
      (activity) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(activity, { tracer }) }),
    ],
    tracedFetch: (agent, send) => async (input, init) => {
      const { hostname, port } = new URL(input instanceof Request ? input.url : input);
      const method = init?.method ?? 'GET';
      const attributes: Attributes = {
        'standfast.agent': agent,
        'http.request.method': method,
        'server.address': hostname,
        ...(port === '' ? {} : { 'server.port': Number(port) }),
      };
      return tracer.startActiveSpan(`${method} ${agent}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
        const headers = new Headers(init?.headers);
        const carrier: Record<string, string> = {};
        propagation.inject(context.active(), carrier, defaultTextMapSetter);
        for (const [name, value] of Object.entries(carrier)) headers.set(name, value);
        try {
          const response = await send(input, { ...init, headers });
          span.setAttribute('http.response.status_code', response.status);
          if (response.status >= 400) span.setStatus({ code: SpanStatusCode.ERROR });
          return response;
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR });
          span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
          throw error;
        } finally {
          // A stream goes on: the span is that of the request, up to the head of its answer.
          span.end();
        }
      });
    },
    async stop() {
      await settledWithin(shutdownWaitMs, provider.shutdown());
      context.disable();
      trace.disable();
      propagation.disable();
    },
  };
}
