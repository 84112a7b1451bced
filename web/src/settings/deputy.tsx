// Who decides in one's stead while one is away; the rest of what one has chosen stays as it is.
import { useState, type ReactNode } from 'react';
import type { Preferences } from '../../../src/contract/configuration/personal.ts';
import { strings } from '../i18n/strings.ts';
import { ErrorText } from '../ui/controls.tsx';
import { DateField } from '../ui/date/date-field.tsx';
import type { ChosenPreferences } from './preferences.ts';

const words = strings.settings.deputy;

/** The end of a day, in the reader's zone. */
const endOf = (day: string): string => new Date(`${day}T23:59:59`).toISOString();

export function Deputy({ chosen, save }: ChosenPreferences): ReactNode {
  const [name, setName] = useState('');
  const [day, setDay] = useState('');
  const [why, setWhy] = useState<string | null>(null);
  const become = async (away: Preferences['away']): Promise<void> => setWhy(await save({ away }));
  const away = chosen?.away;
  const isWhole = name.trim() !== '' && /^\d{4}-\d\d-\d\d$/.test(day);
  if (away !== undefined)
    return (
      <div className="choice">
        <p>{words.is(away.delegate.replace(/^user:/, ''), new Date(away.until).toLocaleDateString())}</p>
        <button type="button" className="button" onClick={() => void become(undefined)}>
          {words.end}
        </button>
      </div>
    );
  return (
    <form
      className="choice"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole) void become({ until: endOf(day), delegate: `user:${name.trim()}` });
        else setWhy(words.both);
      }}
    >
      <div className="field">
        <label htmlFor="deputy-name">{words.name}</label>
        <input id="deputy-name" value={name} autoComplete="off" onChange={(event) => setName(event.target.value)} />
      </div>
      <div className="field">
        <label htmlFor="deputy-until">{words.until}</label>
        <DateField id="deputy-until" label={words.until} value={day} onChange={setDay} />
      </div>
      <ErrorText why={why} />
      <button type="submit" className="button">
        {words.start}
      </button>
    </form>
  );
}
