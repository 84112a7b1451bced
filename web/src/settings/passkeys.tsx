// The passkeys with which one signs answers: a new one, another name, and one that goes.
import { useEffect, useState, type ReactNode } from 'react';
import type * as account from '../base/account/passkeys.ts';
import { ApiError, get } from '../base/live/api.ts';
import { strings } from '../i18n/strings.ts';
import { Facts } from '../ui/facts.tsx';
import { OwnPasskey } from './own-passkey.tsx';

const { passkeys: words, failed } = strings.settings;

type Account = typeof account;

interface Own {
  items: { id: string; name: string; since: string; lastUsedAt: string | null }[];
  isPossible: boolean;
}

const dayOf = (at: string): string => new Date(at).toLocaleDateString();

function whyOf(error: unknown): string {
  if (!(error instanceof ApiError)) return failed;
  if (error.code === 'passkey_stopped') return words.stopped;
  if (error.code === 'forbidden' || error.code === 'passkey_required') return words.last;
  return error.code === 'passkey_known' ? words.known : error.detail || failed;
}

export function Passkeys(): ReactNode {
  const [own, setOwn] = useState<Own | null>(null);
  const [name, setName] = useState('');
  const [why, setWhy] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const read = (): void => {
    get<Own>('/api/me/passkeys').then(setOwn, () => setWhy(failed));
  };
  useEffect(read, []);
  const change = async (how: (account: Account) => Promise<void>): Promise<void> => {
    setBusy(true);
    setWhy(null);
    try {
      await how(await import('../base/account/passkeys.ts'));
      read();
    } catch (error) {
      setWhy(whyOf(error));
    } finally {
      setBusy(false);
    }
  };
  const add = ({ register }: Account): Promise<void> => register(name.trim()).then(() => setName(''));
  if (own === null) return null;
  const { items, isPossible } = own;
  if (!isPossible) return <p className="meta">{words.impossible}</p>;
  return (
    <form
      className="choice"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() === '') setWhy(words.nameIt);
        else void change(add);
      }}
    >
      <p className="meta">{words.what}</p>
      {items.length > 0 && (
        <Facts
          className="plain"
          facts={items.map(({ id, name: given, since, lastUsedAt }) => [
            <bdi key={id}>{given}</bdi>,
            <span key={id}>
              {lastUsedAt === null ? words.since(dayOf(since)) : words.used(dayOf(since), dayOf(lastUsedAt))}
              <OwnPasskey
                key={given}
                id={id}
                name={given}
                isBusy={isBusy}
                rename={(one, to) => void change(({ rename }) => rename(one, to))}
                remove={(one) => void change(({ remove }) => remove(one))}
              />
            </span>,
          ])}
        />
      )}
      {items.length > 0 && <p className="meta">{words.lost}</p>}
      <div className="field">
        <label htmlFor="passkey-name">{words.name}</label>
        <input
          id="passkey-name"
          value={name}
          maxLength={60}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      {why !== null && (
        <p className="error" role="alert">
          {why}
        </p>
      )}
      <button type="submit" className="button" disabled={isBusy}>
        {items.length === 0 ? words.first : words.another}
      </button>
    </form>
  );
}
