// Passes a message on to the server of a gate, and its answer back: by streamable HTTP as it comes, or to a server that is started here.
import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Gate } from '../../contract/configuration/gate.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { isObject, objectOf, parseJson, stringOf } from '../../core/base/json.ts';
import { failureOf, internalError, tasksExtension } from '../../core/policy/gate-message.ts';
import { createEgress } from '../../host/net/egress.ts';
import { isEventStream } from '../../host/net/guarded-fetch.ts';
import { startStdio, type StdioSession } from '../../host/net/mcp-stdio.ts';
import { upstreamFetch } from '../../host/net/mcp-upstream.ts';
import { boundName, nameIn, type Purpose } from '../../host/secrets/bound-names.ts';
import type { ApiContext } from '../api-context.ts';
import type { CallerLease } from '../http/sse.ts';
import { sendStream } from '../mcp/serve.ts';
import type { AskingApi } from '../ask/ask-people.ts';
import { shownTools, type GateTools } from './gate-tools.ts';
import { asksPeople, blockOf, blocksIn, blocksOf, withForms, withoutForms, type Block } from './passed-forms.ts';

export interface Passing {
  request: FastifyRequest;
  reply: FastifyReply;
  lease: CallerLease;
  name: string;
  gate: Gate;
  /** A call that may be made twice, by its server's word; all that is no call may. */
  isRepeatable?: boolean;
}

/** A request's message, null for the stream of what a server sends of itself, or for the end of a session. */
type Message = JsonObject | null;

export interface PassOn {
  pass(passing: Passing, message: Message): Promise<FastifyReply>;
  close(): void;
}

/** All else that a client sends is about its connection to the gate. */
const passedHeaders = ['accept', 'last-event-id', 'mcp-protocol-version', 'mcp-session-id'] as const;
const returnedHeaders = ['content-type', 'mcp-session-id', 'allow'] as const;
const sessionHeader = 'mcp-session-id';
/** As the protocol wants it of who sends; a client that listens takes streams alone. */
const bothWays = 'application/json, text/event-stream';
const modernKey = 'io.modelcontextprotocol/protocolVersion';

const headerOf = ({ headers }: FastifyRequest, name: string): string | undefined => [headers[name]].flat()[0];

/** Headers that say what the body says: made of the body that is sent, never taken from the client. */
function bodyHeaders(message: JsonObject): Record<string, string> {
  const params = objectOf(message['params']);
  const { method } = message;
  const revision = objectOf(params['_meta'])[modernKey];
  if (typeof revision !== 'string' || typeof method !== 'string' || message['id'] === undefined) return {};
  const named = params['name'] ?? params['uri'] ?? params['taskId'];
  return {
    'mcp-protocol-version': revision,
    'mcp-method': method,
    ...(typeof named === 'string' ? { 'mcp-name': asHeader(named) } : {}),
  };
}

/** As the protocol writes what no header may have. */
const asHeader = (text: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;

const leftSignal = ({ reply, lease }: Passing): AbortSignal => {
  const closed = new AbortController();
  reply.raw.once('close', () => closed.abort());
  return AbortSignal.any([closed.signal, lease.signal]);
};

const noSuchSession = (reply: FastifyReply, message: Message): FastifyReply =>
  reply.code(404).send(failureOf(message?.['id'], -32001, 'there is no such session; initialize again'));

/** A session of the server is bound to its caller: another one that learns its name has no session by it. */
const sessionOf = ({ name, request }: Passing, takesNoForms: boolean): Purpose => ({
  for: 'standfast gate session',
  gate: name,
  by: request.principal.id,
  ...(takesNoForms ? { forms: 'by people' } : {}),
});

/** The server's name of a session, and whether its client takes no forms; null: it is none of this caller's. */
function sessionNamed(prover: ApiContext['prover'], passing: Passing): { id?: string; takesNoForms: boolean } | null {
  const named = headerOf(passing.request, sessionHeader);
  if (named === undefined) return { takesNoForms: false };
  for (const takesNoForms of [false, true]) {
    const id = nameIn(prover, named, sessionOf(passing, takesNoForms));
    if (id !== null) return { id, takesNoForms };
  }
  return null;
}

/** People answer the forms in what a server sends, of which the client gets the rest. */
function streamWithoutForms(
  api: AskingApi,
  passing: Passing,
  { message, sent }: { message: Message; sent: Message },
  answer: AsyncIterable<Block>,
  send: (message: JsonObject, signal: AbortSignal) => Promise<AsyncIterable<Block>>,
): FastifyReply {
  const { reply, request, name, gate } = passing;
  const signal = leftSignal(passing);
  const tool = message?.['method'] === 'tools/call' ? stringOf(objectOf(message['params'])['name']) : null;
  const ask = asksPeople(api, { name, gate, principal: request.principal, tool }, signal);
  const body = withoutForms(answer, tool === null ? null : sent, (more) => send(more, signal), ask);
  return sendStream(reply.type('text/event-stream'), { body });
}

export function createPassOn(api: AskingApi, tools: GateTools): PassOn {
  const stdio = createStdioSessions(api.log);
  const fetches = createFetches(api);
  return {
    pass: (passing, message) =>
      passing.gate.url === undefined
        ? passToStarted(api, { stdio, tools }, passing, message)
        : passByHttp(api, { tools, fetches }, passing, message),
    close: stdio.close,
  };
}

/** To the server of each gate, as long as it is configured so: over connections that are kept, or one for each request. */
type Fetches = (gate: Gate, keepsConnections: boolean) => typeof fetch;

function createFetches({ config }: Pick<ApiContext, 'config'>): Fetches {
  const egress = createEgress(config.egress);
  const known = new WeakMap<Gate, { kept: typeof fetch; single: typeof fetch }>();
  return (gate, keepsConnections) => {
    const own = known.get(gate) ?? {
      kept: upstreamFetch(gate, egress, { keepsConnections: true }),
      single: upstreamFetch(gate, egress),
    };
    known.set(gate, own);
    return keepsConnections ? own.kept : own.single;
  };
}

/** A stream of what the server sends of itself, or the end of a session, is a connection of its own. */
const mayShare = (message: Message, { isRepeatable = false }: Passing): boolean =>
  message !== null && (message['method'] !== 'tools/call' || isRepeatable);

async function passByHttp(
  api: AskingApi,
  { tools, fetches }: { tools: GateTools; fetches: Fetches },
  passing: Passing,
  message: Message,
): Promise<FastifyReply> {
  const { log, prover } = api;
  const { request, reply, gate, name } = passing;
  const session = sessionNamed(prover, passing);
  // Of another caller as of none: the client begins a session of its own.
  if (session === null) return noSuchSession(reply, message);
  const given = passedHeaders.flatMap((header): [string, string][] => {
    const value = header === sessionHeader ? session.id : headerOf(request, header);
    return value === undefined ? [] : [[header, value]];
  });
  const send = (one: Message, signal: AbortSignal, more: Record<string, string> = {}): Promise<Response> =>
    fetches(gate, mayShare(one, passing))(gate.url ?? '', {
      method: one === null ? request.method : 'POST',
      headers: {
        ...Object.fromEntries(given),
        ...(one === null ? {} : { 'content-type': 'application/json', ...bodyHeaders(one) }),
        ...more,
      },
      body: one === null ? null : JSON.stringify(one),
      signal,
    });
  const changed = withForms(gate, message);
  const sent = changed ?? message;
  let answer: Response;
  try {
    answer = await send(sent, leftSignal(passing));
  } catch (err) {
    log.warn({ err, gate: name }, 'the server of a gate cannot be reached');
    return reply.code(502).send(failureOf(message?.['id'], internalError, 'the server of this gate cannot be reached'));
  }
  void reply.code(answer.status);
  for (const header of returnedHeaders) {
    const value = answer.headers.get(header);
    if (value === null) continue;
    const purpose = sessionOf(passing, session.takesNoForms || changed !== null);
    void reply.header(header, header === sessionHeader ? boundName(prover, value, purpose) : value);
  }
  // What refuses to say what it is, as servers before that method do, is read by the client itself.
  const read = readerOf(tools, passing, message, answer.ok);
  if (message !== null && read !== null) return sendRead(passing, answer, message, read);
  const { body } = answer;
  if (body === null) return reply.send();
  const isStream = isEventStream(answer.headers.get('content-type'));
  const isCallAlone = changed !== null && message?.['method'] === 'tools/call';
  if (answer.ok && (isCallAlone || (session.takesNoForms && isStream)))
    return streamWithoutForms(api, passing, { message, sent }, blocksOf(answer), async (one, signal) =>
      blocksOf(await send(one, signal, { accept: bothWays })),
    );
  return isStream ? sendStream(reply, { body }) : reply.send(Buffer.from(await answer.arrayBuffer()));
}

type Reader = (answer: JsonObject) => Promise<JsonObject>;

/** What becomes of an answer that is read whole; null: it goes on as it comes. */
function readerOf(tools: GateTools, { name, gate }: Passing, message: Message, isOk = true): Reader | null {
  if (message?.['method'] === 'tools/list') return (answer) => shownTools(tools, { name, gate }, answer);
  return message?.['method'] === 'server/discover' && isOk ? async (answer) => withTasks(answer) : null;
}

/** What a server says of itself, and that the gate has tasks for calls that it holds. */
function withTasks(answer: JsonObject): JsonObject {
  const { result } = answer;
  if (!isObject(result)) return answer;
  const capabilities = objectOf(result['capabilities']);
  const extensions = { [tasksExtension]: {}, ...objectOf(capabilities['extensions']) };
  return { ...answer, result: { ...result, capabilities: { ...capabilities, extensions } } };
}

/** Whichever way the answer comes. */
async function sendRead(
  { reply }: Passing,
  answer: Response,
  { id, method }: JsonObject,
  read: Reader,
): Promise<FastifyReply> {
  const text = await answer.text();
  const isStream = isEventStream(answer.headers.get('content-type'));
  const found = isStream ? blocksIn(text).find(({ message }) => message?.['id'] === id)?.message : parseJson(text);
  void reply.header('content-type', 'application/json');
  return reply.send(isObject(found) ? await read(found) : unreadable(id, method));
}

const unreadable = (id: Json | undefined, method: Json | undefined): JsonObject =>
  failureOf(id, internalError, `the server of this gate does not answer ${stringOf(method)}`);

interface StdioSessions {
  of(passing: Passing, id: string): OfClient | null;
  begin(passing: Passing, id: string, takesNoForms: boolean): OfClient;
  close(): void;
}

interface OfClient {
  session: StdioSession;
  takesNoForms: boolean;
}

const maxSessions = 100;
const idleMs = 15 * 60_000;

/** Sessions of clients with servers that are started here; a caller finds only their own. */
function createStdioSessions(log: ApiContext['log']): StdioSessions {
  const sessions = new Map<string, OfClient & { gate: Gate; usedAtMs: number }>();
  const keyOf = ({ name, request }: Passing, id: string): string => JSON.stringify([name, request.principal.id, id]);
  function tidy(): void {
    const now = performance.now();
    for (const [, one] of sessions) if (now - one.usedAtMs > idleMs) one.session.end();
  }
  return {
    of(passing, id) {
      const found = sessions.get(keyOf(passing, id));
      if (found === undefined) return null;
      if (found.gate !== passing.gate) found.session.end();
      if (found.session.isOver()) return null;
      found.usedAtMs = performance.now();
      return found;
    },
    begin(passing, id, takesNoForms) {
      tidy();
      if (sessions.size >= maxSessions)
        throw new StandfastError('rate_limited', `${maxSessions} servers of gates run here already; end a session`);
      const key = keyOf(passing, id);
      const session = startStdio(passing.gate, (why) => {
        sessions.delete(key);
        if (why !== null) log.warn({ gate: passing.name, why }, 'the program of a gate has ended');
      });
      const begun = { session, takesNoForms, gate: passing.gate, usedAtMs: performance.now() };
      sessions.set(key, begun);
      return begun;
    },
    close() {
      for (const [, { session }] of sessions) session.end();
    },
  };
}

async function passToStarted(
  api: AskingApi,
  { stdio, tools }: { stdio: StdioSessions; tools: GateTools },
  passing: Passing,
  message: Message,
): Promise<FastifyReply> {
  const { request, reply, gate } = passing;
  const given = headerOf(request, sessionHeader) ?? '';
  const isNew = message?.['method'] === 'initialize';
  const id = isNew ? randomUUID() : given;
  const before = isNew ? null : stdio.of(passing, id);
  // Clients of the newest revision have no session, and share one process with others of their key.
  if (before === null && id !== '' && !isNew) return noSuchSession(reply, message);
  if (request.method === 'DELETE') {
    before?.session.end();
    return reply.code(before === null ? 405 : 204).send();
  }
  const changed = withForms(gate, message);
  const { session, takesNoForms } = before ?? stdio.begin(passing, id, isNew && changed !== null);
  if (isNew) void reply.header(sessionHeader, id);
  const sent = changed ?? message;
  const isCut = takesNoForms || changed !== null;
  return answerOfStarted(api, tools, passing, { message, sent, session, takesNoForms: isCut });
}

async function answerOfStarted(
  api: AskingApi,
  tools: GateTools,
  passing: Passing,
  { message, sent, session, takesNoForms }: OfClient & { message: Message; sent: Message },
): Promise<FastifyReply> {
  const { reply } = passing;
  const signal = leftSignal(passing);
  const came = sent === null ? session.listen(signal) : session.send(sent, signal);
  if (message !== null && (message['id'] === undefined || message['method'] === undefined))
    return reply.code(202).send();
  const read = readerOf(tools, passing, message);
  if (message !== null && read !== null) {
    for await (const answer of came) if (answer['method'] === undefined) return reply.send(await read(answer));
    return reply.send(unreadable(message['id'], message['method']));
  }
  if (!takesNoForms) return sendStream(reply.type('text/event-stream'), { body: asBytes(came) });
  return streamWithoutForms(api, passing, { message, sent }, asBlocks(came), async (more) =>
    asBlocks(session.send(more, signal)),
  );
}

async function* asBlocks(messages: AsyncIterable<JsonObject>): AsyncGenerator<Block> {
  for await (const message of messages) yield blockOf(message);
}

async function* asBytes(messages: AsyncIterable<JsonObject>): AsyncGenerator<Uint8Array> {
  for await (const message of messages) yield Buffer.from(blockOf(message).text);
}
