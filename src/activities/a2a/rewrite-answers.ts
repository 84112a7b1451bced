import type { TurnEvent } from '../../contract/tasks/turn.ts';
import { withDigits } from '../../core/base/numbers.ts';
import { keepDropped, sentWithDropped } from '../../wire/a2a/codec/dropped.ts';
import { keepOriginalOf } from '../../wire/a2a/codec/original.ts';
import { withEnvelope } from '../../wire/a2a/codec/old-envelope.ts';
import { isEventStream } from '../../host/net/guarded-fetch.ts';

/** The largest event that the SDK reads; a larger one is passed on unchanged, for the SDK to refuse. */
const maxEventChars = 4 * 1024 * 1024;

/** Changes a text of an answer before anything else reads it. */
export type RewriteText = (text: string) => string;

/** Digits of numbers that a client's answers have as texts. */
const notedBy = new WeakMap<object, Set<string>>();

/** Numbers beyond these become texts too, but nothing notes it. */
const maxNoted = 10_000;

/** With each number that a double does not hold as the text of its digits, which are noted for this client. */
export const createNumberKeeper =
  (client: object): RewriteText =>
  (text) => {
    const kept = withDigits(text);
    if (kept.digits.length === 0) return text;
    const noted = notedBy.get(client) ?? new Set();
    notedBy.set(client, noted);
    for (const digits of kept.digits) if (noted.size < maxNoted) noted.add(digits);
    return kept.text;
  };

/** An event of a client, with the digits of all numbers that this client's answers have had as texts so far. */
export function withNoted(event: TurnEvent, client: object): TurnEvent {
  const noted = notedBy.get(client);
  return noted === undefined ? event : keepOriginalOf(event, { ...event, digits: [...noted] });
}

/** Answers whose texts are rewritten before they are read. */
export function fetchRewriting(fetchImpl: typeof fetch, rewrite: RewriteText): typeof fetch {
  return async (input, init) => rewritten(await fetchImpl(input, init), rewrite);
}

/** Requests and answers of the SDK's HTTP+JSON client for A2A 0.3 with what it drops of them (wire/a2a/codec/dropped.ts). */
export function keepingDropped(fetchImpl: typeof fetch, rewrite: RewriteText): typeof fetch {
  return async (input, init) => {
    const own = typeof init?.body === 'string' ? { ...init, body: sentWithDropped(init.body) } : init;
    return rewritten(await fetchImpl(input, own), (text) => keepDropped(rewrite(text)));
  };
}

/** Answers of a JSON-RPC server of A2A 1.0 that writes the envelopes of 0.3 (wire/a2a/codec/old-envelope.ts). */
export function readingOldEnvelopes(fetchImpl: typeof fetch, rewrite: RewriteText): typeof fetch {
  return async (input, init) => {
    // Only streams and SendMessage answer with an envelope.
    const isSending = typeof init?.body === 'string' && init.body.includes('"method":"SendMessage"');
    const response = await fetchImpl(input, init);
    return rewritten(response, isStream(response) || isSending ? (text) => withEnvelope(rewrite(text)) : rewrite);
  };
}

const isStream = ({ headers }: Response): boolean => isEventStream(headers.get('content-type'));

/** The same answer, each text of it changed: an event's data in a stream, else the whole body. */
async function rewritten(response: Response, rewrite: RewriteText): Promise<Response> {
  if (!response.ok || response.body === null) return response;
  const { status, statusText } = response;
  const head = { status, statusText, headers: [...response.headers] };
  if (!isStream(response)) return new Response(rewrite(await response.text()), head);
  return new Response(response.body.pipeThrough(createEventRewriter(rewrite)), head);
}

/**
 * Changes the data of each server-sent event; everything else passes through, its line ends as LF. It is one stream of bytes:
 * each further stream would cost a token more than the work itself.
 */
function createEventRewriter(rewrite: RewriteText): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  let lines: string[] = [];
  let chars = 0;
  let endedInCr = false;
  const takeEvent = (): string => {
    const data = lines
      .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).replace(/^ /, '')] : []))
      .join('\n');
    const changed = chars > maxEventChars ? data : rewrite(data);
    const others = lines.filter((line) => line !== '' && !line.startsWith('data:'));
    const event = changed === data ? lines : [...others, ...changed.split('\n').map((line) => `data: ${line}`), ''];
    lines = [];
    chars = 0;
    return event.map((line) => `${line}\n`).join('');
  };
  /** Lines end in LF, CR LF or CR alone (HTML standard, 9.2.5). The SDK's reader does not know CR alone. */
  const linesOf = (text: string): string[] => {
    const isSecondHalf = endedInCr && text.startsWith('\n');
    if (text !== '') endedInCr = text.endsWith('\r');
    const own = isSecondHalf ? text.slice(1) : text;
    return own.includes('\r') ? own.split(/\r\n|\r|\n/) : own.split('\n');
  };
  /** The events that are whole by now. */
  const pass = (text: string): string => {
    let passed = '';
    const [first = '', ...more] = linesOf(text);
    rest += first;
    for (const next of more) {
      const line = rest;
      rest = next;
      lines.push(line);
      chars += line.length;
      if (line === '') passed += takeEvent();
    }
    if (chars + rest.length <= maxEventChars) return passed;
    passed += `${lines.map((line) => `${line}\n`).join('')}${rest}`;
    lines = [];
    rest = '';
    return passed;
  };
  const passLast = (text: string): string => {
    const passed = pass(text);
    if (rest !== '') lines.push(rest);
    return lines.length > 0 ? passed + takeEvent() : passed;
  };
  return new TransformStream({
    transform(chunk, controller) {
      const passed = pass(decoder.decode(chunk, { stream: true }));
      if (passed !== '') controller.enqueue(encoder.encode(passed));
    },
    flush(controller) {
      const passed = passLast(decoder.decode());
      if (passed !== '') controller.enqueue(encoder.encode(passed));
    },
  });
}
