// Compresses JSON responses if it pays. Static files are compressed at build time, and event streams never, since a
// compressor would delay events.
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Smaller responses fit into one packet anyway. */
const leastBytes = 1_024;

type Encoding = 'br' | 'gzip';

/** The best of those that the client accepts (RFC 9110, 12.5.3); null: none that we offer. */
export function encodingOf(accepted: string): Encoding | null {
  const taken = new Map(
    accepted.split(',').map((part): [string, number] => {
      const [name = '', ...parameters] = part.trim().toLowerCase().split(';');
      const q = parameters.map((one) => /^\s*q\s*=\s*([\d.]+)\s*$/.exec(one)?.[1]).find((one) => one !== undefined);
      return [name.trim(), q === undefined ? 1 : Number(q)];
    }),
  );
  const weightOf = (name: Encoding): number => taken.get(name) ?? taken.get('*') ?? 0;
  if (weightOf('br') > 0 && weightOf('br') >= weightOf('gzip')) return 'br';
  return weightOf('gzip') > 0 ? 'gzip' : null;
}

const compress: Record<Encoding, (text: string) => Promise<Buffer>> = {
  // The level at which it is as quick as gzip, and smaller.
  br: (text) =>
    new Promise((resolve, reject) => {
      const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
      brotliCompress(text, { params }, (error, packed) => (error === null ? resolve(packed) : reject(error)));
    }),
  gzip: (text) =>
    new Promise((resolve, reject) => {
      gzip(text, (error, packed) => (error === null ? resolve(packed) : reject(error)));
    }),
};

/** The text as the client takes it, with the headers that say so. */
export async function packFor(request: FastifyRequest, reply: FastifyReply, text: string): Promise<string | Buffer> {
  if (text.length < leastBytes) return text;
  const before = reply.getHeader('vary');
  reply.header('vary', before === undefined ? 'accept-encoding' : `${String(before)}, accept-encoding`);
  const encoding = encodingOf(request.headers['accept-encoding'] ?? '');
  if (encoding === null || reply.hasHeader('content-encoding')) return text;
  const packed = await compress[encoding](text);
  reply.header('content-encoding', encoding);
  reply.removeHeader('content-length');
  return packed;
}

export function compressJson(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const type = String(reply.getHeader('content-type') ?? '');
    if (typeof payload !== 'string' || !/^application\/([\w.-]+\+)?json\b/.test(type)) return payload;
    return packFor(request, reply, payload);
  });
}
