import createFetchClient from 'openapi-fetch';
import type { Client } from 'openapi-fetch';
import type { components, paths } from './api-types.ts';
import { askingOf } from './ask.ts';
import type { Asking } from './ask.ts';
import { StandfastError, problemFrom } from './errors.ts';
import { followInbox } from './inbox.ts';
import type { InboxEvent, InboxOptions } from './inbox.ts';
import { newId } from './new-id.ts';
import { defaultRetry, retryingFetch } from './retry.ts';
import type { RetryOptions } from './retry.ts';
import { waitForDecision } from './wait-for-decision.ts';

type Schemas = components['schemas'];
export type Hold = Schemas['Hold'];
export type HoldRow = Schemas['HoldRow'];
export type Task = Schemas['Task'];
export type Me = Schemas['Me'];
export type Chat = Schemas['Chat'];
export type TimelineEntry = Schemas['TimelineEntry'];
export type DecisionBody = Schemas['DecisionBody'];
export type DecisionReply = Schemas['DecisionReply'];
export type BulkDecision = Schemas['BulkBody']['decisions'][number];
export type BulkResult = Schemas['BulkReply']['results'][number];
export type HoldQuery = NonNullable<paths['/api/holds']['get']['parameters']['query']>;
export type TaskQuery = NonNullable<paths['/api/tasks']['get']['parameters']['query']>;

export interface StandfastOptions {
  /** Address of Standfast, such as `http://127.0.0.1:8600`; missing: `STANDFAST_URL`, or that one. */
  baseUrl?: string | undefined;
  /** Missing: `STANDFAST_API_KEY`; without any the caller is the local user. */
  apiKey?: string | undefined;
  fetch?: typeof fetch;
  retry?: Partial<RetryOptions>;
}

interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

export interface StandfastClient extends Asking {
  /** Every route, typed from the OpenAPI document (openapi-fetch). */
  api: Client<paths>;
  me(): Promise<Me>;
  tasks: {
    list(query?: TaskQuery): Promise<Page<Task>>;
    /** Page after page. */
    all(query?: TaskQuery): AsyncGenerator<Task, void, undefined>;
    get(id: string): Promise<Task>;
    timeline(id: string): Promise<TimelineEntry[]>;
    cancel(id: string): Promise<Task>;
    restart(id: string): Promise<Task>;
  };
  holds: {
    list(query?: HoldQuery): Promise<Page<Hold>>;
    all(query?: HoldQuery): AsyncGenerator<Hold, void, undefined>;
    get(id: string): Promise<Hold>;
    decide(id: string, body: DecisionBody): Promise<DecisionReply>;
    /** Answers with these values; the digest makes sure that the question is still the one that was read. */
    answer(hold: Pick<Hold, 'id' | 'digest'>, values: Record<string, unknown>): Promise<DecisionReply>;
    reject(hold: Pick<Hold, 'id' | 'digest'>, reason?: string): Promise<DecisionReply>;
    /** Up to 50 at once, each with its own result; nothing is thrown for one that is refused. */
    decideAll(decisions: BulkDecision[]): Promise<BulkResult[]>;
    claim(id: string): Promise<Hold>;
    release(id: string): Promise<Hold>;
    reassign(id: string, to: string[], note?: string): Promise<Hold>;
  };
  chat: {
    read(taskId: string): Promise<Chat>;
    /** The same `messageId` again is taken once; one is made up where none is given. */
    send(taskId: string, text: string, messageId?: string): Promise<Schemas['ChatReply']>;
  };
  /** What happens in the inbox, for as long as it is read. */
  inbox(options?: InboxOptions): AsyncGenerator<InboxEvent, void, undefined>;
  /** The question once it is not open any more: decided, refused, expired or withdrawn. */
  waitForDecision(id: string, options?: { signal?: AbortSignal }): Promise<Hold>;
}

/** The result, or the refusal as a StandfastError. */
function unwrap<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (!response.ok || data === undefined) throw problemFrom(response, error);
  return data;
}

async function* everyPage<T>(
  read: (cursor: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    yield* page.items;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

const after = (cursor: string | undefined): { cursor?: string } => (cursor === undefined ? {} : { cursor });
const byId = (id: string): { params: { path: { id: string } } } => ({ params: { path: { id } } });

function tasksOf(api: Client<paths>): StandfastClient['tasks'] {
  const list = async (query: TaskQuery = {}): Promise<Page<Task>> =>
    unwrap(await api.GET('/api/tasks', { params: { query } }));
  return {
    list,
    all: (query = {}) => everyPage((cursor) => list({ ...query, ...after(cursor) })),
    get: async (id) => unwrap(await api.GET('/api/tasks/{id}', byId(id))),
    timeline: async (id) => unwrap(await api.GET('/api/tasks/{id}/timeline', byId(id))).items,
    cancel: async (id) => unwrap(await api.POST('/api/tasks/{id}/cancel', byId(id))),
    restart: async (id) => unwrap(await api.POST('/api/tasks/{id}/restart', byId(id))),
  };
}

function holdsOf(api: Client<paths>): StandfastClient['holds'] {
  const list = async (query: HoldQuery = {}): Promise<Page<Hold>> =>
    unwrap(await api.GET('/api/holds', { params: { query } }));
  const decide = async (id: string, body: DecisionBody): Promise<DecisionReply> =>
    unwrap(await api.POST('/api/holds/{id}/decision', { ...byId(id), body }));
  return {
    list,
    all: (query = {}) => everyPage((cursor) => list({ ...query, ...after(cursor) })),
    get: async (id) => unwrap(await api.GET('/api/holds/{id}', byId(id))),
    decide,
    answer: ({ id, digest }, values) => decide(id, { status: 'resolved', values, digest }),
    reject: ({ id, digest }, reason) =>
      decide(id, { status: 'cancelled', digest, ...(reason === undefined ? {} : { reason }) }),
    decideAll: async (decisions) => unwrap(await api.POST('/api/holds/decisions', { body: { decisions } })).results,
    claim: async (id) => unwrap(await api.POST('/api/holds/{id}/claim', { ...byId(id), body: {} })),
    release: async (id) => unwrap(await api.POST('/api/holds/{id}/release', byId(id))),
    reassign: async (id, to, note) =>
      unwrap(
        await api.POST('/api/holds/{id}/reassign', {
          ...byId(id),
          body: { to, ...(note === undefined ? {} : { note }) },
        }),
      ),
  };
}

/** A variable of the process; a browser has none, and an empty one is none. */
function variable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}

/** Throws where no try can succeed. */
function baseOf(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return given.replace(/\/$/, '');
  const detail = `${given} is no address of Standfast; expected one such as http://127.0.0.1:8600`;
  throw new StandfastError(0, { code: 'wrong_address', detail });
}

export function createStandfastClient(options: StandfastOptions = {}): StandfastClient {
  const base = baseOf(options.baseUrl ?? variable('STANDFAST_URL') ?? 'http://127.0.0.1:8600');
  const apiKey = options.apiKey ?? variable('STANDFAST_API_KEY');
  const fetchOnce = options.fetch ?? globalThis.fetch;
  const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const send = retryingFetch(fetchOnce, { ...defaultRetry, ...options.retry });
  const api = createFetchClient<paths>({ baseUrl: base, headers, fetch: (request) => send(request) });
  const holds = holdsOf(api);
  const inbox: StandfastClient['inbox'] = (more = {}) =>
    followInbox({ ...more, url: `${base}/api/inbox/events`, headers, fetch: fetchOnce });
  return {
    api,
    ...askingOf(api, unwrap),
    me: async () => unwrap(await api.GET('/api/me')),
    tasks: tasksOf(api),
    holds,
    chat: {
      read: async (id) => unwrap(await api.GET('/api/tasks/{id}/chat', byId(id))),
      send: async (id, text, messageId = newId()) =>
        unwrap(await api.POST('/api/tasks/{id}/chat/message', { ...byId(id), body: { text, messageId } })),
    },
    inbox,
    waitForDecision: (id, { signal } = {}) =>
      waitForDecision({ id, read: holds.get, inbox, ...(signal === undefined ? {} : { signal }) }),
  };
}
