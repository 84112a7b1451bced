// Forms that a server asks for (elicitation) while it makes a call that passes. A client that takes forms gets them, as all else. For one
// that takes none the gate says that it does, and people answer under the gate's policy.
import { randomUUID } from 'node:crypto';
import type { Gate } from '../../contract/configuration/gate.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { isObject, objectOf, parseJson, stringOf } from '../../core/base/json.ts';
import { failureOf, internalError } from '../../core/policy/gate-message.ts';
import { maxForms, questionOfServerForm, replyToServer } from '../../core/turn/server-form.ts';
import { isEventStream } from '../../host/net/guarded-fetch.ts';
import { errorText } from '../../host/process/errno.ts';
import { askForServer } from '../ask/ask-for-server.ts';
import type { AskingApi } from '../ask/ask-people.ts';

/** A part of an event stream as it came, and the message in it. */
export interface Block {
  text: string;
  message: JsonObject | null;
}

const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';

export const blockOf = (message: JsonObject): Block => ({
  text: `event: message\ndata: ${JSON.stringify(message)}\n\n`,
  message,
});

/** Since 2026-07-28 a client says with each call what it takes, and before as it begins a session. */
const saysItself = ({ method, params }: JsonObject): boolean =>
  method === 'tools/call' && objectOf(objectOf(params)['_meta'])[capabilitiesKey] !== undefined;

/** The message for its server; null: as it is, since its client takes forms, says nothing of it here, or people cannot be asked. */
export function withForms({ policy }: Pick<Gate, 'policy'>, message: JsonObject | null): JsonObject | null {
  if (message === null) return null;
  const params = objectOf(message['params']);
  const meta = objectOf(params['_meta']);
  const isBegin = message['method'] === 'initialize';
  if (policy === undefined || (!isBegin && !saysItself(message))) return null;
  const capabilities = objectOf(isBegin ? params['capabilities'] : meta[capabilitiesKey]);
  const { elicitation } = capabilities;
  if (isObject(elicitation) && ('form' in elicitation || Object.keys(elicitation).length === 0)) return null;
  const more = { ...capabilities, elicitation: { ...objectOf(elicitation), form: {} } };
  const named = isBegin ? { capabilities: more } : { _meta: { ...meta, [capabilitiesKey]: more } };
  return { ...message, params: { ...params, ...named } };
}

const endOfBlock = /\r\n\r\n|\n\n|\r\r/u;
const endChars = 3;

/** The message of a block. */
function messageIn(block: string): JsonObject | null {
  const lines = block.split(/\r\n|\n|\r/u);
  const data = lines.flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length).trimStart()] : []));
  const message = parseJson(data.join('\n'));
  return isObject(message) ? message : null;
}

export const blocksIn = (text: string): Block[] =>
  text.split(endOfBlock).map((block) => ({ text: `${block}\n\n`, message: messageIn(block) }));

/** What a server answers, whichever way it comes. */
export async function* blocksOf(answer: Response): AsyncGenerator<Block> {
  const { body } = answer;
  if (body === null || !isEventStream(answer.headers.get('content-type'))) {
    const message = parseJson(await answer.text());
    if (isObject(message)) yield blockOf(message);
    return;
  }
  const decoder = new TextDecoder();
  let waiting: string[] = [];
  let end = '';
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true });
    const hasEnd = endOfBlock.test(end + text);
    waiting.push(text);
    end = (end + text).slice(-endChars);
    if (!hasEnd) continue;
    const blocks = blocksIn(waiting.join(''));
    waiting = [blocks.pop()?.text.slice(0, -'\n\n'.length) ?? ''];
    yield* blocks;
  }
  yield* blocksIn(waiting.join('')).filter(({ message }) => message !== null);
}

/** A message of the gate's own to the server, within its client's session. */
export type SendsMore = (message: JsonObject) => Promise<AsyncIterable<Block>>;
export type AsksPeople = (form: JsonObject, isNotNeeded: AbortSignal | null) => Promise<JsonObject>;

const isForm = (asked: Json | undefined): asked is JsonObject =>
  isObject(asked) && asked['method'] === 'elicitation/create' && isObject(objectOf(asked['params'])['requestedSchema']);

interface Needed {
  forms: [string, JsonObject][];
  requestState: Json | undefined;
}

/** What a call needs before it is made; null: that is something else, or it is an answer. */
function formsNeeded(message: JsonObject | null): Needed | null {
  const { resultType, inputRequests, requestState } = objectOf(message?.['result']);
  if (resultType !== 'input_required' || !isObject(inputRequests)) return null;
  const asked = Object.entries(inputRequests);
  const forms = asked.flatMap(([key, one]): [string, JsonObject][] => (isForm(one) ? [[key, one]] : []));
  return forms.length > 0 && forms.length === asked.length ? { forms, requestState } : null;
}

/**
 * An answer without the forms in it: people's answers go to the server.
 *
 * @param call what is sent again with the answers, where a call brings its forms as its result
 */
export async function* withoutForms(
  answer: AsyncIterable<Block>,
  call: JsonObject | null,
  send: SendsMore,
  ask: AsksPeople,
): AsyncGenerator<Uint8Array> {
  const takePushed = takesPushed(send, ask);
  for (let next = answer; ;) {
    let needed: Needed | null = null;
    for await (const { text, message } of next) {
      if (message !== null && takePushed(message)) continue;
      const forms = call === null ? null : formsNeeded(message);
      if (forms === null) yield Buffer.from(text);
      else needed = forms;
    }
    if (call === null || needed === null) return;
    try {
      next = await send(await answeredCall(call, needed, ask));
    } catch (error) {
      yield Buffer.from(blockOf(failureOf(call['id'], internalError, errorText(error))).text);
      return;
    }
  }
}

async function answeredCall(call: JsonObject, { forms, requestState }: Needed, ask: AsksPeople): Promise<JsonObject> {
  const inputResponses: JsonObject = {};
  for (const [key, form] of forms) inputResponses[key] = await ask(form, null);
  const { requestState: _before, ...params } = objectOf(call['params']);
  const state = requestState === undefined ? {} : { requestState };
  return { ...call, params: { ...params, ...state, inputResponses } };
}

/** Takes the forms that a server asks while its call goes on, and its word that it needs one no more; false: something else. */
function takesPushed(send: SendsMore, ask: AsksPeople): (message: JsonObject) => boolean {
  const open = new Map<Json | undefined, AbortController>();
  async function reply(form: JsonObject, id: Json, over: AbortController): Promise<void> {
    open.set(id, over);
    const message = await ask(form, over.signal).then(
      (result) => ({ jsonrpc: '2.0', id, result }),
      (error: unknown) => failureOf(id, internalError, errorText(error)),
    );
    open.delete(id);
    try {
      if (!over.signal.aborted) for await (const _nothing of await send(message));
    } catch {
      // The server does without: its call, or its client, is over.
    }
  }
  return (message) => {
    if (isForm(message)) {
      void reply(message, message['id'] ?? null, new AbortController());
      return true;
    }
    if (message['method'] !== 'notifications/cancelled') return false;
    const asked = open.get(objectOf(message['params'])['requestId']);
    asked?.abort();
    return asked !== undefined;
  };
}

/** Has people answer forms; rejects where one cannot be asked. `tool` null: its call is not known. */
export function asksPeople(
  api: AskingApi,
  { name, gate, principal, tool }: { name: string; gate: Gate; principal: Principal; tool: string | null },
  over: AbortSignal,
): AsksPeople {
  let open = 0;
  return async ({ params }, isNotNeeded) => {
    if (open >= maxForms) throw new Error(`${maxForms} forms of the server wait for people already`);
    const { message, requestedSchema } = objectOf(params);
    const form = { message: stringOf(message), schema: objectOf(requestedSchema) };
    const read = questionOfServerForm(form, { title: gate.title ?? name, tool, isApproved: false });
    if (!read.ok) throw new Error(`the form cannot be shown to people: ${read.why}`);
    const { question } = read;
    const id = `form-${randomUUID()}`;
    open += 1;
    try {
      const asking = { id, question, policy: gate.policy ?? '', principal, within: gate.timeout };
      const signal = isNotNeeded === null ? over : AbortSignal.any([over, isNotNeeded]);
      return replyToServer(await askForServer(api, asking, signal));
    } finally {
      open -= 1;
    }
  };
}
