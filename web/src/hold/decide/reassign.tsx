// Passing a question on to others, and asking for it where one may not.
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import type { AudienceOption } from '../../../../src/contract/views/inbox.ts';
import { announce } from '../../base/page/announce.tsx';
import { ApiError, holdApi, send } from '../../base/live/api.ts';
import { useRead } from '../../base/live/use-read.ts';
import { useSending } from '../../base/live/use-sending.ts';
import { useKeys } from '../../base/page/keys.ts';
import { strings } from '../../i18n/strings.ts';
import { clockAt } from '../../base/time/time.ts';
import { onSendKey, TextField } from '../../ui/controls.tsx';
import { whyOf } from '../answer/failure-words.ts';
import { useOffered } from '../acts/use-offered.ts';
import { useQuestion } from '../pane/pane.ts';
import { entryName } from '../words/entry-words.ts';
import { actorWords, audienceWords, isMe } from '../words/people.ts';
import { PeoplePicker } from './people-picker.tsx';
import { visible } from '../../base/text/visible.ts';

const words = strings.hold;
const entry = /^(owner|(role|user|agent):[^\s:][^\s]{0,99})$/;

export function Reassign({ onDone }: { onDone: () => void }): ReactNode {
  const { hold, take } = useQuestion();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [to, setTo] = useState('');
  const [chosen, setChosen] = useState<string[]>([]);
  const [note, setNote] = useState('');
  const { why, fail, run } = useSending((error) => {
    const reason = error instanceof ApiError ? error.errors[0]?.message : undefined;
    return reason ?? whyOf(error, hold);
  });
  // Whom it could go to; without an answer anybody may still be written down.
  const options = useRead<{ items: AudienceOption[] }>(holdApi(hold.id, '/reassign')).data?.items ?? [];
  useEffect(() => field.current?.focus(), []);
  useKeys({ Escape: onDone });
  const reassign = async (): Promise<void> => {
    // What was typed and not chosen is meant as well.
    const entries = [...chosen, ...to.split(/[\s,]+/u).filter((word) => word !== '')];
    if (entries.length === 0 || !entries.every((word) => entry.test(word))) {
      fail(words.reassignWrong);
      field.current?.focus();
      return;
    }
    await run(async () => {
      const passedOn = await send<HoldView>('POST', holdApi(hold.id, '/reassign'), { to: entries, ...noted(note) });
      announce(words.reassigned);
      onDone();
      // It may be the reader's to see no more: what came back is the last that can be known.
      take(passedOn);
    });
  };
  return (
    <div className="reassign box stack" role="group" aria-label={words.reassign}>
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
          isWrong={why !== null}
        />
        <p className="hint" id={`${id}-hint`}>
          {why !== null && <span className="error">{why} </span>}
          {chosen.length === 0
            ? words.reassignHint
            : words.reassignEffect(audienceWords(hold.audience, hold.requester), namesOf(chosen, options))}
        </p>
      </div>
      <TextField
        id={`${id}-note`}
        label={words.note2}
        value={note}
        onChange={setNote}
        onKeyDown={onSendKey(() => void reassign())}
      />
      <div className="cluster">
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

/** The body's part for a note, where there is one. */
const noted = (note: string): { note?: string } => (note.trim() === '' ? {} : { note: note.trim() });

/** Who asked for others to be asked: for those who can pass it on. */
export function ReassignAsks(): ReactNode {
  const { newest: hold, myId } = useQuestion();
  const others = hold.reassignAsks.filter(({ by }) => !isMe(by, myId));
  if (hold.status !== 'open' || others.length === 0) return null;
  return (
    <ul className="notice warn reassign-asks">
      {others.map(({ by, at: when, note }) => (
        <li key={by} dir="auto">
          {words.asksReassign(actorWords(by, myId), clockAt(when))}{' '}
          {note !== null && strings.inbox.quoted(visible(note))}
        </li>
      ))}
    </ul>
  );
}

/** For who only reads the question: says so to those who can pass it on, once. */
export function AskReassign(): ReactNode {
  const { hold, isGone, myId, reread } = useQuestion();
  const isOffered = useOffered('ask-reassign');
  const id = useId();
  const field = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [note, setNote] = useState('');
  const { why, run } = useSending((error) => whyOf(error, hold));
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
  if (!isOffered || isGone) return null;
  const mine = hold.reassignAsks.find(({ by }) => isMe(by, myId));
  if (mine !== undefined) return <span role="status">{words.askedReassign(clockAt(mine.at))}</span>;
  const ask = async (): Promise<void> => {
    await run(() => send('POST', holdApi(hold.id, '/reassign-ask'), noted(note)));
    await reread();
  };
  if (!isOpen)
    return (
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {words.askReassign}
      </button>
    );
  return (
    <div className="reassign box stack" role="group" aria-label={words.askReassign}>
      <TextField
        id={id}
        field={field}
        label={words.askReassignWhy}
        maxLength={500}
        value={note}
        onChange={setNote}
        onKeyDown={onSendKey(() => void ask())}
        hint={
          <>
            {why !== null && <span className="error">{why} </span>}
            {words.askReassignMeans}
          </>
        }
      />
      <div className="cluster">
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
