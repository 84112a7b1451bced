// One trace over the caller, the api, the workflow, the worker and the agent, seen by a collector.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import type { FakeAgent } from '../../rigs/agents/agent.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { startHttpSink, type HttpSink } from '../../rigs/sinks.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { buildOnce, ended, longMs, openHold, readHold, waitForTask } from '../setting.ts';
import { startSplit } from './split.ts';
import type { Api } from './split.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: object }[];
  events: object[];
  status: object;
  service: string;
}
interface Body {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: Omit<Span, 'service'>[] }[];
  }[];
}
const [server, client] = [2, 3];

const supervisor = createSupervisor();
let collector: HttpSink;
let fake: FakeAgent;
let api: Api;

beforeAll(async () => {
  buildOnce();
  [fake, collector] = await Promise.all([startFakeAgent(supervisor), startHttpSink()]);
  supervisor.defer(() => collector.close());
  const configText = `
agents: { fake: { url: '${fake.url}' } }
policies: { finance: { audience: ['role:finance'] } }
ask: { policy: finance }`;
  const split = await startSplit(supervisor, configText, undefined, {
    OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin,
    OTEL_BSP_SCHEDULE_DELAY: '50',
  });
  [api] = await Promise.all([split.startApi(), split.startWorker()]);
  await waitFor(async () => (await api.get('/readyz')).status === 200, longMs, 'readyz to say 200');
});
afterAll(() => supervisor.end());

function spans(): Span[] {
  return collector.got.flatMap(({ body }) =>
    (JSON.parse(body) as Body).resourceSpans.flatMap(({ resource, scopeSpans }) => {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      return scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service })));
    }),
  );
}

/** From a span of this name in the trace up to its root, as far as Standfast has it. */
function pathTo(traceId: string, name: string): Span[] {
  const all = spans().filter((span) => span.traceId === traceId);
  const path: Span[] = [];
  let at = all.find((span) => span.name === name);
  while (at !== undefined) {
    path.unshift(at);
    const above = at.parentSpanId;
    at = all.find(({ spanId }) => spanId === above);
  }
  return path;
}

async function seenPath(traceId: string): Promise<Span[]> {
  await waitFor(
    () => pathTo(traceId, 'POST fake').length >= 4,
    longMs,
    'the whole trace at the collector',
    () =>
      JSON.stringify(
        spans().map(({ name, service, traceId: of }) => ({ name, service, of })),
        null,
        1,
      ),
  );
  return pathTo(traceId, 'POST fake');
}
const shapeOf = (path: Span[]): [string, string][] => path.map(({ service, name }) => [service, name]);

// Promise OT1
test('a run and a decision are a trace each, from their callers to the agent, and without anybody’s words', async () => {
  const [words, reply] = ['wordsofthecaller', 'wordsofthedecider'];
  const [runTrace, decisionTrace, above] = ['a1'.repeat(16), 'b2'.repeat(16), 'c3'.repeat(8)];
  const asked = await api.run('fake', {
    threadId: 'traced',
    text: `say ${words}; form => say thanks; fail ${words}`,
    headers: { traceparent: `00-${runTrace}-${above}-01`, baggage: `said=${words}` },
  });
  ended(asked, 'interrupt');
  const run = await seenPath(runTrace);
  expect(shapeOf(run)).toEqual([
    ['standfast-api', 'POST /agents/:agent/run'],
    ['standfast-api', expect.stringMatching(/Workflow/)],
    ['standfast-worker', 'RunActivity:runTurn'],
    ['standfast-worker', 'POST fake'],
  ]);
  expect(run[0]).toMatchObject({ parentSpanId: above, kind: server });
  expect(run.at(-1)?.kind).toBe(client);

  const hold = await openHold(api, 'fake', 'traced');
  const decision = { status: 'resolved', values: { colour: 'green', note: reply } };
  const headers = { traceparent: `00-${decisionTrace}-${above}-01` };
  expect((await api.post(`/api/holds/${hold.id}/decision`, decision, headers)).status).toBe(200);
  await waitForTask(api, (await readHold(api, hold.id)).taskId, 'FAILED');
  expect(shapeOf(await seenPath(decisionTrace))).toEqual([
    ['standfast-api', 'POST /api/holds/:id/decision'],
    ['standfast-api', expect.stringMatching(/Update.*decide/)],
    ['standfast-worker', 'RunActivity:runTurn'],
    ['standfast-worker', 'POST fake'],
  ]);

  const sent = (await fake.messages()).map(({ traceparent }) => traceparent);
  const idOf = (path: Span[]): string => `00-${path[0]?.traceId}-${path.at(-1)?.spanId}-01`;
  expect(sent).toEqual([idOf(run), idOf(pathTo(decisionTrace, 'POST fake'))]);
  const exported = collector.got.map(({ body }) => body).join('\n');
  expect(exported).not.toMatch(new RegExp(`${words}|${reply}|thanks`));
  expect(spans().flatMap(({ events }) => events)).toEqual([]);
});

// Promise OT1
test('a call over MCP joins the trace that its message names, before the one that its connection names', async () => {
  const [words, callTrace, connectionTrace, above] = [
    'wordsoftheagent',
    'd4'.repeat(16),
    'e5'.repeat(16),
    'f6'.repeat(8),
  ];
  const ofConnection = { headers: { traceparent: `00-${connectionTrace}-${above}-01` } };
  const mcp = new Client({ name: 'a program', version: '1' });
  // The SDK's own classes disagree about optional callbacks under exactOptionalPropertyTypes.
  await mcp.connect(new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`), { requestInit: ofConnection }));
  await mcp.callTool({
    name: 'ask_user',
    arguments: { question: words, id: 'traced-by-mcp', waitSeconds: 0 },
    _meta: { traceparent: `00-${callTrace}-${above}-01` },
  });
  await mcp.close();
  const ofTrace = (traceId: string): Span[] => spans().filter((span) => span.traceId === traceId);
  const opening = 'RunActivity:openHolds';
  // The spans above it end after it.
  const isWhole = (): boolean => pathTo(callTrace, opening).length >= 3;
  await waitFor(isWhole, longMs, 'the whole trace at the collector', () => JSON.stringify(spans(), null, 1));
  expect(shapeOf(pathTo(callTrace, opening))).toEqual([
    ['standfast-api', 'POST /mcp'],
    ['standfast-api', expect.stringMatching(/Workflow/)],
    ['standfast-worker', opening],
  ]);
  expect(ofTrace(callTrace).find(({ name }) => name === 'POST /mcp')?.parentSpanId).toBe(above);
  // What came before the call, such as `initialize`, has none in its messages.
  expect(ofTrace(connectionTrace).map(({ name }) => name)).toContain('POST /mcp');
  expect(ofTrace(connectionTrace).map(({ name }) => name)).not.toContain(opening);
  expect(collector.got.map(({ body }) => body).join('\n')).not.toContain(words);
});

// Promise OT1
test('probes and scrapes are no part of any trace', () => {
  expect(spans().length).toBeGreaterThan(0);
  expect(spans().filter(({ name }) => /readyz|healthz|metrics/.test(name))).toEqual([]);
});
