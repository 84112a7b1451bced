import { keepDropped, sentWithDropped } from '../../wire/a2a/codec/dropped.ts';
import { withEnvelope } from '../../wire/a2a/codec/old-envelope.ts';

/** The largest event that the SDK reads; a larger one is passed on unchanged, for the SDK to refuse. */
const maxEventChars = 4 * 1024 * 1024;

/** Requests and answers of the SDK's HTTP+JSON client for A2A 0.3 with what it drops of them (wire/a2a/dropped.ts). */
export function keepingDropped(fetchImpl: typeof fetch): typeof fetch {
  return async (input, init) => {
    const own = typeof init?.body === 'string' ? { ...init, body: sentWithDropped(init.body) } : init;
    return rewritten(await fetchImpl(input, own), keepDropped);
  };
}

/** Answers of a JSON-RPC server of A2A 1.0 that writes the envelopes of 0.3 (wire/a2a/codec/old-envelope.ts). */
export function readingOldEnvelopes(fetchImpl: typeof fetch): typeof fetch {
  return async (input, init) => {
    // Only these two answer with an envelope: the result of GetTask is the task itself.
    const isSending = typeof init?.body === 'string' && init.body.includes('"method":"SendMessage"');
    const response = await fetchImpl(input, init);
    return isStream(response) || isSending ? rewritten(response, withEnvelope) : response;
  };
}

const isStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true;

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
  const whole = (): string => {
    const data = lines
      .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).replace(/^ /, '')] : []))
      .join('\n');
    const changed = chars > maxEventChars ? data : change(data);
    const others = lines.filter((line) => line !== '' && !line.startsWith('data:'));
    const event = changed === data ? lines : [...others, `data: ${changed}`, ''];
    lines = [];
    chars = 0;
    return event.map((line) => `${line}\n`).join('');
  };
  /** What is whole by now. */
  const read = (text: string): string => {
    let passed = '';
    const [first = '', ...more] = text.split('\n');
    rest += first;
    for (const next of more) {
      const line = rest.endsWith('\r') ? rest.slice(0, -1) : rest;
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
