// Sign-in at the identity provider, and its notice that a person has signed out (back-channel logout).
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { StandfastError } from '../../../core/base/errors.ts';
import { route, type ApiApp } from '../../http/route.ts';
import type { ApiContext } from '../../api-context.ts';
import { isFromOtherPage } from '../../auth/same-origin.ts';
import { callbackPath, SignInError, type SignInState } from '../../auth/oidc.ts';

const signInPath = '/api/login/oidc';
const signInWithinS = 600;
const maxTokenBytes = 16 * 1024;

const MethodsSchema = z
  .object({ keys: z.boolean(), oidc: z.object({ title: z.string(), url: z.string() }).nullable() })
  .meta({ id: 'LoginMethods' });

/** A path on this server: never an address that leads elsewhere. */
const isOwnPath = (path: string): boolean => /^\/(?![/\\])[\x21-\x7e]*$/.test(path) && !path.includes('\\');

/** Not by https a neighbouring host may have set the cookie. */
const PendingSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string().refine(isOwnPath),
});

function pendingOf(cookie: string | undefined): SignInState {
  try {
    return PendingSchema.parse(JSON.parse(Buffer.from(cookie ?? '', 'base64url').toString('utf8')));
  } catch (error) {
    throw new SignInError('stale', 'this sign-in was begun elsewhere, or too long ago; sign in again', error);
  }
}

function whyOf(error: unknown): string | null {
  if (error instanceof SignInError) return error.why;
  return error instanceof StandfastError && error.code === 'sign_in_unavailable' ? 'unavailable' : null;
}

export function oidcRoutes(app: ApiApp, api: ApiContext): void {
  const { oidc } = api.config.auth;
  app.get(
    '/api/login/methods',
    route('public', 'session', { summary: 'How one can sign in', response: { 200: MethodsSchema } }),
    async () => ({
      keys: api.config.auth.keys.length > 0,
      oidc: oidc === undefined ? null : { title: oidc.title, url: signInPath },
    }),
  );
  const signIn = api.oidc;
  if (signIn === null) return;
  const isSecure = api.publicUrl.startsWith('https:');
  // By https it is a cookie that no neighbouring host can set: theirs would end in a session of their choice.
  const [cookieName, cookiePath] = isSecure ? ['__Host-standfast-sign-in', '/'] : ['standfast-sign-in', signInPath];

  /** A browser gets the page to sign in at: with why this one did not succeed, and where it was to lead. */
  function answerFailure(request: FastifyRequest, reply: FastifyReply, error: unknown, next: string): FastifyReply {
    const why = whyOf(error);
    if (why === null || api.build === '' || !/\btext\/html\b/i.test(request.headers.accept ?? '')) throw error;
    const query = new URLSearchParams({ failed: why, ...(next === '/' ? {} : { next }) });
    return reply.header('cache-control', 'no-store').redirect(`/login?${query.toString()}`, 303);
  }

  app.get(
    signInPath,
    {
      config: { access: 'public' },
      schema: { hide: true, querystring: z.object({ returnTo: z.string().max(2000).refine(isOwnPath).default('/') }) },
    },
    async (request, reply) => {
      const { returnTo } = request.query;
      try {
        const { url, pending } = await signIn.begin(returnTo);
        // Lax: it has to come along when the provider sends the browser back.
        void reply.setCookie(cookieName, Buffer.from(JSON.stringify(pending)).toString('base64url'), {
          httpOnly: true,
          sameSite: 'lax',
          secure: isSecure,
          path: cookiePath,
          maxAge: signInWithinS,
        });
        return reply.header('cache-control', 'no-store').redirect(url, 303);
      } catch (error) {
        return answerFailure(request, reply, error, returnTo);
      }
    },
  );

  app.get(callbackPath, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    let next = '/';
    try {
      const pending = pendingOf(request.cookies[cookieName]);
      next = pending.returnTo;
      void reply.clearCookie(cookieName, { path: cookiePath, secure: isSecure });
      const who = await signIn.finish(new URL(request.url, api.publicUrl), pending);
      await api.sessions.openFor(reply, who);
      request.log.info({ by: who.principal.id }, 'signed in by the identity provider');
      return reply.header('cache-control', 'no-store').redirect(next, 303);
    } catch (error) {
      return answerFailure(request, reply, error, next);
    }
  });

  app.get('/api/logout/oidc', { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    // The cookie also comes by links on hosts of our own site: no link of another site signs anybody out here.
    if (isFromOtherPage(request, api.publicUrl)) return reply.redirect('/', 303);
    const ended = await api.sessions.close(reply, request.cookies);
    if (ended === null) return reply.redirect('/', 303);
    api.callers.endSession(ended);
    // Signed out here it is in any case; the page says that the provider was not reached.
    return reply.redirect((await signIn.endSessionUrl().catch(() => '/login?failed=signOut')) ?? '/', 303);
  });

  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxTokenBytes },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    scope.post(
      '/api/logout/oidc/backchannel',
      { config: { access: 'public', isUncounted: true }, schema: { hide: true } },
      async (request, reply) => {
        const token = request.body instanceof URLSearchParams ? request.body.get('logout_token') : null;
        const ended = await api.sessions.closeOf(await signIn.ofLogout(token ?? ''));
        for (const tokenHash of ended) api.callers.endSession(tokenHash);
        return reply.code(200).header('cache-control', 'no-store').send();
      },
    );
  });
}
