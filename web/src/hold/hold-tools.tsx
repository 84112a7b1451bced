// Next to the title: claim or release, reassign, the task, and its end.
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { announce } from '../app/shell/announce.tsx';
import { holdApi, send, taskApi } from '../app/live/api.ts';
import { useSending } from '../app/live/use-sending.ts';
import { useKeys } from '../app/shell/keys.ts';
import { useMenu } from '../ui/menu.ts';
import { ErrorText } from '../ui/controls.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { strings } from '../i18n/strings.ts';
import { ArmButton } from './decide/arm-button.tsx';
import { usePane } from './pane.ts';
import { whyOf } from './words/failure-words.ts';
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
  const { isSending, why, run } = useSending((error) => whyOf(error, hold));
  const opener = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDetailsElement>(null);
  useMenu(menu);
  const close = (): void => {
    setOpen(false);
    opener.current?.focus({ preventScroll: true });
  };
  const isMine = hold.claim !== null && isMe(hold.claim.by, myId);
  const isActive = hold.status === 'open';
  const canPassOn = isActive && (hold.mayDecide || isOperator);
  const other = hold.claim === null || isMine ? null : actorWords(hold.claim.by, myId);

  const act = async (path: string, announcement: string, body: object = {}): Promise<void> => {
    await run(async () => {
      await send('POST', path, body);
      announce(announcement);
    });
    await onChanged();
  };
  const takeOver = (): void => void act(holdApi(hold.id, '/claim'), strings.inbox.claimed, { takeOver: true });
  const claim = (): void => {
    // Taking over is a press of its button: no slip of a key takes it from somebody.
    if (other !== null) {
      announce(words.worksOnIt(other));
      return;
    }
    if (isMine) void act(holdApi(hold.id, '/release'), strings.inbox.released);
    else void act(holdApi(hold.id, '/claim'), strings.inbox.claimed);
  };
  useKeys({
    c: () => (isActive && hold.mayDecide ? claim() : false),
    m: () => (canPassOn ? setOpen(true) : false),
    t: onOpenTask,
  });
  const offers = isActive && hold.mayDecide && hold.claim === null && work.isTouched;
  return (
    <>
      <div className="page-bar hold-bar cluster">
        {lead}
        <div className="hold-tools cluster">
          {isActive && hold.mayDecide && other === null && (
            <Tool
              icon="claim"
              word={isMine ? words.release : words.claim}
              className={offers ? 'offered' : ''}
              isLocked={isSending}
              onPress={claim}
            />
          )}
          {isActive && hold.mayDecide && other !== null && (
            <Tool
              icon="claim"
              word={words.takeOver}
              label={words.takeOverFrom(other)}
              isLocked={isSending}
              onPress={takeOver}
            />
          )}
          {canPassOn && (
            <Tool
              icon="forward"
              word={words.reassign}
              opener={opener}
              isExpanded={isOpen}
              onPress={() => setOpen(!isOpen)}
            />
          )}
          <Snooze />
          <Tool icon="tasks" word={words.openTask} onPress={onOpenTask} />
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
                  onConfirm={() => void act(taskApi(hold.taskId, '/cancel'), words.cancelling)}
                />
                <p className="meta tool-note">{words.cancelTaskMeans}</p>
              </div>
            </details>
          ) : (
            !isActive && <Tool icon="print" word={words.print} onPress={() => print()} />
          )}
        </div>
      </div>
      <ErrorText className="error tool-note" why={why} />
      {isOpen && canPassOn && <Reassign onDone={close} onChanged={onChanged} />}
    </>
  );
}

interface ToolProps {
  icon: IconName;
  word: string;
  /** Where the word alone does not say it to ears. */
  label?: string;
  className?: string;
  isLocked?: boolean;
  isExpanded?: boolean;
  opener?: RefObject<HTMLButtonElement | null>;
  onPress: () => void;
}

/** A button of the bar; on a phone its icon stands alone. */
function Tool({ icon, word, label, className = '', isLocked, isExpanded, opener, onPress }: ToolProps): ReactNode {
  return (
    <button
      ref={opener}
      type="button"
      className={`button small ${className}`}
      aria-label={label}
      aria-disabled={isLocked || undefined}
      aria-expanded={isExpanded}
      onClick={onPress}
    >
      <Icon name={icon} /> <span className="tool-word">{word}</span>
    </button>
  );
}
