import type { TurnEvent } from '../../contract/tasks/turn.ts';
import { withDigits } from '../../core/base/numbers.ts';
import { keepDropped, sentWithDropped } from '../../wire/a2a/codec/dropped.ts';
import { keepOriginalOf } from '../../wire/a2a/codec/original.ts';
import { withEnvelope } from '../../wire/a2a/codec/old-envelope.ts';
import { isEventStream } from '../../host/net/guarded-fetch.ts';

/** The largest event that the SDK reads; a larger one is passed on unchanged, for the SDK to refuse. */
const maxEventChars = 4 * 1024 * 1024;

/** Reads a text of an answer before anything else does. */
export type ReadText = (text: string) => string;

/** Digits of numbers that a client's answers have as texts. */
const notedBy = new WeakMap<object, Set<string>>();

/** More are kept by their digits, and not marked. */
const maxNoted = 10_000;

/** With each number that a double does not hold as the text of its digits, which are noted for this client. */
export const digitReader =
  (client: object): ReadText =>
  (text) => {
    const read = withDigits(text);
    if (read.digits.length === 0) return text;
    const noted = notedBy.get(client) ?? new Set();
    notedBy.set(client, noted);
    for (const digits of read.digits) if (noted.size < maxNoted) noted.add(digits);
    return read.text;
  };

/** An event of a client, with the digits of numbers in it that are texts now. */
export function withNoted(event: TurnEvent, client: object): TurnEvent {
  const noted = notedBy.get(client);
  return noted === undefined ? event : keepOriginalOf(event, { ...event, digits: [...noted] });
}

/** Answers whose texts are read that way first. */
export function readingFirst(fetchImpl: typeof fetch, read: ReadText): typeof fetch {
  return async (input, init) => rewritten(await fetchImpl(input, init), read);
}

/** Requests and answers of the SDK's HTTP+JSON client for A2A 0.3 with what it drops of them (wire/a2a/dropped.ts). */
export function keepingDropped(fetchImpl: typeof fetch, read: ReadText): typeof fetch {
  return async (input, init) => {
    const own = typeof init?.body === 'string' ? { ...init, body: sentWithDropped(init.body) } : init;
    return rewritten(await fetchImpl(input, own), (text) => keepDropped(read(text)));
  };
}

/** Answers of a JSON-RPC server of A2A 1.0 that writes the envelopes of 0.3 (wire/a2a/codec/old-envelope.ts). */
export function readingOldEnvelopes(fetchImpl: typeof fetch, read: ReadText): typeof fetch {
  return async (input, init) => {
    // Only these two answer with an envelope: the result of GetTask is the task itself.
    const isSending = typeof init?.body === 'string' && init.body.includes('"method":"SendMessage"');
    const response = await fetchImpl(input, init);
    return rewritten(response, isStream(response) || isSending ? (text) => withEnvelope(read(text)) : read);
  };
}

const isStream = ({ headers }: Response): boolean => isEventStream(headers.get('content-type'));

/** The same answer, each text of it changed: an event's data in a stream, else the whole body. */
async function rewritten(response: Response, change: (text: string) => string): Promise<Response> {
  if (!response.ok || response.body === null) return response;
  const { status, statusText } = response;
  const head = { status, statusText, headers: [...response.headers] };
  if (!isStream(response)) return new Response(change(await response.text()), head);
  return new Response(response.body.pipeThrough(eachEvent(change)), head);
}

/**
 * Changes the data of each server-sent event; everything else passes through unchanged. One stream for bytes: each one that
 * a token passes costs more than what is done in it.
 */
function eachEvent(change: (data: string) => string): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  let lines: string[] = [];
  let chars = 0;
  let endedInCr = false;
  const whole = (): string => {
    const data = lines
      .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).replace(/^ /, '')] : []))
      .join('\n');
    const changed = chars > maxEventChars ? data : change(data);
    const others = lines.filter((line) => line !== '' && !line.startsWith('data:'));
    const event = changed === data ? lines : [...others, ...changed.split('\n').map((line) => `data: ${line}`), ''];
    lines = [];
    chars = 0;
    return event.map((line) => `${line}\n`).join('');
  };
  /** Lines end in LF, CR LF or CR alone (HTML standard, 9.2.5), which the SDK's reader does not know. */
  const linesOf = (text: string): string[] => {
    const isSecondHalf = endedInCr && text.startsWith('\n');
    if (text !== '') endedInCr = text.endsWith('\r');
    const own = isSecondHalf ? text.slice(1) : text;
    return own.includes('\r') ? own.split(/\r\n|\r|\n/) : own.split('\n');
  };
  /** What is whole by now. */
  const read = (text: string): string => {
    let passed = '';
    const [first = '', ...more] = linesOf(text);
    rest += first;
    for (const next of more) {
      const line = rest;
      rest = next;
      lines.push(line);
      chars += line.length;
      if (line === '') passed += whole();
    }
    if (chars + rest.length <= maxEventChars) return passed;
    passed += `${lines.map((line) => `${line}\n`).join('')}${rest}`;
    lines = [];
    rest = '';
    return passed;
  };
  const readLast = (text: string): string => {
    const passed = read(text);
    if (rest !== '') lines.push(rest);
    return lines.length > 0 ? passed + whole() : passed;
  };
  return new TransformStream({
    transform(chunk, controller) {
      const passed = read(decoder.decode(chunk, { stream: true }));
      if (passed !== '') controller.enqueue(encoder.encode(passed));
    },
    flush(controller) {
      const passed = readLast(decoder.decode());
      if (passed !== '') controller.enqueue(encoder.encode(passed));
    },
  });
}
