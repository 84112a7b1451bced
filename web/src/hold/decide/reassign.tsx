// Passing a question on to others, and asking for it where one may not.
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { HoldView } from '../../../../src/contract/hold.ts';
import type { AudienceOption } from '../../../../src/contract/inbox.ts';
import { announce } from '../../app/announce.tsx';
import { ApiError, get, send, serverNow } from '../../app/api.ts';
import { useKeys } from '../../app/keys.ts';
import { useMe } from '../../app/me.ts';
import { strings } from '../../i18n/strings.ts';
import { clockWords, reader } from '../../app/time.ts';
import { whyOf } from './ask-first.tsx';
import { usePane } from '../pane.ts';
import { entryName } from '../words/entry-words.ts';
import { actorWords, audienceWords, isMe } from '../words/people.ts';
import { PeoplePicker } from './people-picker.tsx';
import { visible } from '../text/visible.ts';

const words = strings.hold;
const entry = /^(owner|(role|user|agent):[^\s:][^\s]{0,99})$/;
const at = (iso: string): string => clockWords(Date.parse(iso), serverNow(), reader);

export function Reassign({ onDone, onChanged }: { onDone: () => void; onChanged: () => Promise<void> }): ReactNode {
  const { hold } = usePane();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [to, setTo] = useState('');
  const [chosen, setChosen] = useState<string[]>([]);
  const [note, setNote] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const options = useOptions(hold.id);
  useEffect(() => field.current?.focus(), []);
  useKeys({ Escape: onDone });
  const reassign = async (): Promise<void> => {
    // What was typed and not chosen is meant as well.
    const entries = [...chosen, ...to.split(/[\s,]+/u).filter((word) => word !== '')];
    if (entries.length === 0 || !entries.every((word) => entry.test(word))) {
      setProblem(words.reassignWrong);
      field.current?.focus();
      return;
    }
    try {
      await send('POST', `/api/holds/${encodeURIComponent(hold.id)}/reassign`, {
        to: entries,
        ...(note.trim() === '' ? {} : { note: note.trim() }),
      });
      announce(words.reassigned);
      onDone();
      await onChanged();
    } catch (error) {
      const said = error instanceof ApiError ? error.errors?.[0]?.message : undefined;
      setProblem(said ?? whyOf(error, hold));
    }
  };
  return (
    <div className="reassign" role="group" aria-label={words.reassign}>
      <div className="field">
        <PeoplePicker
          label={words.reassignTo}
          options={options}
          chosen={chosen}
          typed={to}
          onType={setTo}
          onChoose={setChosen}
          field={field}
          hintId={`${id}-hint`}
          isWrong={problem !== null}
        />
        <p className="hint" id={`${id}-hint`}>
          {problem !== null && <span className="error">{problem} </span>}
          {chosen.length === 0
            ? words.reassignHint
            : words.reassignEffect(audienceWords(hold.audience, hold.requester), namesOf(chosen, options))}
        </p>
      </div>
      <div className="field">
        <label htmlFor={`${id}-note`}>{words.note2}</label>
        <input
          id={`${id}-note`}
          type="text"
          dir="auto"
          maxLength={2000}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </div>
      <div className="row-buttons">
        <button type="button" className="button" onClick={() => void reassign()}>
          {words.reassignSend}
        </button>
        <button type="button" className="button quiet" onClick={onDone}>
          {words.close}
        </button>
      </div>
    </div>
  );
}

const namesOf = (entries: readonly string[], options: readonly AudienceOption[]): string =>
  entries.map((one) => entryName(one, options.find((option) => option.entry === one)?.name ?? null)).join(', ');

/** Whom it could go to; without an answer anybody may still be written down. */
function useOptions(holdId: string): AudienceOption[] {
  const [options, setOptions] = useState<AudienceOption[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    get<{ items: AudienceOption[] }>(`/api/holds/${encodeURIComponent(holdId)}/reassign`, {
      signal: abort.signal,
    }).then(
      ({ items }) => setOptions(items),
      () => undefined,
    );
    return () => abort.abort();
  }, [holdId]);
  return options;
}

/** Who wishes that others were asked: for those who can pass it on. */
export function ReassignAsks({ hold, myId }: { hold: HoldView; myId: string | null }): ReactNode {
  const others = hold.reassignAsks.filter(({ by }) => !isMe(by, myId));
  if (hold.status !== 'open' || others.length === 0) return null;
  return (
    <ul className="notice warn reassign-asks">
      {others.map(({ by, at: when, note }) => (
        <li key={by} dir="auto">
          {words.asksReassign(actorWords(by, myId), at(when))} {note !== null && words.quoted(visible(note))}
        </li>
      ))}
    </ul>
  );
}

/** For who only reads the question: says so to those who can pass it on, once. */
export function AskReassign(): ReactNode {
  const { hold, isGone, myId, reread } = usePane();
  const me = useMe();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [note, setNote] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    if (isOpen) field.current?.focus();
  }, [isOpen]);
  useKeys({
    Escape: () => {
      if (!isOpen || document.activeElement !== field.current) return false;
      setOpen(false);
      return undefined;
    },
  });
  if (hold.status !== 'open' || hold.mayDecide || isGone || me?.isOperator === true) return null;
  const mine = hold.reassignAsks.find(({ by }) => isMe(by, myId));
  if (mine !== undefined) return <span role="status">{words.askedReassign(at(mine.at))}</span>;
  const ask = async (): Promise<void> => {
    setProblem(null);
    try {
      const said = note.trim();
      await send('POST', `/api/holds/${encodeURIComponent(hold.id)}/reassign-ask`, said === '' ? {} : { note: said });
    } catch (error) {
      setProblem(whyOf(error, hold));
    }
    await reread();
  };
  if (!isOpen)
    return (
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {words.askReassign}
      </button>
    );
  return (
    <div className="reassign" role="group" aria-label={words.askReassign}>
      <div className="field">
        <label htmlFor={id}>{words.askReassignWhy}</label>
        <input
          id={id}
          ref={field}
          type="text"
          dir="auto"
          maxLength={500}
          value={note}
          aria-describedby={`${id}-means`}
          onChange={(event) => setNote(event.target.value)}
        />
        <p className="hint" id={`${id}-means`}>
          {problem !== null && <span className="error">{problem} </span>}
          {words.askReassignMeans}
        </p>
      </div>
      <div className="row-buttons">
        <button type="button" className="button" onClick={() => void ask()}>
          {words.askReassign}
        </button>
        <button type="button" className="button quiet" onClick={() => setOpen(false)}>
          {words.close}
        </button>
      </div>
    </div>
  );
}
