// Beside the title: claim or release, reassign, the task, and its end.
import { type ReactNode, useRef, useState } from 'react';
import { announce } from '../app/announce.tsx';
import { send } from '../app/api.ts';
import { useKeys } from '../app/keys.ts';
import { Icon } from '../ui/icons.tsx';
import { strings } from '../i18n/strings.ts';
import { ArmButton } from './decide/arm-button.tsx';
import { whyOf } from './decide/ask-first.tsx';
import { usePane } from './pane.ts';
import { actorWords, isMe } from './words/people.ts';
import { Reassign } from './decide/reassign.tsx';
import { Snooze } from './talk/snooze.tsx';

const words = strings.hold;

interface Props {
  onOpenTask: () => void;
  onChanged: () => Promise<void>;
  /** The list asked for the reassigning to be open. */
  startReassign: boolean;
  canCancel: boolean;
  /** What stands at the left of the bar. */
  lead: ReactNode;
  /** Passes any question on, also one they may not decide. */
  isOperator: boolean;
}

export function HoldTools({ onOpenTask, onChanged, startReassign, canCancel, isOperator, lead }: Props): ReactNode {
  const { hold, myId, arm, work } = usePane();
  const [isOpen, setOpen] = useState(startReassign);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDetailsElement>(null);
  const close = (): void => {
    setOpen(false);
    opener.current?.focus({ preventScroll: true });
  };
  const isMine = hold.claim !== null && isMe(hold.claim.by, myId);
  const isActive = hold.status === 'open';
  const canPassOn = isActive && (hold.mayDecide || isOperator);
  const other = hold.claim === null || isMine ? null : actorWords(hold.claim.by, myId);

  const act = async (path: string, said: string | null, body: object = {}): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await send('POST', path, body);
      if (said !== null) announce(said);
    } catch (error) {
      setProblem(whyOf(error, hold));
    }
    setBusy(false);
    await onChanged();
  };
  const takeOver = (): void =>
    void act(`/api/holds/${encodeURIComponent(hold.id)}/claim`, strings.inbox.claimed, { takeOver: true });
  const claim = (): void => {
    // Taking over is a press of its button: no slip of a key takes it from somebody.
    if (other !== null) {
      announce(words.worksOnIt(other));
      return;
    }
    const path = `/api/holds/${encodeURIComponent(hold.id)}/${isMine ? 'release' : 'claim'}`;
    void act(path, isMine ? strings.inbox.released : strings.inbox.claimed);
  };
  useKeys({
    Escape: () => {
      if (menu.current?.open !== true) return false;
      menu.current.open = false;
      menu.current.querySelector('summary')?.focus();
      return undefined;
    },
    c: () => (isActive && hold.mayDecide ? claim() : false),
    m: () => (canPassOn ? setOpen(true) : false),
    t: onOpenTask,
  });
  const offers = isActive && hold.mayDecide && hold.claim === null && work.isTouched;
  return (
    <>
      <div className="hold-bar">
        {lead}
        <div className="hold-tools">
          {isActive && hold.mayDecide && (hold.claim === null || isMine) && (
            <button
              type="button"
              className={offers ? 'button small offered' : 'button small'}
              aria-disabled={isBusy || undefined}
              onClick={claim}
            >
              <Icon name="claim" /> <span className="tool-word">{isMine ? words.release : words.claim}</span>
            </button>
          )}
          {isActive && hold.mayDecide && other !== null && (
            <button
              type="button"
              className="button small"
              aria-disabled={isBusy || undefined}
              aria-label={words.takeOverFrom(other)}
              onClick={takeOver}
            >
              <Icon name="claim" /> <span className="tool-word">{words.takeOver}</span>
            </button>
          )}
          {canPassOn && (
            <button
              ref={opener}
              type="button"
              className="button small"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              <Icon name="forward" /> <span className="tool-word">{words.reassign}</span>
            </button>
          )}
          <Snooze />
          <button type="button" className="button small" onClick={onOpenTask}>
            <Icon name="tasks" /> <span className="tool-word">{words.openTask}</span>
          </button>
          {isActive && canCancel ? (
            <details className="menu" ref={menu}>
              <summary className="button small icon-only" aria-label={words.moreTools}>
                <Icon name="dots" />
              </summary>
              <div className="menu-items">
                <ArmButton
                  id="cancel-task"
                  label={words.cancelTask}
                  armedLabel={words.cancelTaskConfirm}
                  tone={arm.what === 'cancel-task' ? 'destroys' : 'quiet'}
                  arm={arm}
                  onConfirm={() => void act(`/api/tasks/${encodeURIComponent(hold.taskId)}/cancel`, words.cancelling)}
                />
                <p className="meta tool-note">{words.cancelTaskMeans}</p>
              </div>
            </details>
          ) : (
            !isActive && (
              <button type="button" className="button small" onClick={() => print()}>
                <Icon name="print" /> <span className="tool-word">{words.print}</span>
              </button>
            )
          )}
        </div>
      </div>
      {problem !== null && (
        <p className="error tool-note" role="alert">
          {problem}
        </p>
      )}
      {isOpen && canPassOn && <Reassign onDone={close} onChanged={onChanged} />}
    </>
  );
}
