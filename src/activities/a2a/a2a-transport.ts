import type { A2aTaskId } from '../../contract/base/id-types.ts';
import { type AgentCard, Message, SendMessageRequest, type StreamResponse, type Task } from '@a2a-js/sdk';
import { type Client, type RequestOptions, ServiceParameters, withA2AExtensions } from '@a2a-js/sdk/client';
import { KeptCardSchema } from '../../contract/tasks/agent-card.ts';
import type { CallerMessage } from '../../contract/tasks/caller.ts';
import type { AgentConfig } from '../../contract/configuration/agent-config.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { NeutralPart, TurnEvent } from '../../contract/tasks/turn.ts';
import { assertNever } from '../../core/base/errors.ts';
import { fileNameAt } from '../../core/base/file-names.ts';
import { objectsIn, stringOf } from '../../core/base/json.ts';
import { isOfOtherCard } from '../../core/turn/agent-errors.ts';
import { fileReader, type FileCall, type ReadFile } from './a2a-file.ts';
import type { Egress } from '../../host/net/egress.ts';
import { createGuardedFetch } from '../../host/net/guarded-fetch.ts';
import { createTokenSource, type TokenSource, withBearer } from '../../host/net/oauth.ts';
import { carryDropped, restoreMessage, restoreResponse, restoreTask } from '../../wire/a2a/codec/dropped.ts';
import { knownExtensions, spokenExtensions } from '../../core/questions/agent-dialects.ts';
import { readMessage, readStreamResponse, readTask } from '../../wire/a2a/dialects/read-event.ts';
import { callMethod, type RawCall } from './a2a-raw-call.ts';
import { createCardSource, taskOfNone } from './a2a-card.ts';
import type { A2aErrorInfo } from '../../contract/tasks/agent-error.ts';
import { CardError, NoBindingError, classifyA2aError } from './a2a-errors.ts';
import { findMessage, type FoundMessage } from './a2a-find.ts';
import { createNumberKeeper, fetchRewriting, withNoted } from './rewrite-answers.ts';
import { clientFor, createGrpcWay, drops, type Way } from './a2a-client.ts';
import { isUnauthenticated, isCancelled } from './grpc-errors.ts';
import { completed, maxHistoryOf, type Server } from './langgraph-server.ts';

/*
 * The only user of the A2A client. It neither retries nor waits: every call ends with its signal, and every
 * error is thrown as it came, for `classify` to explain. The end of a stream proves nothing (docs/wire.md).
 */

export interface Call {
  signal: AbortSignal;
  /** Response headers are here: the request was delivered. */
  onResponse?: () => void;
  /** Activated for this request, in addition to those activated for every one. */
  extensions?: readonly string[];
  /** Any input, pings included, distinguishes silence from slowness. */
  onBytes?: (bytes: number) => void;
}

export interface OutgoingMessage {
  messageId: string;
  parts: readonly NeutralPart[];
  taskId: A2aTaskId | null;
  contextId: string | null;
  /** Named in the message, and activated in addition to those that the agent's card offers and Standfast knows. */
  extensions: readonly string[];
  metadata: JsonObject;
  /** A message of an A2A caller, which is passed on unchanged; `parts` are then only Standfast's reading of it. */
  forwarded?: CallerMessage;
  /** `send`: one blocking request, also where the agent can stream. */
  mode?: 'stream' | 'send';
  /** MIME types; the agent's own choice when there are none. */
  acceptedOutputModes?: readonly string[];
  /** How many messages of the task's past the answer may bring; null or missing: as many as the agent likes. */
  historyLength?: number | null;
  /** Where the agent may send push notifications, if it supports them. */
  push?: { url: string; token: string };
}

export interface A2aTransport {
  card(call: Call): Promise<AgentCard>;
  /** Whether the agent's server answers now, also where messages go; throws what it answers otherwise. */
  ping(call: Call): Promise<void>;
  supportsStreaming(call: Call): Promise<boolean>;
  /** Without streaming, or in mode `send`: one event, at once where the agent can, and the caller follows by getTask. */
  sendStream(message: OutgoingMessage, call: Call): AsyncIterable<TurnEvent>;
  getTask(a2aTaskId: A2aTaskId, options: { historyLength?: number }, call: Call): Promise<TurnEvent>;
  resubscribe(a2aTaskId: A2aTaskId, call: Call): AsyncIterable<TurnEvent>;
  cancel(a2aTaskId: A2aTaskId, call: Call): Promise<TurnEvent>;
  findByMessageId(what: { contextId: string; messageId: string }, call: Call): Promise<FoundMessage>;
  /** A JSON-RPC method that A2A does not have; the answer as it came. */
  rawCall(what: RawCall, call: Call): Promise<unknown>;
  /** A file at an address that the agent named. */
  readFile(url: string, call: FileCall): Promise<ReadFile>;
  classify(error: unknown, signal?: AbortSignal): A2aErrorInfo;
}

const maxBodyBytes = 64 * 1024 * 1024;

interface TransportOptions {
  agent: string;
  config: AgentConfig;
  egress: Egress;
  log?: { warn(values: object, message: string): void };
  /** Largest answer that is not a stream. */
  maxBytes?: number;
  /** A `fetch` whose requests are part of a trace; missing: nothing is traced. */
  traced?: (send: typeof fetch) => typeof fetch;
}

/** What calls of one agent are made by. */
interface Calls extends Pick<A2aTransport, 'classify'> {
  config: AgentConfig;
  /** A connection for each message. */
  messages: Way;
  /** For what only reads, which may be sent twice: its connections are kept. */
  reads: Way;
  tokens: TokenSource | null;
  cards: ReturnType<typeof createCardSource>;
}

export function createA2aTransport(options: TransportOptions): A2aTransport {
  const { agent, config, egress, log, maxBytes = maxBodyBytes } = options;
  const addresses = config.endpoint === undefined ? [config.url] : [config.url, config.endpoint];
  const allowedOrigins = [...addresses, ...config.allowOrigins].map((address) => new URL(address).origin);
  const { traced = (untraced) => untraced } = options;
  const tokens = config.oauth2 === undefined ? null : createTokenSource(config.oauth2, { egress });
  const ourOptions = { allowedOrigins, egress, headers: config.headers, maxBytes };
  const fetchBy = (keepsConnections: boolean): typeof fetch => {
    const plainFetch = traced(createGuardedFetch({ ...ourOptions, keepsConnections }));
    return tokens === null ? plainFetch : withBearer(plainFetch, tokens);
  };
  const wayBy = (keepsConnections: boolean): Way => ({
    fetch: fetchBy(keepsConnections),
    grpc: createGrpcWay({ egress, headers: config.headers, tokens, maxBytes, keepsConnections }),
  });
  const messages = wayBy(false);
  const reads = wayBy(true);

  const classify = (error: unknown, signal?: AbortSignal): A2aErrorInfo =>
    classifyA2aError(error, { signal, secrets: [...Object.values(config.headers), ...(tokens?.secrets() ?? [])] });

  const cards = createCardSource({
    url: config.url,
    ...(config.endpoint === undefined ? {} : { endpoint: config.endpoint }),
    ...(config.cardKeys === undefined ? {} : { keys: config.cardKeys }),
    allowedOrigins,
    spoken: [...spokenExtensions, ...config.extensions],
    fetchImpl: messages.fetch,
    async readExtended(card, signal) {
      const { client, close } = await clientFor(card, messages, { signal });
      return client.getAgentCard(requestOptions(config, card, [], signal)).finally(close);
    },
    warn: (error, message) => log?.warn({ agent, why: classify(error).message }, message),
  });
  const calls: Calls = { config, messages, reads, tokens, cards, classify };

  return {
    classify,
    readFile: fileReader({ allowedOrigins, egress, headers: config.headers }, (inner) =>
      tokens === null ? inner : withBearer(inner, tokens),
    ),
    card: (call) => cards.load(call.signal),
    async ping(call) {
      // Most agents that are away fail by the address of the card, which any server has.
      await cards.ping(call.signal);
      await run(calls, reads, call, (client, own) => client.getTask(taskOfNone, own));
    },
    supportsStreaming: async (call) => canStream(await cardFor(calls, call)),
    sendStream: (message, call) =>
      stream(calls, call, { beginsTask: message.taskId === null }, (client, card, signal) =>
        send(
          client,
          canStream(card) && message.mode !== 'send',
          withinHistory(canPush(card) ? message : withoutPush(message), card),
          requestOptions(config, card, [...message.extensions, ...(message.forwarded?.extensions ?? [])], signal),
        ),
      ),
    resubscribe: (a2aTaskId, call) =>
      stream(calls, call, { beginsTask: false }, (client, card, signal) =>
        subscribe(client, a2aTaskId, requestOptions(config, card, call.extensions ?? [], signal)),
      ),
    getTask: (id, { historyLength }, call) =>
      run(calls, reads, call, async (client, own, card) => {
        const server = serverOf(client, card, reads.fetch, call.signal);
        const most = historyLength === undefined ? undefined : Math.min(historyLength, maxHistoryOf(server.card));
        const task = taskFrom(client, await client.getTask({ tenant: '', id, historyLength: most }, own));
        const [event = task] = await completed(task, server);
        return withNoted(event, client);
      }),
    cancel: (id, call) =>
      run(calls, messages, call, async (client, own) =>
        withNoted(taskFrom(client, await client.cancelTask({ tenant: '', id, metadata: undefined }, own)), client),
      ),
    async rawCall(what, call) {
      try {
        return await callMethod(await cardFor(calls, call), messages.fetch, what, call);
      } catch (error) {
        noteFailure(calls, error, call.signal);
        throw error;
      }
    },
    findByMessageId: (what, call) => run(calls, reads, call, (client) => findMessage(client, what, call.signal)),
  };
}

const requestOptions = (
  config: AgentConfig,
  card: AgentCard,
  extensions: readonly string[],
  signal: AbortSignal,
): RequestOptions =>
  activating([...extensions, ...config.extensions, ...knownExtensions(KeptCardSchema.parse(card))], signal);

/** A caller that gives up while it waits for the card has sent nothing. */
async function cardFor({ cards }: Calls, { signal }: Call, { beginsTask = false } = {}): Promise<AgentCard> {
  try {
    return await cards.load(signal);
  } catch (error) {
    // What is about a task proves that there was a card, which this process may be too young to have read.
    if (error instanceof CardError && !beginsTask) throw new CardError(error.message, { cause: error.cause });
    if (error instanceof NoBindingError && !beginsTask) throw new CardError(error.message);
    if (!signal.aborted || error !== signal.reason) throw error;
    throw new CardError('the agent card did not come in time', { cause: error });
  }
}

function noteFailure({ cards, classify }: Calls, error: unknown, signal: AbortSignal): void {
  // Other callers may be waiting for the same card.
  if (signal.aborted) return;
  const { what } = classify(error, signal);
  if (['http', 'network', 'protocol', 'policy', 'card', 'no-binding', 'empty-stream', 'unsupported'].includes(what))
    cards.forget();
}

async function run<T>(
  calls: Calls,
  way: Way,
  call: Call,
  act: (client: Client, own: RequestOptions, card: AgentCard) => Promise<T>,
): Promise<T> {
  const by = async (card: AgentCard): Promise<T> => {
    const { client, close } = await clientFor(card, way, call);
    const own = requestOptions(calls.config, card, call.extensions ?? [], call.signal);
    return act(client, own, card).finally(close);
  };
  try {
    const card = await cardFor(calls, call);
    try {
      return await by(card);
    } catch (error) {
      return await by(await cardAfter(calls, card, error, call));
    }
  } catch (error) {
    noteFailure(calls, error, call.signal);
    throw asGivenUp(error, call.signal);
  }
}

/** gRPC reports a request that its caller gave up as a status, and not by the caller's reason. */
const asGivenUp = (error: unknown, signal: AbortSignal): unknown =>
  signal.aborted && isCancelled(error) ? signal.reason : error;

/**
 * The card by which the same request goes once more: the agent says that it took nothing of it, as a server of another
 * version does, and its card, read again, names another way. Throws the error where it does not.
 */
async function cardAfter(calls: Calls, card: AgentCard, error: unknown, call: Call): Promise<AgentCard> {
  const { cards, classify, tokens } = calls;
  const { signal } = call;
  // Over HTTP `withBearer` does it.
  if (tokens !== null && !signal.aborted && isUnauthenticated(error)) {
    tokens.refused(await tokens.token(signal));
    return card;
  }
  if (signal.aborted || !isOfOtherCard(classify(error, signal))) throw error;
  const now = await cards.renew(card, signal).catch((failed: unknown) => {
    // With the time over, what is proven counts: nothing was taken.
    throw signal.aborted ? error : failed;
  });
  if (JSON.stringify(now.supportedInterfaces) === JSON.stringify(card.supportedInterfaces)) throw error;
  return now;
}

async function* stream(
  calls: Calls,
  call: Call,
  about: { beginsTask: boolean },
  open: (client: Client, card: AgentCard, signal: AbortSignal) => AsyncIterable<TurnEvent>,
): AsyncGenerator<TurnEvent, void, undefined> {
  const { messages } = calls;
  // Ends the connection also when the reader just stops reading.
  const done = new AbortController();
  let hasBegun = false;
  async function* by(card: AgentCard): AsyncGenerator<TurnEvent, void, undefined> {
    const { client, close } = await clientFor(card, messages, call);
    const signal = AbortSignal.any([call.signal, done.signal]);
    const server = serverOf(client, card, messages.fetch, signal);
    try {
      for await (const event of open(client, card, signal)) {
        hasBegun = true;
        for (const one of await completed(event, server)) yield withNoted(one, client);
      }
    } finally {
      close();
    }
  }
  try {
    const card = await cardFor(calls, call, about);
    try {
      yield* by(card);
    } catch (error) {
      if (hasBegun) throw error;
      yield* by(await cardAfter(calls, card, error, call));
    }
  } catch (error) {
    noteFailure(calls, error, call.signal);
    throw asGivenUp(error, call.signal);
  } finally {
    done.abort();
  }
}

function eventFrom(client: Client, response: StreamResponse): TurnEvent {
  return readStreamResponse(drops(client) ? restoreResponse(response) : response);
}

function taskFrom(client: Client, task: Task): TurnEvent {
  return readTask(drops(client) ? restoreTask(task) : task);
}

const serverOf = (client: Client, card: AgentCard, fetchImpl: typeof fetch, signal: AbortSignal): Server => ({
  card: KeptCardSchema.parse(card),
  url: card.supportedInterfaces[0]?.url ?? '',
  fetchImpl: fetchRewriting(fetchImpl, createNumberKeeper(client)),
  signal,
});

/** As many messages of the past as the agent gives. */
function withinHistory(message: OutgoingMessage, card: AgentCard): OutgoingMessage {
  const { historyLength = null } = message;
  if (historyLength === null) return message;
  return { ...message, historyLength: Math.min(historyLength, maxHistoryOf(KeptCardSchema.parse(card))) };
}

function canStream(card: AgentCard): boolean {
  return card.capabilities?.streaming === true;
}

function canPush(card: AgentCard): boolean {
  return card.capabilities?.pushNotifications === true;
}

function withoutPush({ push: _push, ...message }: OutgoingMessage): OutgoingMessage {
  return message;
}

async function* send(
  client: Client,
  isStreaming: boolean,
  outgoing: OutgoingMessage,
  options: RequestOptions,
): AsyncGenerator<TurnEvent, void, undefined> {
  // A blocking send would hold the request open until the next pause, and be cut off on the way; agents exist that do so.
  const request = requestOf(outgoing, { returnImmediately: !isStreaming });
  if (drops(client) && request.message !== undefined) request.message = carryDropped(request.message);
  if (isStreaming) {
    for await (const response of client.sendMessageStream(request, options)) yield eventFrom(client, response);
    return;
  }
  const result = await client.sendMessage(request, options);
  if (!('messageId' in result)) yield taskFrom(client, result);
  else yield readMessage(drops(client) ? restoreMessage(result) : result);
}

function requestOf(outgoing: OutgoingMessage, own: { returnImmediately: boolean }): SendMessageRequest {
  const { acceptedOutputModes = [], historyLength = null, push, forwarded } = outgoing;
  const history = historyLength === null ? {} : { historyLength };
  // The same id each time: agents keep one entry for each id they are given, and notify all of them.
  const notify = push === undefined ? {} : { taskPushNotificationConfig: { id: 'standfast', ...push } };
  const configuration = { acceptedOutputModes, ...history, ...notify, ...own };
  const { metadata = {} } = forwarded ?? {};
  const about = Object.keys(metadata).length === 0 ? {} : { metadata };
  return SendMessageRequest.fromJSON({ message: Message.toJSON(toMessage(outgoing)), configuration, ...about });
}

async function* subscribe(
  client: Client,
  id: string,
  options: RequestOptions,
): AsyncGenerator<TurnEvent, void, undefined> {
  for await (const response of client.resubscribeTask({ tenant: '', id }, options)) yield eventFrom(client, response);
}

/** Extensions are activated per request, for this agent alone; some agents fall silent in later requests without them. */
function activating(extensions: readonly string[], signal: AbortSignal): RequestOptions {
  const active = new Set(extensions);
  if (active.size === 0) return { signal };
  return { signal, serviceParameters: ServiceParameters.create(withA2AExtensions(...active)) };
}

function toMessage(outgoing: OutgoingMessage): Message {
  const names = {
    messageId: outgoing.messageId,
    role: 'ROLE_USER',
    ...(outgoing.taskId === null ? {} : { taskId: outgoing.taskId }),
    ...(outgoing.contextId === null ? {} : { contextId: outgoing.contextId }),
  };
  if (outgoing.forwarded !== undefined) {
    const { references, message } = outgoing.forwarded;
    const { taskId: _task, contextId: _our, ...rest } = message;
    const parts = objectsIn(rest['parts']).map(withFileName);
    return Message.fromJSON({ ...rest, ...names, parts, referenceTaskIds: references });
  }
  return Message.fromJSON({
    ...names,
    parts: outgoing.parts.map(toWirePart),
    ...(Object.keys(outgoing.metadata).length === 0 ? {} : { metadata: outgoing.metadata }),
    extensions: outgoing.extensions,
  });
}

/** A caller's part as it came, but for the name of a file that has none. */
function withFileName(part: JsonObject, index: number): JsonObject {
  const isNamed = !('raw' in part || 'url' in part) || stringOf(part['filename']) !== '';
  return isNamed ? part : { ...part, filename: fileNameAt(index, stringOf(part['mediaType'])) };
}

function toWirePart(part: NeutralPart): JsonObject {
  const metadata = Object.keys(part.metadata).length === 0 ? {} : { metadata: part.metadata };
  switch (part.kind) {
    case 'text':
      return { text: part.text, ...metadata };
    case 'data':
      return { data: part.data, ...metadata };
    case 'file': {
      const content: JsonObject = part.uri === null ? { raw: part.base64 ?? '' } : { url: part.uri };
      return { ...content, filename: part.name, mediaType: part.mediaType, ...metadata };
    }
    default:
      return assertNever(part);
  }
}
