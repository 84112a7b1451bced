// Which messages come to a person by mail, Slack, Teams and push: of what, when, and how often.
import { useState, type ReactNode } from 'react';
import { noticeEvents } from '../../../src/contract/configuration/notice-names.ts';
import type { Preferences } from '../../../src/contract/configuration/personal.ts';
import { strings } from '../i18n/strings.ts';
import { ErrorText, TextField } from '../ui/controls.tsx';
import { Choice } from './choices.tsx';
import { messageDraft, preferencesOf, type MessageDraft } from './message-draft.ts';
import type { ChosenPreferences } from './preferences.ts';

const words = strings.settings.messages;
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Nothing until one's choices were read: a form of defaults would replace them. */
export function Messages({ chosen, save }: ChosenPreferences): ReactNode {
  return chosen === null ? null : <MessageForm before={chosen} save={save} />;
}

interface MessageFormProps extends Pick<ChosenPreferences, 'save'> {
  before: Preferences;
}

function MessageForm({ before, save }: MessageFormProps): ReactNode {
  const [draft, setDraft] = useState(() => messageDraft(before, ownZone));
  const [result, setResult] = useState<{ why: string | null } | null>(null);
  const change = (part: Partial<MessageDraft>): void => {
    setResult(null);
    setDraft({ ...draft, ...part });
  };
  const { which, when, often, hours, times, days, zone } = draft;
  return (
    <form
      className="choice"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save(preferencesOf(draft, before)).then((why) => setResult({ why }));
      }}
    >
      <Choice legend={words.which} options={words.whiches} value={which} onChoose={(next) => change({ which: next })} />
      {which === 'these' && <Events draft={draft} change={change} />}
      <Choice legend={words.when} options={words.whens} value={when} onChoose={(next) => change({ when: next })} />
      {when === 'hours' && (
        <TextField id="message-hours" label={words.hours} value={hours} onChange={(next) => change({ hours: next })} />
      )}
      <Choice legend={words.often} options={words.oftens} value={often} onChoose={(next) => change({ often: next })} />
      {often === 'list' && (
        <>
          <p className="meta">{words.urgent}</p>
          <TextField
            id="message-times"
            label={words.times}
            value={times}
            onChange={(next) => change({ times: next })}
          />
          <TextField id="message-days" label={words.days} value={days} onChange={(next) => change({ days: next })} />
        </>
      )}
      {(when === 'hours' || often === 'list') && (
        <TextField id="message-zone" label={words.zone} value={zone} onChange={(next) => change({ zone: next })} />
      )}
      <ErrorText why={result?.why ?? null} />
      {result?.why === null && <p role="status">{words.saved}</p>}
      <button type="submit" className="button">
        {words.save}
      </button>
    </form>
  );
}

function Events({
  draft: { events },
  change,
}: {
  draft: MessageDraft;
  change: (part: Partial<MessageDraft>) => void;
}): ReactNode {
  return (
    <fieldset className="choice">
      <legend className="sr-only">{words.which}</legend>
      {noticeEvents.map((event) => (
        <label key={event} className="check">
          <input
            type="checkbox"
            checked={events.includes(event)}
            onChange={({ target }) =>
              change({ events: target.checked ? [...events, event] : events.filter((one) => one !== event) })
            }
          />
          {words.events[event]}
        </label>
      ))}
    </fieldset>
  );
}
