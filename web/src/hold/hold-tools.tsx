// Beside the title: claim or release, reassign, the task, and its end.
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { announce } from '../announce.tsx';
import { ApiError, send } from '../api.ts';
import { useKeys } from '../keys.ts';
import { strings } from '../strings.ts';
import { ArmButton } from './arm-button.tsx';
import { whyOf } from './ask-first.tsx';
import { usePane } from './pane.ts';
import { isMe } from './people.ts';

const words = strings.hold;
const entry = /^(owner|(role|user|agent):[^\s:][^\s]{0,99})$/;

interface Props {
  onOpenTask: () => void;
  onChanged: () => Promise<void>;
  /** The list asked for the reassigning to be open. */
  startReassign: boolean;
  canCancel: boolean;
}

export function HoldTools({ onOpenTask, onChanged, startReassign, canCancel }: Props): ReactNode {
  const { hold, myId, arm, work } = usePane();
  const [isOpen, setOpen] = useState(startReassign);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isMine = hold.claim !== null && isMe(hold.claim.by, myId);
  const isActive = hold.status === 'open';

  const act = async (path: string, said: string | null): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await send('POST', path, {});
      if (said !== null) announce(said);
    } catch (error) {
      setProblem(whyOf(error, hold));
    }
    setBusy(false);
    await onChanged();
  };
  const claim = (): void => {
    const path = `/api/holds/${encodeURIComponent(hold.id)}/${isMine ? 'release' : 'claim'}`;
    void act(path, isMine ? strings.inbox.released : strings.inbox.claimed);
  };
  useKeys({
    c: () => (isActive && hold.mayDecide ? claim() : false),
    m: () => (isActive && hold.mayDecide ? setOpen(true) : false),
    t: onOpenTask,
  });
  const offers = isActive && hold.mayDecide && hold.claim === null && work.isTouched;
  return (
    <div className="hold-tools">
      {isActive && hold.mayDecide && (hold.claim === null || isMine) && (
        <button
          type="button"
          className={offers ? 'button offered' : 'button quiet'}
          aria-disabled={isBusy || undefined}
          onClick={claim}
        >
          {isMine ? words.release : words.claim}
        </button>
      )}
      <button type="button" className="button quiet" onClick={onOpenTask}>
        {words.openTask}
      </button>
      {isActive && hold.mayDecide && (
        <button type="button" className="button quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {words.reassign}
        </button>
      )}
      {isActive && canCancel && (
        <ArmButton
          id="cancel-task"
          label={words.cancelTask}
          armedLabel={words.cancelTaskConfirm}
          tone={arm.what === 'cancel-task' ? 'destroys' : 'quiet'}
          arm={arm}
          onConfirm={() => void act(`/api/tasks/${encodeURIComponent(hold.taskId)}/cancel`, words.cancelling)}
        />
      )}
      {arm.what === 'cancel-task' && <p className="meta tool-note">{words.cancelTaskMeans}</p>}
      {problem !== null && (
        <p className="error tool-note" role="alert">
          {problem}
        </p>
      )}
      {isOpen && isActive && <Reassign onDone={() => setOpen(false)} onChanged={onChanged} />}
    </div>
  );
}

function Reassign({ onDone, onChanged }: { onDone: () => void; onChanged: () => Promise<void> }): ReactNode {
  const { hold } = usePane();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [to, setTo] = useState('');
  const [note, setNote] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => field.current?.focus(), []);
  const reassign = async (): Promise<void> => {
    const entries = to.split(/[\s,]+/u).filter((word) => word !== '');
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
        <label htmlFor={id}>{words.reassignTo}</label>
        <input
          id={id}
          ref={field}
          type="text"
          value={to}
          spellCheck={false}
          autoCapitalize="off"
          aria-invalid={problem !== null || undefined}
          aria-describedby={`${id}-hint`}
          onChange={(event) => setTo(event.target.value)}
        />
        <p className="hint" id={`${id}-hint`}>
          {problem !== null && <span className="error">{problem} </span>}
          {words.reassignHint}
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
