// JSON bodies, bounded in depth before anything walks them: what nests without end would exhaust the stack.
import type { FastifyBodyParser, FastifyInstance } from 'fastify';
import { lostNumbers, withDigits } from '../../core/base/numbers.ts';
import { StandfastError } from '../../core/base/errors.ts';
import type { IncomingMessage } from 'node:http';

const maxDepth = 100;
/** Parsing and checking take some microseconds for each of them, in which no one else is served. */
const maxMembers = 100_000;

/** Why a body is not parsed, by how deep it nests and how many members and items it has; one pass, in which no value is made. */
function whyUnbounded(text: string): string | null {
  let depth = 0;
  let members = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isText) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) isText = false;
      continue;
    }
    if (code === 0x22) isText = true;
    else if (code === 0x2c) members += 1;
    else if (code === 0x7d || code === 0x5d) depth -= 1;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      members += 1;
    }
    if (depth > maxDepth) return `the body is nested deeper than ${maxDepth}`;
    if (members > maxMembers) return `the body has more than ${maxMembers} members and items; send less at a time`;
  }
  return null;
}

/** Why a body is not taken: read as a double, one of its numbers would be another one without a word about it. */
function whyLost(text: string): string | null {
  const [lost] = lostNumbers(text);
  if (lost === undefined) return null;
  const where = lost.path === '' ? 'the body' : lost.path;
  return `${where}: the number ${lost.digits.slice(0, 60)} has more digits than a double holds; send it as a text`;
}

/**
 * Reads a body of JSON, whatever media type names it. A number that a double does not hold is refused; `keepsDigits`: it
 * is read as the text of its digits.
 */
export function parseJson(app: FastifyInstance, { keepsDigits = false } = {}): FastifyBodyParser<string> {
  const parse = app.getDefaultJsonParser('error', 'error');
  return (request, sent, done) => {
    // A POST without a body (cancel) is valid.
    if (sent === '') return done(null, undefined);
    const why = whyUnbounded(sent) ?? (keepsDigits ? null : whyLost(sent));
    if (why !== null) return done(new StandfastError('input_invalid', why));
    const text = keepsDigits ? withDigits(sent).text : sent;
    return parse(request, text, (error, value: unknown) => {
      if (error !== null) return done(new StandfastError('input_invalid', `the body is not JSON: ${error.message}`));
      return done(null, value);
    });
  };
}

export function parseJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, parseJson(app));
}

// What becomes of a body that is too large to be taken.
const maxBytes = 64 * 1024 * 1024;
const maxMs = 10_000;

/** Lets the rest arrive unread, within bounds: a client that is cut off while it sends gets no answer, only a broken connection. */
export function drainBody(raw: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (raw.readableEnded || raw.destroyed) return resolve();
    let bytes = 0;
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > maxBytes) end();
    };
    const timer = setTimeout(end, maxMs);
    function end(): void {
      clearTimeout(timer);
      raw.off('data', count);
      for (const over of ['end', 'close', 'error']) raw.off(over, end);
      resolve();
    }
    for (const over of ['end', 'close', 'error']) raw.once(over, end);
    raw.on('data', count);
  });
}
