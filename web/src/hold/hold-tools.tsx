// Next to the title: claim or release, reassign, the task, and its end.
import { memo, type ReactNode, type RefObject, useRef, useState } from 'react';
import { announce } from '../base/page/announce.tsx';
import { useIsPhone } from '../base/page/media.ts';
import { holdApi, send, taskApi } from '../base/live/api.ts';
import { useSending } from '../base/live/use-sending.ts';
import { useKeys } from '../base/page/keys.ts';
import { useMenu } from '../ui/menu.ts';
import { ErrorText, IconButton } from '../ui/controls.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { strings } from '../i18n/strings.ts';
import { pageActs } from './acts/acts.ts';
import { useOffered } from './acts/use-offered.ts';
import { noMeans } from './decide/means.ts';
import { declined } from './answer/answers.ts';
import { ArmButton } from './decide/arm-button.tsx';
import { usePane, useQuestion } from './pane/pane.ts';
import { whyOf } from './answer/failure-words.ts';
import { actorWords } from './words/people.ts';
import { Reassign } from './decide/reassign.tsx';
import { Extend } from './talk/extend.tsx';
import { Snooze } from './talk/snooze.tsx';

const words = strings.hold;

export interface ListPlace {
  index: number;
  /** `50+` where more are not counted. */
  count: string;
  /** Opens the neighbour; null at either end. */
  onPrevious: (() => void) | null;
  onFollowing: (() => void) | null;
}

interface Props {
  /** Its position in the list next to it. */
  at: ListPlace | null;
  onBack: () => void;
  onOpenTask: (taskId: string) => void;
}

export const HoldTools = memo(function HoldTools({ at, onBack, onOpenTask }: Props): ReactNode {
  const { hold, armed } = useQuestion();
  const [isReassigning, setReassigning] = useState(armed === 'reassign');
  const { isSending, why, act } = useAct();
  const reassignButton = useRef<HTMLButtonElement>(null);
  const closeReassign = (): void => {
    setReassigning(false);
    reassignButton.current?.focus({ preventScroll: true });
  };
  const isActive = hold.status === 'open';
  // On a phone the bar is one row.
  const isInMenu = useIsPhone() && isActive;
  const canPassOn = useOffered('reassign');
  const { key, icon } = pageActs.reassign;
  const openTask = (): void => onOpenTask(hold.taskId);
  useKeys({ [key]: () => (canPassOn ? setReassigning(true) : false), t: openTask }, [
    ...(canPassOn ? [{ key, label: words.reassign }] : []),
    { key: 't', label: words.openTask },
  ]);
  return (
    <>
      <div className="page-bar hold-bar cluster">
        <button type="button" className="button quiet hold-back" onClick={onBack}>
          <Icon name="back" /> <span className="tool-word">{words.back}</span>
        </button>
        {at !== null && <InList at={at} />}
        <div className="hold-tools cluster">
          <ClaimTool {...{ isSending, act }} />
          {canPassOn && (
            <Tool
              icon={icon}
              word={words.reassign}
              opener={reassignButton}
              isExpanded={isReassigning}
              onPress={() => setReassigning(!isReassigning)}
            />
          )}
          <Snooze />
          <Extend />
          {!isInMenu && <Tool icon="tasks" word={words.openTask} onPress={openTask} />}
          {isActive ? (
            <Ends act={act} onOpenTask={isInMenu ? openTask : null} />
          ) : (
            <Tool icon="print" word={words.print} onPress={() => print()} />
          )}
        </div>
      </div>
      <ErrorText className="error tool-note" why={why} />
      {isReassigning && canPassOn && <Reassign onDone={closeReassign} />}
    </>
  );
});

type Act = (path: string, announcement: string, body?: object) => void;

/** Sends what a button asks for, and reads the question again, whatever became of it. */
function useAct(): { isSending: boolean; why: string | null; act: Act } {
  const { hold, reread } = useQuestion();
  const { isSending, why, run } = useSending((error) => whyOf(error, hold));
  const act = async (path: string, announcement: string, body: object = {}): Promise<void> => {
    await run(async () => {
      await send('POST', path, body);
      announce(announcement);
    });
    await reread();
  };
  return { isSending, why, act: (...args) => void act(...args) };
}

/** Claims the question, releases it, or takes it over, whichever is possible. */
function ClaimTool({ isSending, act }: { isSending: boolean; act: Act }): ReactNode {
  const { hold, myId, work } = usePane();
  const isMine = useOffered('release');
  const isOffered = useOffered('claim') || (isMine && hold.mayDecide);
  const other = hold.claim === null || isMine ? null : actorWords(hold.claim.by, myId);
  const { key, icon } = pageActs.claim;
  const press = (): void => {
    if (isMine) act(holdApi(hold.id, '/release'), strings.inbox.released);
    else act(holdApi(hold.id, '/claim'), strings.inbox.claimed, other === null ? {} : { takeOver: true });
  };
  const word = other !== null ? words.takeOver : isMine ? words.release : words.claim;
  // Taking over is a press of its button: no slip of a key takes it from another person.
  useKeys(
    { [key]: () => (!isOffered ? false : other === null ? press() : announce(words.worksOnIt(other))) },
    isOffered && other === null ? [{ key, label: word }] : [],
  );
  if (!isOffered) return null;
  return (
    <Tool
      icon={icon}
      word={word}
      label={other === null ? undefined : words.takeOverFrom(other)}
      className={hold.claim === null && work.isTouched ? 'offered' : ''}
      isLocked={isSending}
      onPress={press}
    />
  );
}

/** What ends the question without an answer, and on a phone its task: behind a menu, or one is pressed for the other. */
function Ends({ act, onOpenTask }: EndsProps): ReactNode {
  const { hold, lockedWhy } = usePane();
  const menu = useRef<HTMLDetailsElement>(null);
  useMenu(menu);
  const [isOpen, setOpen] = useState(false);
  const canCancel = useOffered('cancel');
  // Where two buttons decide, giving no answer at all is not a third of them.
  const canDecline = hold.kind === 'form' && hold.decides !== null && lockedWhy === null;
  if (!canCancel && !canDecline && onOpenTask === null) return null;
  return (
    <details className="menu" ref={menu} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="button small icon-only" aria-label={words.moreTools}>
        <Icon name="dots" />
      </summary>
      <div className="menu-items">{isOpen && <EndItems {...{ act, onOpenTask, canCancel, canDecline }} />}</div>
    </details>
  );
}

interface EndsProps {
  act: Act;
  /** Null: its button is next to the menu. */
  onOpenTask: (() => void) | null;
}

function EndItems(props: EndsProps & { canCancel: boolean; canDecline: boolean }): ReactNode {
  const { act, onOpenTask, canCancel, canDecline } = props;
  const { hold, arm, work, submit } = usePane();
  return (
    <>
      {onOpenTask !== null && (
        <button type="button" className="button quiet plain" onClick={onOpenTask}>
          <Icon name="tasks" /> {words.openTask}
        </button>
      )}
      {canDecline && (
        <>
          <ArmButton
            id="decline"
            label={words.decline}
            armedLabel={words.confirmDecline}
            tone={arm.what === 'decline' ? 'destroys' : 'quiet'}
            arm={arm}
            onConfirm={() => submit(declined(hold, work.reason))}
          />
          <p className="meta tool-note">{noMeans(hold, 'decline')}</p>
        </>
      )}
      {canCancel && (
        <>
          <ArmButton
            id="cancel-task"
            label={words.cancelTask}
            armedLabel={words.cancelTaskConfirm}
            tone={arm.what === 'cancel-task' ? 'destroys' : 'quiet'}
            arm={arm}
            onConfirm={() => act(taskApi(hold.taskId, '/cancel'), words.cancelling)}
          />
          <p className="meta tool-note">{words.cancelTaskMeans}</p>
        </>
      )}
    </>
  );
}

function InList({ at: { index, count, onPrevious, onFollowing } }: { at: ListPlace }): ReactNode {
  return (
    <span className="in-list meta num">
      <IconButton icon="back" label={words.previous} isLocked={onPrevious === null} onClick={() => onPrevious?.()} />
      <span className="in-list-place">{words.place(index, count)}</span>
      <IconButton
        icon="chevron"
        label={words.following}
        isLocked={onFollowing === null}
        onClick={() => onFollowing?.()}
      />
    </span>
  );
}

interface ToolProps {
  icon: IconName;
  word: string;
  /** Where the word alone does not say it to ears. */
  label?: string | undefined;
  className?: string;
  isLocked?: boolean;
  isExpanded?: boolean;
  opener?: RefObject<HTMLButtonElement | null>;
  onPress: () => void;
}

/** A button of the bar; on a phone only its icon. */
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
