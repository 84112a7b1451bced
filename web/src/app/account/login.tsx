import { useEffect, useId, useRef, type FormEvent, type ReactNode } from 'react';
import { ApiError } from '../../base/live/api.ts';
import { useRead } from '../../base/live/use-read.ts';
import { useSending } from '../../base/live/use-sending.ts';
import { loadMe, loginMethodsPath, signIn, type LoginMethods } from '../../base/account/me.ts';
import { Mark } from '../../ui/icons.tsx';
import { useModal } from '../../ui/modal.ts';
import { useRoute } from '../../base/router/router.ts';
import { readRoute } from '../../base/router/routes.ts';
import { usePageTitle } from '../../base/page/title.ts';
import { strings } from '../../i18n/strings.ts';

const text = strings.login;

function failureWords(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 401) return text.wrong;
  if (error.status === 429) return text.tooMany(strings.time.seconds(Math.ceil((error.retryAfterMs ?? 1_000) / 1_000)));
  return text.failed;
}

function LoginForm(): ReactNode {
  const { isSending, why, fail, run } = useSending(failureWords);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const key = input.current?.value.trim() ?? '';
    if (key === '') fail(text.empty);
    else if (await run(() => signIn(key))) return;
    input.current?.focus();
  };
  return (
    <form className="login-form stack" noValidate onSubmit={(event) => void submit(event)}>
      <div className="field">
        <label htmlFor={id}>{text.key}</label>
        <input
          ref={input}
          id={id}
          name="key"
          type="password"
          autoComplete="current-password"
          // The page is for nothing else.
          autoFocus
          aria-invalid={why !== null}
          aria-describedby={why === null ? undefined : `${id}-error`}
        />
        {why !== null && (
          <p className="error" id={`${id}-error`} role="alert">
            {why}
          </p>
        )}
      </div>
      <button type="submit" className="button primary" disabled={isSending}>
        {isSending ? text.sending : text.submit}
      </button>
    </form>
  );
}

/** The longest address that a sign-in leads back to. */
const maxReturnTo = 2_000;

/** The page to open after signing in. */
function addressHere(): string {
  const { pathname, search } = location;
  const route = readRoute(pathname, search);
  const here = route.page === 'login' ? route.next : pathname + search;
  return here.length > maxReturnTo ? '/' : here;
}

/** Sign-in by the organisation’s identity provider, where there is one; in a tab of its own where this page must stay as it is. */
function OtherWay({ isElsewhere = false }: { isElsewhere?: boolean }): ReactNode {
  const oidc = useRead<LoginMethods>(loginMethodsPath).data?.oidc ?? null;
  if (oidc === null) return null;
  return (
    <p>
      <a
        className="button primary"
        href={`${oidc.url}?returnTo=${encodeURIComponent(isElsewhere ? '/settings' : addressHere())}`}
        {...(isElsewhere ? { target: '_blank', rel: 'noopener' } : {})}
      >
        {oidc.title}
      </a>
    </p>
  );
}

export function LoginPage(): ReactNode {
  usePageTitle(text.title);
  const route = useRoute();
  const why = route.page === 'login' ? route.failed : null;
  return (
    <main id="content" className="login">
      <div className="login-card stack">
        <p className="login-brand">
          <Mark size={32} /> {strings.app.name}
        </p>
        <div>
          <h1>{text.title}</h1>
          <p className="meta">{text.what}</p>
        </div>
        {why !== null && (
          <p className="error" role="alert">
            {Object.hasOwn(text.failures, why)
              ? text.failures[why as keyof typeof text.failures]
              : text.failures.failed}
          </p>
        )}
        <OtherWay />
        <LoginForm />
        <p className="meta">{text.lead}</p>
      </div>
    </main>
  );
}

/** Over the page as it was: what was typed under it stays. */
export function LoginInPlace(): ReactNode {
  const dialog = useModal();
  const titleId = useId();
  useEffect(() => {
    // Back from the tab in which one signed in, or from another page that did.
    const again = (): void => void loadMe();
    addEventListener('focus', again);
    return () => removeEventListener('focus', again);
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={titleId} onCancel={(event) => event.preventDefault()}>
      <h2 id={titleId}>{text.again}</h2>
      <p>{text.againLead}</p>
      <OtherWay isElsewhere />
      <LoginForm />
    </dialog>
  );
}
