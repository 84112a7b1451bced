// Which messages of a client's transcript are history. Clients send the whole conversation with every run, and front ends
// with a store of their own under other ids each time: so place and words tell what the thread has, too.
import { isObject, objectsIn, stringOf } from '../../../core/base/json.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { counted, likenesses } from './likeness.ts';
import { isResultId } from './message-ids.ts';
import { messageId } from '../../../core/agui/messages.ts';

const isUser = ({ role }: JsonObject): boolean => role === 'user';
const isAgent = ({ role }: JsonObject): boolean => role === 'assistant' || role === 'reasoning';
const isInstruction = ({ role }: JsonObject): boolean => role === 'system' || role === 'developer';

/** Text of a content, written as a string or as parts. */
function textOf(content: Json | undefined): string {
  if (!Array.isArray(content)) return stringOf(content).trim();
  const texts = objectsIn(content).flatMap((part) => (part['type'] === 'text' ? [stringOf(part['text'])] : []));
  return texts.join('\n').trim();
}

const filesOf = (content: Json | undefined): Json[] =>
  Array.isArray(content) ? content.filter((part) => isObject(part) && part['type'] !== 'text') : [];

/** What a message says, to compare: its role, its text and its files. */
const wordsOf = ({ role, content }: JsonObject): string => JSON.stringify([role, textOf(content), filesOf(content)]);

/** A person's message without words or files. */
const isEmpty = (message: JsonObject): boolean =>
  isUser(message) && textOf(message['content']) === '' && filesOf(message['content']).length === 0;

const idsOf = (messages: readonly JsonObject[]): Set<string> =>
  new Set(messages.map(messageId).filter((id) => id !== ''));

/**
 * Of `client`, the messages that `log` has as well: each message of the log is found once, under its id or by its words.
 * `clientIds` are those of the whole transcript: one that it has under its id is not there by its words, too.
 */
function found(
  log: readonly JsonObject[],
  client: readonly JsonObject[],
  clientIds: ReadonlySet<string> = idsOf(client),
): Set<JsonObject> {
  const logIds = idsOf(log);
  const left = counted(log.filter((message) => !clientIds.has(messageId(message))).map(wordsOf));
  return new Set(client.filter((message) => logIds.has(messageId(message)) || takeOne(left, wordsOf(message))));
}

/** Takes one of them out; false if there is none left. */
function takeOne(counts: Map<string, number>, one: string): boolean {
  const count = counts.get(one) ?? 0;
  if (count > 0) counts.set(one, count - 1);
  return count > 0;
}

const callIds = (message: JsonObject): string[] => objectsIn(message['toolCalls']).map(messageId);

const isSpoken = (message: JsonObject): boolean => isUser(message) || isAgent(message);

/** For each place of the log how alike what comes before it is to the client's transcript, of the messages that are meant. */
function alikeBefore(
  log: readonly JsonObject[],
  client: readonly JsonObject[],
  isMeant: (message: JsonObject) => boolean,
): number[] {
  const [theirs = [], mine = []] = [log, client].map((messages) => messages.filter(isMeant).map(wordsOf));
  const alike = likenesses(theirs, mine);
  let before = 0;
  return log.map((message) => {
    const likeness = alike[before] ?? 0;
    if (isMeant(message)) before += 1;
    return likeness;
  });
}

const compared = (alike: readonly number[], one: number, other: number): number =>
  (alike[one] ?? 0) - (alike[other] ?? 0);

/**
 * Of these places of the log the one before which it is most like the client's transcript, and the latest of these; -1: of none.
 * Persons' messages go first: of the agent's, some front ends make one.
 */
function likest(places: readonly number[], log: readonly JsonObject[], client: readonly JsonObject[]): number {
  if (places.length < 2) return places[0] ?? -1;
  const persons = alikeBefore(log, client, isUser);
  const all = alikeBefore(log, client, isSpoken);
  return places.reduce((best, place) => {
    const isLess = compared(persons, place, best) || compared(all, place, best);
    return isLess < 0 ? best : place;
  });
}

/**
 * Where the log has the agent's message at `at` of the client's: by id, by a tool call, or by its words; -1 when it does
 * not show. Of places with equal words it is the one with the most alike before it, and the latest of these.
 */
function placeOf(log: readonly JsonObject[], client: readonly JsonObject[], at: number): number {
  const message = client[at] ?? {};
  const byId = log.findLastIndex((one) => messageId(one) !== '' && messageId(one) === messageId(message));
  if (byId >= 0) return byId;
  const calls = new Set(callIds(message));
  const byCall = calls.size === 0 ? -1 : log.findLastIndex((one) => callIds(one).some((id) => calls.has(id)));
  if (byCall >= 0) return byCall;
  const text = textOf(message['content']);
  const spoken = (one: JsonObject): boolean => isAgent(one) && textOf(one['content']) !== '';
  const same = [...log.keys()].filter((place) => spoken(log[place] ?? {}) && textOf(log[place]?.['content']) === text);
  const byWords = likest(same, log, client.slice(0, at));
  if (byWords >= 0) return byWords;
  // Front ends put messages of one turn together.
  const last = log.findLastIndex(spoken);
  return last >= 0 && text.endsWith(textOf(log[last]?.['content'])) ? last : -1;
}

/** The person's messages behind the agent's last one at `at` that the thread has had before. */
function repeatedBehind(log: readonly JsonObject[], client: readonly JsonObject[], at: number): Set<JsonObject> {
  const [theirs, mine] = [log.filter(isUser), client.filter(isUser)];
  const last = theirs.at(-1);
  const ids = idsOf(theirs);
  const isUnknown = (message: JsonObject, index: number): boolean =>
    index > at && isUser(message) && !ids.has(messageId(message));
  if (last === undefined || !client.some(isUnknown)) return new Set();
  const place = at < 0 ? -1 : placeOf(log, client, at);
  if (place >= 0) return found(log.slice(place + 1).filter(isUser), client.slice(at + 1).filter(isUser), idsOf(client));
  const inAll = found(theirs, mine);
  // Persons' words alone: a client that keeps a transcript has the thread's last ones, one that sends only news need not.
  return at >= 0 || mine.some((message) => wordsOf(message) === wordsOf(last)) ? inAll : new Set();
}

/** Ids of the tool calls whose result the log has. */
function callsWithResult(log: readonly JsonObject[]): Set<string> {
  return new Set(log.filter(({ role }) => role === 'tool').map((message) => stringOf(message['toolCallId'])));
}

/**
 * Those of the client's messages that are history, whatever their ids: all up to the agent's last message, what the thread
 * has had under another id, and results of calls that have one in its log. Instructions (`system`, `developer`) are placed
 * at the front whenever they change, so of them the words alone count.
 */
export function historyIn(log: readonly JsonObject[], client: readonly JsonObject[]): Set<JsonObject> {
  const at = client.findLastIndex(isAgent);
  const ids = idsOf(log);
  const repeated = repeatedBehind(log, client, at);
  const instructed = new Set(log.filter(isInstruction).map(wordsOf));
  const results = callsWithResult(log);
  const isOld = (message: JsonObject, index: number): boolean => {
    const isNamed = ids.has(messageId(message));
    if (isInstruction(message)) return !isNamed && instructed.has(wordsOf(message));
    if (index <= at) return true;
    if (message['role'] !== 'tool') return !isNamed && repeated.has(message);
    return isResultId(messageId(message)) || (!isNamed && results.has(stringOf(message['toolCallId'])));
  };
  return new Set(client.filter(isOld));
}

/**
 * Those of the client's messages that the thread's log lacks and is to have: not its own words under other ids. `kept` are
 * ids of messages that go to the agent.
 */
export function additions(
  log: readonly JsonObject[],
  client: readonly JsonObject[],
  kept: ReadonlySet<string> = new Set(),
): JsonObject[] {
  const ids = idsOf(log);
  const unknown = client.filter((message) => !ids.has(messageId(message)) && !isEmpty(message));
  if (log.length === 0 || unknown.length === 0) return unknown;
  const history = historyIn(log, client);
  // A transcript under ids of its own throughout: what is history in it is in the log in the agent's words.
  const isForeign = client.every((message) => !ids.has(messageId(message)));
  const known = found(log, client);
  const calls = new Set(log.flatMap(callIds));
  // CopilotKit makes a message of its own of each call.
  const repeatsCalls = (message: JsonObject): boolean =>
    callIds(message).length > 0 && callIds(message).every((id) => calls.has(id));
  const isOld = (message: JsonObject): boolean =>
    history.has(message) && (isForeign || known.has(message) || repeatsCalls(message));
  return unknown.filter((message) => kept.has(messageId(message)) || !isOld(message));
}
