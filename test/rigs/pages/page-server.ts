// The built pages over an api of canned answers: what no real system could be brought to in a test's time.

import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { DecisionBodySchema, type DecisionBody } from '../../../src/contract/holds/decision.ts';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import type { PrecedentsView } from '../../../src/contract/views/precedents.ts';
import type { AlikeGroups, HoldRowView, InboxCounts, InboxEvents } from '../../../src/contract/views/inbox.ts';
import { answerNameOf } from '../../../src/core/answers/end-name.ts';
import { decidesOf, decidingOf } from '../../../src/core/consent/verdict.ts';
import { togetherGroups } from '../../../src/core/answers/together.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { root } from '../../source-tree.ts';
import { aHoldView } from '../hold-row.ts';

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export interface PageServer {
  url: string;
  /** Open holds in the server's order; a test changes them and says so by `tell`. */
  holds: HoldView[];
  publish<K extends keyof InboxEvents>(name: K, data: InboxEvents[K]): void;
  publishHold(hold: HoldView): void;
  /** Bodies of decisions as they came, oldest first. */
  decisions: { id: string; body: DecisionBody }[];
  /** Decisions that came together, oldest first. */
  bulk: { id: string }[];
  /** How long it takes over answers to many. */
  bulkTakesMs: number;
  /** What the reader wrote with their last noes. */
  reasons: string[];
  /** The last approved call of the same tool. */
  lastCall: PrecedentsView['call'];
  /** Ended ones like it. */
  alike: PrecedentsView['alike'];
  /** Names the build in the next greeting. */
  build: string;
  /** Ends all streams, as a server that goes away. */
  cutStreams(): void;
  readers(): number;
  /** Answers to runs of agents, which stay open. */
  runs: ServerResponse[];
  /** Into the newest run. */
  say(...events: object[]): void;
  close(): Promise<void>;
}

export const aHold = (n: number, change: Partial<HoldView> = {}): HoldView => {
  const hold = anUndecidedHold(n, change);
  // Safe: JSON as well.
  const asked = { ...hold, schema: hold.schema as JsonObject };
  const isYesNo = hold.kind === 'confirmation' || hold.kind === 'tool_call';
  const decides = hold.decides ?? (isYesNo ? decidesOf(asked) : null);
  return { ...hold, decides, deciding: change.deciding ?? decidingOf(asked) };
};

const anUndecidedHold = (n: number, change: Partial<HoldView>): HoldView => ({
  ...aHoldView(),
  id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  interruptId: `hitl-${n}`,
  taskId: `t-${n}`,
  threadId: 'th',
  kind: 'confirmation',
  headline: change.title ?? `Pay invoice ${n}?`,
  values: [],
  forMe: change.mayDecide ?? true,
  title: `Pay invoice ${n}?`,
  message: 'The supplier wants the money before Friday.',
  schema: { type: 'object', properties: { confirmed: { type: 'boolean' } }, required: ['confirmed'] },
  defaults: {},
  context: {
    conversation: '',
    artifacts: [],
    toolArgs: {},
    data: [],
    files: [],
    whole: [],
    digits: [],
    dialectDigest: '',
  },
  audience: ['role:finance'],
  openedAt: new Date(Date.now() - 600_000).toISOString(),
  expiresAt: new Date(Date.now() + 7_200_000 + n * 1_000).toISOString(),
  dueAt: new Date(Date.now() + 7_200_000 + n * 1_000).toISOString(),
  nextStep: null,
  digest: `sha256:${n}`,
  requester: 'bob',
  pause: { index: 1, count: 1, holdIds: [] },
  ladder: [],
  expires: { at: null, then: 'fail', clock: 'wall' },
  onReject: 'answers',
  mayExtend: false,
  ...change,
});

/** As the decision leaves it: sent, or waiting for its grace. */
function decidedHold(hold: HoldView, body: DecisionBody): HoldView {
  const [by, at, version] = ['ana', new Date().toISOString(), hold.version + 1];
  const { decides } = hold;
  const { status } = body;
  const values = status === 'resolved' ? body.values : {};
  const reason = status === 'cancelled' ? (body.reason ?? null) : null;
  const isNo = status === 'cancelled' || (decides !== null && values[decides.field] === decides.no);
  const verdict = isNo ? 'no' : decides === null ? 'answered' : 'yes';
  if (hold.graceMs !== null) {
    const outgoing = { at: new Date(Date.now() + hold.graceMs).toISOString(), by, decidedAt: at, mayUndo: true };
    const name = answerNameOf(hold, verdict, status === 'resolved');
    return { ...hold, version, forMe: false, outgoing: { ...outgoing, status, values, reason, name } };
  }
  const decision = {
    by,
    at,
    status,
    values,
    reason,
    source: 'page' as const,
    digest: hold.digest,
    seenDigest: hold.digest,
    credential: null,
    actor: null,
  };
  const end = ({ yes: 'approved', no: 'declined', answered: 'answered' } as const)[verdict];
  const ended = { by, at, why: end } as const;
  return {
    ...hold,
    version,
    forMe: false,
    status: status === 'resolved' ? 'decided' : 'cancelled',
    verdict,
    decision,
    ended,
  };
}

export const rowOf = ({ decides, ...hold }: HoldView): HoldRowView => ({
  ...hold,
  ...(decides === null ? {} : { decides }),
  votes: { have: hold.votes.have, need: hold.votes.need },
  escalations: 0,
  decidedStatus: hold.decision?.status ?? null,
  decidedBy: hold.decision?.by ?? null,
});

const me = {
  id: 'ana',
  name: 'Ana',
  roles: ['finance'],
  isOperator: false,
  names: {},
  agents: [{ name: 'expenses', title: 'Expenses' }],
  policies: ['finance', 'legal'],
  via: 'none',
  temporalUrl: null,
  sessionEndsAt: null,
};

export async function startPageServer(count: number): Promise<PageServer> {
  const streams = new Set<ServerResponse>();
  const write = (stream: ServerResponse, name: string, data: unknown): void =>
    void stream.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);

  const open = (): HoldView[] => self.holds.filter(({ status }) => status === 'open');
  const totals = (): InboxCounts => {
    const waiting = open().length;
    return { forMe: waiting, mine: waiting, team: waiting, all: waiting, decided: self.holds.length - waiting };
  };

  function page(query: URLSearchParams): {
    items: HoldView[];
    nextCursor: string | null;
    totals: InboxCounts;
  } {
    const all = query.get('view') === 'decided' ? self.holds.filter(({ status }) => status !== 'open') : open();
    const items = all.filter(({ id }) => id.startsWith(query.get('id') ?? ''));
    const from = Number(query.get('cursor') ?? 0);
    const to = from + Number(query.get('limit') ?? 50);
    return { items: items.slice(from, to), nextCursor: to < items.length ? String(to) : null, totals: totals() };
  }

  function counted(query: URLSearchParams): number {
    const isDecided = query.get('view') === 'decided';
    const names = isDecided ? ['endedFrom', 'endedTo'] : ['dueFrom', 'dueTo'];
    const [from = '', to = ''] = names.map((name) => query.get(name) ?? '');
    const all = isDecided ? self.holds.filter(({ status }) => status !== 'open') : open();
    const times = all.map(({ ended, dueAt }) => (isDecided ? ended?.at : dueAt) ?? '9999-12-31');
    return times.filter((at) => at >= from && (to === '' || at < to)).length;
  }

  function alikeAnswer(like: string | null): AlikeGroups {
    const groups = togetherGroups(open());
    const mine = groups.find(({ holds }) => holds.some(({ id }) => id === like));
    return {
      groups: groups.map(({ holds, title, sum }) => ({ id: holds[0]?.id ?? '', title, count: holds.length, sum })),
      rows: (mine?.holds ?? []).slice(0, 50).map(rowOf),
      isAll: true,
    };
  }

  function answer({ pathname, searchParams }: URL): unknown {
    if (pathname === '/api/me') return me;
    if (pathname === '/agents')
      return { items: [{ name: 'expenses', title: 'Expenses', description: '', examples: [] }] };
    if (pathname === '/api/inbox/rows') {
      const { items, ...rest } = page(searchParams);
      return { items: items.map(rowOf), ...rest };
    }
    if (pathname === '/api/holds') return page(searchParams);
    if (pathname === '/api/inbox/count') return { count: counted(searchParams), isAll: true };
    if (pathname === '/api/inbox/alike') return alikeAnswer(searchParams.get('like'));
    if (pathname.endsWith('/precedents'))
      return { reasons: self.reasons, call: self.lastCall, alike: self.alike } satisfies PrecedentsView;
    const id = /^\/api\/holds\/([^/]+)$/.exec(pathname)?.[1];
    return self.holds.find((hold) => hold.id === id);
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://page');
    if (url.pathname === '/api/inbox/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      streams.add(response);
      request.on('close', () => streams.delete(response));
      write(response, 'hello', { now: new Date().toISOString(), build: self.build });
      return;
    }
    if (url.pathname.endsWith('/run')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      self.runs.push(response);
      return;
    }
    const decidedId = /^\/api\/holds\/([^/]+)\/decision$/.exec(url.pathname)?.[1];
    if (decidedId !== undefined) return void decide(decidedId, request, response);
    if (url.pathname === '/api/holds/decisions') return void decideMany(request, response);
    const undoneId = /^\/api\/holds\/([^/]+)\/undo$/.exec(url.pathname)?.[1];
    if (undoneId !== undefined) return undo(undoneId, response);
    const movedId = /^\/api\/holds\/([^/]+)\/reassign$/.exec(url.pathname)?.[1];
    if (movedId !== undefined && request.method === 'POST') return void reassign(movedId, request, response);
    const snoozedId = /^\/api\/holds\/([^/]+)\/snooze$/.exec(url.pathname)?.[1];
    if (snoozedId !== undefined) return snooze(snoozedId, response);
    if (url.pathname.startsWith('/api/') || url.pathname === '/agents') {
      const body = answer(url);
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body ?? { code: 'not_found' }));
      return;
    }
    const file = url.pathname.startsWith('/assets/') ? url.pathname : '/index.html';
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/html; charset=utf-8' });
    response.end(readFileSync(join(root, 'dist/web', file)));
  }

  function known(id: string): HoldView {
    const hold = self.holds.find((one) => one.id === id);
    if (hold === undefined) throw new Error(`no question ${id}`);
    return hold;
  }

  /** The question as it is from now on, and the answer to who changed it. */
  function become(hold: HoldView, response: ServerResponse, body: object): void {
    self.holds = self.holds.map((one) => (one.id === hold.id ? hold : one));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
    self.publishHold(hold);
    self.publish('counts', totals());
  }

  async function decide(id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = DecisionBodySchema.parse(await json(request));
    self.decisions.push({ id, body });
    const hold = decidedHold(known(id), body);
    become(hold, response, { hold });
  }

  async function decideMany(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { decisions } = (await json(request)) as { decisions: { id: string }[] };
    self.bulk.push(...decisions);
    // As the product does: the change is in the stream before the answer has come.
    for (const { id } of decisions) {
      const before = known(id);
      const hold = decidedHold(before, { status: 'resolved', values: { confirmed: true } });
      self.holds = self.holds.map((one) => (one.id === id ? hold : one));
      self.publishHold(hold);
    }
    self.publish('counts', totals());
    await new Promise((resolve) => setTimeout(resolve, self.bulkTakesMs));
    const results = decisions.map(({ id }) => ({ id, ok: true, status: 'decided', votes: null }));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ results }));
  }

  function undo(id: string, response: ServerResponse): void {
    const before = known(id);
    const hold = { ...before, version: before.version + 1, forMe: true, outgoing: null };
    become(hold, response, hold);
  }

  async function reassign(id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { to } = (await json(request)) as { to: string[] };
    const { audience, moves, version, ...before } = known(id);
    const move = { at: new Date().toISOString(), by: 'ana', from: audience, to, note: null };
    const mine = { mayDecide: to.includes('user:ana'), forMe: to.includes('user:ana') };
    const hold = { ...before, ...mine, version: version + 1, audience: to, moves: [...moves, move] };
    become(hold, response, hold);
  }

  function snooze(id: string, response: ServerResponse): void {
    const before = known(id);
    const snoozedUntil = new Date(Date.now() + 3_600_000).toISOString();
    const hold = { ...before, version: before.version + 1, forMe: false, snoozedUntil };
    become(hold, response, hold);
  }

  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const self: PageServer = {
    url: `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`,
    holds: Array.from({ length: count }, (_, n) => aHold(n)),
    decisions: [],
    bulk: [],
    bulkTakesMs: 0,
    reasons: [],
    lastCall: null,
    alike: null,
    build: 'b1',
    publish: (name, data) => {
      for (const stream of streams) write(stream, name, data);
    },
    publishHold: (hold) => self.publish('hold', { id: hold.id, version: hold.version, row: rowOf(hold) }),
    cutStreams: () => {
      for (const stream of streams) stream.destroy();
    },
    readers: () => streams.size,
    runs: [],
    say: (...events) => {
      for (const event of events) self.runs.at(-1)?.write(`data: ${JSON.stringify(event)}\n\n`);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return self;
}
