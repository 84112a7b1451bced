// Names that other people's programs hold on to. A red pin asks: on purpose?
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { createCodecKeys } from '../../src/host/secrets/codec-keys.ts';
import { aHold, aTask, freshThread } from './rig.ts';
import { describeApi } from './describe-api.ts';

const rig = describeApi({ codec: createCodecKeys('ab'.repeat(32)) });

interface Operation {
  summary?: string;
  parameters?: { in: string; name: string; description?: string }[];
  requestBody?: unknown;
  responses?: unknown;
}
interface Document {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties?: Record<string, unknown> }> };
}
const document = async () => (await rig.app.inject({ method: 'GET', url: '/docs/json' })).json<Document>();

describe('pins', () => {
  // Promise H2
  test('the routes', async () => {
    const { openapi, paths } = await document();
    expect(openapi).toBe('3.1.0');
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    // What is added is seen in docs/openapi.json, which is held against the api.
    expect(routes).toEqual(
      expect.arrayContaining([
        'delete /api/ask',
        'delete /api/grants/{id}',
        'delete /api/holds/{id}/links',
        'delete /api/holds/{id}/snooze',
        'delete /api/holds/{id}/vote',
        'delete /api/web-push/devices/{id}',
        'get /.well-known/jwks.json',
        'get /agents',
        'get /agents/{agent}/capabilities',
        'get /agents/{agent}/run',
        'get /agents/{agent}/threads/{threadId}/events',
        'get /api/agents',
        'get /api/ask',
        'get /api/gates',
        'get /api/grants',
        'get /api/holds',
        'get /api/holds.csv',
        'get /api/holds/{id}',
        'get /api/holds/{id}/artifacts/{artifactId}',
        'get /api/holds/{id}/comments',
        'get /api/holds/{id}/content/{digest}',
        'get /api/holds/{id}/files/{fileId}',
        'get /api/holds/{id}/precedents',
        'get /api/holds/{id}/reassign',
        'get /api/inbox/alike',
        'get /api/inbox/count',
        'get /api/inbox/days',
        'get /api/inbox/events',
        'get /api/inbox/rows',
        'get /api/login/methods',
        'get /api/me',
        'get /api/me/passkeys',
        'get /api/me/preferences',
        'get /api/operations',
        'get /api/overview',
        'get /api/passkeys',
        'get /api/policies',
        'get /api/rule-suggestions',
        'get /api/tasks',
        'get /api/tasks/{id}',
        'get /api/tasks/{id}/artifacts/{artifactId}',
        'get /api/tasks/{id}/chat',
        'get /api/tasks/{id}/timeline',
        'get /api/web-push',
        'get /healthz',
        'get /metrics',
        'get /readyz',
        'get /readyz/reads',
        'get /readyz/runs',
        'get /readyz/writes',
        'post /agents/{agent}/push-notifications',
        'post /agents/{agent}/run',
        'post /api/ask',
        'post /api/ask/replies',
        'post /api/gates/{gate}/approve',
        'post /api/grants',
        'post /api/grants/{id}/give',
        'post /api/holds/amend',
        'post /api/holds/decisions',
        'post /api/holds/{id}/claim',
        'post /api/holds/{id}/comments',
        'post /api/holds/{id}/decision',
        'post /api/holds/{id}/extend',
        'post /api/holds/{id}/nudge',
        'post /api/holds/{id}/reassign',
        'post /api/holds/{id}/reassign-ask',
        'post /api/holds/{id}/release',
        'post /api/holds/{id}/signing',
        'post /api/holds/{id}/undo',
        'post /api/login',
        'post /api/logout',
        'post /api/me/passkeys',
        'post /api/me/passkeys/names',
        'post /api/me/passkeys/options',
        'post /api/me/passkeys/removals',
        'post /api/me/passkeys/removals/options',
        'post /api/passkeys/revocations',
        'post /api/tasks/{id}/cancel',
        'post /api/tasks/{id}/chat/message',
        'post /api/tasks/{id}/restart',
        'post /api/web-push/devices',
        'post /api/web-push/holds/{id}/decision',
        'post /codec/decode',
        'post /codec/encode',
        'post /gates/{gate}/mcp',
        'post /mcp',
        'put /api/holds/{id}/draft',
        'put /api/holds/{id}/snooze',
        'put /api/me/preferences',
      ]),
    );
    expect(
      Object.values(paths).every((methods) => Object.values(methods).every((one) => one.summary !== undefined)),
    ).toBe(true);
  });

  test('each word of a query says what it does, and its values where it has a list of them', async () => {
    const { paths } = await document();
    const words = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { parameters = [] }]) =>
        parameters
          .filter((one) => one.in === 'query')
          .map(({ name, description }) => ({ at: `${method} ${path} ?${name}`, description })),
      ),
    );
    expect(words.length).toBeGreaterThan(100);
    expect(words.filter(({ description }) => description === undefined).map(({ at }) => at)).toEqual([]);
    expect(words.find(({ at }) => at === 'get /api/holds ?view')?.description).toMatch(/forMe, mine/);
  });

  test('the fields of a task and of a hold', async () => {
    const { components } = await document();
    const fields = (name: string) => Object.keys(components.schemas[name]?.properties ?? {}).toSorted();
    expect(fields('Task')).toEqual([
      'a2aTaskId',
      'agent',
      'artifacts',
      'contextId',
      'createdAt',
      'error',
      'holds',
      'id',
      'owner',
      'quotation',
      'restartOf',
      'restartedAs',
      'stale',
      'status',
      'stuck',
      'temporalUrl',
      'threadId',
      'title',
      'undecided',
      'updatedAt',
      'waiting',
      'workflowId',
    ]);
    expect(fields('Hold')).toEqual(
      expect.arrayContaining([
        'about',
        'agent',
        'alsoRequesters',
        'asking',
        'audience',
        'changed',
        'chosen',
        'claim',
        'context',
        'danger',
        'deciding',
        'decides',
        'decision',
        'defaults',
        'dialect',
        'digest',
        'draft',
        'dueAt',
        'ended',
        'errors',
        'exclude',
        'expires',
        'expiresAt',
        'extensions',
        'fault',
        'forMe',
        'outgoing',
        'graceMs',
        'hasOwnTitle',
        'headline',
        'id',
        'interruptId',
        'kind',
        'ladder',
        'lead',
        'links',
        'mayDecide',
        'mayDiscuss',
        'mayExtend',
        'mayNudge',
        'message',
        'moves',
        'nextStep',
        'nudges',
        'onReject',
        'openedAt',
        'pause',
        'planDigest',
        'policy',
        'quotation',
        'reassign',
        'reassignAsks',
        'requester',
        'requireDigest',
        'requiredLeft',
        'rule',
        'schema',
        'secretPaths',
        'sign',
        'snoozedUntil',
        'stated',
        'status',
        'supersededBy',
        'supersedes',
        'supervisors',
        'taskId',
        'threadId',
        'title',
        'tool',
        'values',
        'verdict',
        'version',
        'votes',
      ]),
    );
    const hold = components.schemas['Hold']?.properties as Record<string, unknown>;
    const pinned = (name: string): string => JSON.stringify(hold[name]);
    for (const name of ['nextStep', 'ladder']) expect(pinned(name)).toContain('"do":');
    expect(pinned('decision')).toContain('"source":');
    expect(fields('ChatReply')).toEqual(['as', 'messageId', 'taskId']);
  });
});

describe('around the routes', () => {
  test('the document has a page', async () => {
    const response = await rig.app.inject({ method: 'GET', url: '/docs' });
    expect([200, 302]).toContain(response.statusCode);
    const page = await rig.app.inject({ method: 'GET', url: '/docs/static/index.html' });
    expect([200, 302]).toContain(page.statusCode);
  });

  test('pages that are not there yet lead to the data, and the root says where things are', async () => {
    for (const kind of ['holds', 'tasks']) {
      const response = await rig.app.inject({ method: 'GET', url: `/${kind}/some%20id` });
      expect(response.statusCode).toBe(302);
      expect(response.headers['location']).toBe(`/api/${kind}/some%20id`);
    }
    expect((await rig.app.inject({ method: 'GET', url: '/' })).body).toContain('http://127.0.0.1:8600/docs');
  });

  test('agents are listed with their titles and what they can do', async () => {
    const { items } = (await rig.app.inject({ method: 'GET', url: '/agents' })).json<{ items: unknown[] }>();
    expect(items).toMatchObject([
      {
        name: 'expenses',
        title: 'Expenses',
        description: '',
        cardSeenAt: null,
        capabilities: { humanInTheLoop: { interrupts: true }, tools: { clientProvided: false } },
      },
      { name: 'travel', title: 'travel' },
    ]);
    const capabilities = await rig.app.inject({ method: 'GET', url: '/agents/travel/capabilities' });
    expect(capabilities.json()).toMatchObject({ identity: { name: 'travel' }, humanInTheLoop: { supported: true } });
  });

  test('the version is that of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect((await document()).info.version).toBe(version);
  });

  // Promise Q52
  test('a request has two minutes to arrive, and a minute for its head', () => {
    expect(rig.app.server).toMatchObject({ requestTimeout: 120_000, headersTimeout: 60_000 });
  });

  test('metrics count requests by route, not by address', async () => {
    await rig.app.inject({ method: 'GET', url: '/api/tasks/some-id' });
    const { body, headers } = await rig.app.inject({ method: 'GET', url: '/metrics' });
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(body).toMatch(
      /standfast_http_request_seconds_count\{method="GET",route="\/api\/tasks\/:id",status="404"\} 1/,
    );
  });

  // Promise Q56
  test('metrics tell how many questions wait, and nothing of them while the database is away', async () => {
    const shown = async () => (await rig.app.inject({ method: 'GET', url: '/metrics' })).body;
    const task = await aTask(rig.store, freshThread());
    await aHold(rig.store, task, { n: 1, expiresAt: '2026-01-01T00:00:00.000Z' });
    await aHold(rig.store, task, { n: 2 });
    const schemaDocument = await shown();
    for (const metric of ['open', 'overdue', 'unclaimed'])
      expect(schemaDocument).toContain(`standfast_holds{metric="${metric}"} 1`);
    const { counts } = rig.store.holds;
    rig.store.holds.counts = () => Promise.reject(new Error('no database'));
    const without = await shown();
    rig.store.holds.counts = counts;
    expect(without).toContain('standfast_http_request_seconds_count');
    expect(without).not.toContain('standfast_holds{');
  });

  // Promise Q56
  test('readiness names the part that is missing, and asks the parts once for all who ask at once', async () => {
    const readiness = async () => rig.app.inject({ method: 'GET', url: '/readyz' });
    await rig.store.workers.heartbeat('w1');
    let probes = 0;
    rig.tasks.fault = async () => {
      probes += 1;
      return 'unreachable';
    };
    const answers = await Promise.all(Array.from({ length: 20 }, readiness));
    expect(probes).toBe(1);
    expect(answers[19]?.headers['retry-after']).toBeDefined();
    expect(answers[19]?.json()).toMatchObject({
      status: 'not_ready',
      parts: { temporal: 'unavailable', workers: 'ok' },
    });
  });
});
