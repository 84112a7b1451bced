// The passkeys with which one signs answers, and a new one.
import { useEffect, useState, type ReactNode } from 'react';
import { ApiError, get } from '../base/live/api.ts';
import { strings } from '../i18n/strings.ts';
import { Facts } from '../ui/facts.tsx';

const { passkeys: words, failed } = strings.settings;

interface Own {
  items: { id: string; name: string; since: string; lastUsedAt: string | null }[];
  isPossible: boolean;
}

const dayOf = (at: string): string => new Date(at).toLocaleDateString();

function whyOf(error: unknown): string {
  if (!(error instanceof ApiError)) return failed;
  if (error.code === 'passkey_stopped') return words.stopped;
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
  const add = async (): Promise<void> => {
    setBusy(true);
    setWhy(null);
    try {
      const { register } = await import('../base/account/passkeys.ts');
      await register(name.trim());
      setName('');
      read();
    } catch (error) {
      setWhy(whyOf(error));
    } finally {
      setBusy(false);
    }
  };
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
        else void add();
      }}
    >
      <p className="meta">{words.what}</p>
      {items.length > 0 && (
        <Facts
          className="plain"
          facts={items.map(({ id, name: given, since, lastUsedAt }) => [
            <bdi key={id}>{given}</bdi>,
            lastUsedAt === null ? words.since(dayOf(since)) : words.used(dayOf(since), dayOf(lastUsedAt)),
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
