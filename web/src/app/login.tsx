import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { ApiError } from './api.ts';
import { loginMethods, signIn, type LoginMethods } from './me.ts';
import { Mark } from '../ui/icons.tsx';
import { usePageTitle } from './title.ts';
import { strings } from '../i18n/strings.ts';

const text = strings.login;

function failureWords(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 401) return text.wrong;
  if (error.status === 429) return text.tooMany(strings.time.seconds(Math.ceil((error.retryAfterMs ?? 1_000) / 1_000)));
  return text.failed;
}

export function LoginForm({ onDone }: { onDone?: () => void }): ReactNode {
  const [error, setError] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const key = input.current?.value.trim() ?? '';
    if (key === '') {
      setError(text.empty);
      input.current?.focus();
      return;
    }
    setIsSending(true);
    setError(null);
    try {
      await signIn(key);
      onDone?.();
    } catch (failure) {
      setError(failureWords(failure));
      input.current?.focus();
    } finally {
      setIsSending(false);
    }
  };
  return (
    <form className="login-form" noValidate onSubmit={(event) => void submit(event)}>
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
          aria-invalid={error !== null}
          aria-describedby={error === null ? undefined : `${id}-error`}
        />
        {error !== null && (
          <p className="error" id={`${id}-error`} role="alert">
            {error}
          </p>
        )}
      </div>
      <button type="submit" className="button primary" disabled={isSending}>
        {isSending ? text.sending : text.submit}
      </button>
    </form>
  );
}

/** Sign-in by the organisation’s identity provider, where there is one. */
function OtherWay(): ReactNode {
  const [oidc, setOidc] = useState<LoginMethods['oidc']>(null);
  useEffect(() => {
    loginMethods()
      .then((methods) => setOidc(methods.oidc))
      .catch(() => undefined);
  }, []);
  if (oidc === null) return null;
  const back = location.pathname.startsWith('/login') ? '/' : location.pathname;
  return (
    <p>
      <a className="button primary" href={`${oidc.url}?returnTo=${encodeURIComponent(back)}`}>
        {oidc.title}
      </a>
    </p>
  );
}

export function LoginPage({ onDone }: { onDone?: () => void }): ReactNode {
  usePageTitle(text.title);
  return (
    <main id="content" className="login">
      <p className="login-brand">
        <Mark size={40} /> {strings.app.name}
      </p>
      <p className="meta">{text.what}</p>
      <h1>{text.title}</h1>
      <p>{text.lead}</p>
      <OtherWay />
      <LoginForm {...(onDone === undefined ? {} : { onDone })} />
    </main>
  );
}

/** Over the page as it was: what was typed under it stays. */
export function LoginInPlace(): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={titleId} onCancel={(event) => event.preventDefault()}>
      <h2 id={titleId}>{text.again}</h2>
      <p>{text.againLead}</p>
      <LoginForm />
    </dialog>
  );
}
