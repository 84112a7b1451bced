// The buttons of one question: verb and object, the consequence under each, always visible.
import { type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';
import type { DecisionBody } from '../../../../src/contract/holds/decision.ts';
import { isAnsweredByWords } from '../../../../src/core/answers/answered-by-words.ts';
import { takesMessages } from '../../base/account/names.ts';
import { type KeyMap, useKeys } from '../../base/page/keys.ts';
import { useIsPhone } from '../../base/page/media.ts';
import { stored, useStored } from '../../base/page/stored.ts';
import { strings } from '../../i18n/strings.ts';
import { Icon } from '../../ui/icons.tsx';
import { ArmButton, type ArmButtonProps, heldOnce } from './arm-button.tsx';
import { AskFirst } from './ask-first.tsx';
import { type BarKey, buttonOf, isLeft } from './bar-keys.ts';
import { hasJustMoved } from '../grace/move-on.ts';
import { type Unseen, useReading, useUnopened, useUnseen } from '../reading/reading-boundary.tsx';
import { placeOf } from './place-of.ts';
import { Sections } from '../record/folds.tsx';
import { DraftLine } from '../draft/draft-line.tsx';
import { usePane } from '../pane/pane.ts';
import { GoingOut } from '../grace/going-out.tsx';
import { ReasonRow } from './reason-field.tsx';
import { AskReassign } from './reassign.tsx';
import { isFinal } from '../pane/sending.ts';
import { SendingLine } from './sending-line.tsx';
import { useIsReader, WaitingFor } from '../waiting/waiting-for.tsx';

export interface Action extends Pick<ArmButtonProps, 'label' | 'armedLabel' | 'isDirect' | 'beforeArming'> {
  id: 'approve' | 'grant' | 'reject' | 'other';
  means: string;
  tone: 'primary' | 'plain' | 'destroys' | 'quiet';
  /** The answer; null when it cannot be made yet, and the page shows why. */
  make: () => DecisionBody | null;
  /** Ctrl+Enter in the fields of the answer. */
  isSend?: boolean;
  /** What it still asks for, while it is armed: beneath it. */
  fields?: ReactNode;
  /** It stays armed while one fills in what it asks for. */
  lasts?: boolean;
  /** What its words are called that open in the bar once it is armed, focused or not. */
  reason?: { label: string; isFocused: boolean };
  /** What it sends has not come yet: it says so by not being there to press. */
  isLoading?: boolean;
}

/** What was not on the screen cannot be approved: the button goes on to it first. */
const withUnseen = (actions: Action[], unseen: Unseen | null): Action[] =>
  actions.map((action) => {
    if (unseen === null || !isYes(action)) return action;
    const label = action.id === 'approve' ? (unseen.label ?? action.label) : action.label;
    return { ...action, label, beforeArming: unseen.show };
  });

const isYes = ({ id }: Action): boolean => id === 'approve' || id === 'grant';

interface Props {
  actions: Action[];
  children?: ReactNode;
  /** What `a` does where there is no yes. */
  onFocusFirst?: () => void;
}

export function DecisionBar({ actions: given, children, onFocusFirst }: Props): ReactNode {
  const { lockedWhy, hold, decision, isInline } = usePane();
  const actions = withUnseen(given, useUnseen());
  const isReader = useIsReader();
  const confirm = useConfirm();
  const hasButtons = !isReader && !isFinal(decision.sending) && hold.outgoing === null;
  const onKey = useBarKeys(actions, confirm, { onFocusFirst, hasButtons });
  useLeaving();
  useArmedByList(actions, onFocusFirst);
  return (
    <>
      {children}
      {!isInline && <Sections hold={hold} />}
      <div className="decide" role="group" aria-label={strings.hold.actions}>
        {hold.outgoing === null ? <SendingLine /> : <GoingOut />}
        {isReader && <WaitingFor />}
        {hasButtons && (
          <Buttons
            actions={actions}
            hasLetter={onFocusFirst === undefined}
            onConfirm={confirm}
            onEnter={(target) => onKey('Enter', target)}
          />
        )}
        <div className="decide-foot cluster meta">
          {lockedWhy !== null && lockedWhy !== '' && <span>{lockedWhy}</span>}
          <AskReassign />
          <DraftLine />
        </div>
      </div>
    </>
  );
}

/** Files do not hold a yes up: who gives it reads next to it which they did not open, and no button moves once they are. */
function NotOpened(): ReactNode {
  const names = useUnopened();
  if (names.length === 0) return null;
  return (
    <span className="warn not-opened" dir="auto">
      {strings.seen.notOpened(names.join(', '))}{' '}
    </span>
  );
}

function useConfirm(): (action: Action) => void {
  const { submit } = usePane();
  const reading = useReading();
  return (action) => {
    // Armed before all that is to be seen was drawn.
    if (isYes(action) && reading?.isArmed() === false) return reading.show();
    const body = action.make();
    if (body !== null) submit(body);
    return undefined;
  };
}

const find = (actions: Action[], id: string | null): Action | undefined => actions.find((action) => action.id === id);

const letters: Partial<Record<Action['id'], 'a' | 'n' | 'r'>> = { approve: 'a', grant: 'n', reject: 'r' };

type OnKey = (key: BarKey, target: EventTarget | null, isAgain?: boolean) => void | false;

/** What the bar's keys do, also for a field that takes them first; false: there is nothing that could be pressed. */
function useBarKeys(
  actions: Action[],
  confirm: (action: Action) => void,
  { onFocusFirst, hasButtons }: { onFocusFirst: Props['onFocusFirst']; hasButtons: boolean },
): OnKey {
  const { arm, lockedWhy } = usePane();
  const reading = useReading();
  const send = actions.find(({ isSend }) => isSend === true);
  const onKey: OnKey = (key, target, isAgain = false) => {
    if (!isAgain && reading?.isWaiting() === true) return reading.after(() => void latest.current(key, target, true));
    const action = find(actions, buttonOf(key, placeOf(target), { armed: arm.what, send: send?.id ?? null }));
    if (action === undefined || lockedWhy !== null || action.isLoading === true) return false;
    if (action.beforeArming !== undefined) return action.beforeArming(() => void latest.current(key, target, true));
    const press = (): boolean => arm.press(action.id, { by: key, lasts: doesLast(action) });
    const isArmed = arm.what === action.id;
    // A letter never decides: it arms also what one press of the button does.
    if (key === 'a' || key === 'n' || key === 'r') return isArmed ? undefined : void press();
    const isDirect = key === 'mod+Enter' && action.isDirect === true && !isArmed && !hasJustMoved();
    if (isDirect || press()) confirm(action);
    return undefined;
  };
  const latest = useRef(onKey);
  useEffect(() => {
    latest.current = onKey;
  });
  const isOffered = ({ id, isLoading }: Action): boolean =>
    hasButtons && lockedWhy === null && id !== 'other' && isLoading !== true;
  const map: KeyMap = {
    a: (event) => (onFocusFirst === undefined ? onKey('a', event.target) : onFocusFirst()),
    n: (event) => onKey('n', event.target),
    r: (event) => onKey('r', event.target),
    // A key held down is one press, also of the question before.
    Enter: (event) => (event.repeat ? undefined : onKey('Enter', event.target)),
    'mod+Enter': (event) => (event.repeat ? undefined : onKey('mod+Enter', event.target)),
  };
  useKeys(
    map,
    actions
      .filter(isOffered)
      .toReversed()
      .map(({ id, label, armedLabel }) => ({
        key: letters[id] ?? 'r',
        label: typeof label === 'string' ? label : armedLabel,
      })),
  );
  return onKey;
}

/** Who goes back to the answer is not saying no any more. */
function useLeaving(): void {
  const { what: armedNow, disarm } = usePane().arm;
  useEffect(() => {
    const leave = ({ target }: Event): void => {
      if (isLeft(placeOf(target), armedNow)) disarm();
    };
    document.addEventListener('focusin', leave);
    return () => document.removeEventListener('focusin', leave);
  }, [armedNow, disarm]);
}

/** The list opens a hold with its verb armed: the second step is still the person's. */
function useArmedByList(actions: Action[], onFocusFirst: Props['onFocusFirst']): void {
  const { arm, armed, hold, lockedWhy } = usePane();
  const reading = useReading();
  const wasArmed = useRef<string | null>(null);
  useEffect(() => {
    if (armed === null || wasArmed.current === `${hold.id} ${armed}`) return;
    // What of it is on the screen is known in a moment.
    if (armed === 'approve' && reading?.isSettling() === true) return;
    wasArmed.current = `${hold.id} ${armed}`;
    const action = find(actions, armed);
    // What is longer than the screen is read first.
    const isRead = armed !== 'approve' || reading === null || reading.isArmed();
    if (action !== undefined && isRead && (armed === 'reject' || onFocusFirst === undefined) && lockedWhy === null)
      arm.press(action.id, { by: 'list', lasts: doesLast(action) });
    else if (armed === 'approve') onFocusFirst?.();
  });
}

interface ButtonsProps {
  actions: Action[];
  /** Whether `a` presses the yes. */
  hasLetter: boolean;
  onConfirm: (action: Action) => void;
  onEnter: (target: EventTarget | null) => void;
}

/** The buttons, above them what the armed one takes along, below them what each does. */
function Buttons({ actions, hasLetter, onConfirm, onEnter }: ButtonsProps): ReactNode {
  const { arm, hold, lockedWhy, onNext } = usePane();
  const base = useId();
  const isNewToTouch = useStored(() => stored(heldOnce) === null);
  const isPhone = useIsPhone();
  const [isWhole, setWhole] = useState(false);
  const [focused, setFocused] = useState(0);
  const armed = find(actions, arm.what);
  const takesQuestion = hold.kind !== 'operator' && !isAnsweredByWords(hold) && takesMessages(hold.agent);
  return (
    <div className="decide-actions cluster">
      {armed?.reason !== undefined && (
        <ReasonRow key={armed.id} {...armed.reason} of={armed.id} onEnter={(event) => onEnter(event.target)} />
      )}
      {armed?.fields !== undefined && (
        <Suspense fallback={<p className="meta">{strings.hold.form.loading}</p>}>{armed.fields}</Suspense>
      )}
      {actions.map((action, index) => (
        <ArmButton
          key={action.id + String(index)}
          {...action}
          lasts={doesLast(action)}
          arm={arm}
          isLocked={lockedWhy !== null || action.isLoading === true}
          describedBy={`${base}-${index}`}
          hint={keyOf(action, hasLetter)}
          onConfirm={() => onConfirm(action)}
          onPoint={() => setFocused(index)}
        />
      ))}
      {takesQuestion && <AskFirst />}
      {isPhone && armed === undefined && (
        <button
          type="button"
          className="button quiet icon-only"
          aria-label={strings.hold.whatTheyDo}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          <Icon name="dots" />
        </button>
      )}
      {/* On a phone one line, until it is asked for, or is about to happen: then all of it. */}
      <div className={`decide-means meta${isPhone && !isWhole && armed === undefined ? ' cut' : ''}`}>
        <NotOpened />
        {actions.map((action, index) => (
          <p
            key={action.id + String(index)}
            id={`${base}-${index}`}
            data-is-shown={index === focused || undefined}
            data-is-armed={arm.what === action.id || undefined}
            title={action.means}
          >
            {isPhone || arm.what !== action.id ? `${action.means} ` : ''}
            {arm.what === action.id && (isPhone ? strings.hold.armedTouch : armedMeans(action))}
          </p>
        ))}
        {isNewToTouch && (isWhole || arm.what === 'approve') && (
          <p className="by-touch">
            {strings.hold.byTouch} {onNext !== null && strings.hold.byPull}
          </p>
        )}
      </div>
    </div>
  );
}

/** What an armed button waits for. */
function armedMeans({ id, fields, reason }: Action): string {
  if (fields !== undefined && id !== 'grant') return strings.hold.armedFields;
  return reason === undefined ? strings.hold.armed : strings.hold.armedReason;
}

/** The reader writes a reason: that takes as long as it takes. */
const doesLast = ({ lasts, reason }: Action): boolean => lasts === true || reason !== undefined;

/** The key that does it, shown in its button. */
function keyOf({ id, isSend }: Action, hasLetter: boolean): string | undefined {
  if (id === 'reject' || id === 'grant') return letters[id];
  if (id === 'approve' && hasLetter) return 'a';
  return isSend === true ? strings.hold.sendKey : undefined;
}
