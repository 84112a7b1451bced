// The page with the answers to what it asks first, so that a known reader waits for no request. They are asked of the routes
// themselves, as the browser would ask them: who may see what is decided in no second place.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiContext } from '../../api-context.ts';
import { packFor } from '../../http/compress.ts';

const who = '/api/me';
/** The inbox at its plain address, as `listPath` of the pages writes it. */
const rows = '/api/inbox/rows?limit=50&view=forMe&sort=deadline';

/** In a `script` of data nothing ends it but its own end tag, which begins with this. */
const inScript = (json: string): string => json.replaceAll('<', '\\u003c');

/** A part of the frame in web/index.html, which strangers do not see. */
const shown = (html: string, part: 'page' | 'inbox' | 'list'): string =>
  html.replace(` data-first="${part}" hidden`, '');

/** Null: the reader is not known, or an answer is missing; then the page asks for itself. */
export async function pageWithAnswers(
  app: FastifyInstance,
  { keys, now }: Pick<ApiContext, 'keys' | 'now'>,
  html: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | Buffer | null> {
  const { host, cookie } = request.headers;
  if (host === undefined || (cookie === undefined && !keys.isEmpty)) return null;
  const headers = { host, ...(cookie === undefined ? {} : { cookie }), 'x-request-id': request.id };
  const isInbox = request.url === '/';
  const ask = (url: string) => app.inject({ method: 'GET', url, headers });
  const [me, list] = await Promise.all([ask(who), isInbox ? ask(rows) : null]);
  if (me.statusCode !== 200 || (list !== null && list.statusCode !== 200)) return null;
  // A session that was lengthened has a new cookie; either of the two lengthens it.
  const given = me.headers['set-cookie'] ?? list?.headers['set-cookie'];
  if (given !== undefined) void reply.header('set-cookie', given);
  const answers = [
    `"at":${JSON.stringify(now().toISOString())}`,
    `${JSON.stringify(who)}:${me.payload}`,
    ...(list === null ? [] : [`${JSON.stringify(rows)}:${list.payload}`]),
  ];
  const data = `<script type="application/json" id="first">{${inScript(answers.join(','))}}</script>`;
  // A question comes next to the list; every other page begins with a bar and lines.
  const hasList = isInbox || /^\/(?:holds\/|\?)/u.test(request.url);
  const framed = shown(shown(html, 'page'), hasList ? 'inbox' : 'list');
  const text = framed.replace('</body>', () => `${data}</body>`);
  void reply.header('cache-control', 'private, no-store').type('text/html; charset=utf-8');
  return packFor(request, reply, text);
}
