// The buttons of one question: verb and object, the consequence under each, always visible.
import { type ReactNode, Suspense, useEffect, useId, useRef } from 'react';
import type { DecisionBody } from '../../../../src/contract/holds/decision.ts';
import { takesMessages } from '../../base/account/names.ts';
import { useKeys } from '../../base/page/keys.ts';
import { strings } from '../../i18n/strings.ts';
import { ArmButton, type ArmButtonProps } from './arm-button.tsx';
import { AskFirst } from './ask-first.tsx';
import { type BarKey, buttonOf, isLeft } from './bar-keys.ts';
import { hasJustMoved } from './move-on.ts';
import { placeOf } from './place-of.ts';
import { Sections } from '../record/folds.tsx';
import { DraftLine } from '../draft/draft-line.tsx';
import { usePane } from '../pane.ts';
import { GoingOut } from '../grace/going-out.tsx';
import { ReasonRow } from './reason-field.tsx';
import { AskReassign } from './reassign.tsx';
import { isFinal } from './sending.ts';
import { SendingLine } from './sending-line.tsx';
import { useIsReader, WaitingFor } from '../waiting/waiting-for.tsx';

export interface Action extends Pick<ArmButtonProps, 'label' | 'armedLabel' | 'isDirect' | 'beforeArming'> {
  id: 'approve' | 'reject' | 'other';
  means: string;
  tone: 'primary' | 'plain' | 'destroys';
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

interface Props {
  actions: Action[];
  children?: ReactNode;
  /** What `a` does where there is no yes. */
  onFocusFirst?: () => void;
  /** How far the answer has come, e.g. required fields that are left. */
  status?: ReactNode;
}

export function DecisionBar({ actions, children, onFocusFirst, status }: Props): ReactNode {
  const { arm, lockedWhy, submit, armed, hold, decision, isInline } = usePane();
  const base = useId();
  const isReader = useIsReader();
  const isLocked = lockedWhy !== null;

  const find = (id: string | null): Action | undefined => actions.find((action) => action.id === id);
  const confirm = (action: Action): void => {
    // Armed by the list, or before what is to be seen was drawn.
    if (action.beforeArming !== undefined) return action.beforeArming();
    const body = action.make();
    if (body !== null) submit(body);
    return undefined;
  };
  /** False: there is nothing that could be pressed. */
  const onPressable = (action: Action | undefined, act: (action: Action) => void): void | false => {
    if (action === undefined || isLocked || action.isLoading === true) return false;
    act(action);
    return undefined;
  };
  const armOf = (action: Action, by: string): boolean => arm.press(action.id, { by, lasts: doesLast(action) });
  const send = actions.find(({ isSend }) => isSend === true);
  const onKey = (key: BarKey, target: EventTarget | null): void | false => {
    const action = find(buttonOf(key, placeOf(target), { armed: arm.what, send: send?.id ?? null }));
    return onPressable(action, (one) => {
      if (one.beforeArming !== undefined) return one.beforeArming();
      const isArmed = arm.what === one.id;
      // A letter never decides: it arms also what one press of the button does.
      if (key === 'a' || key === 'r') return isArmed ? undefined : void armOf(one, key);
      const isDirect = key === 'mod+Enter' && one.isDirect === true && !isArmed && !hasJustMoved();
      if (isDirect || armOf(one, key)) confirm(one);
      return undefined;
    });
  };
  useKeys({
    a: (event) => (onFocusFirst === undefined ? onKey('a', event.target) : onFocusFirst()),
    r: (event) => onKey('r', event.target),
    // A key held down is one press, also of the question before.
    Enter: (event) => (event.repeat ? undefined : onKey('Enter', event.target)),
    'mod+Enter': (event) => (event.repeat ? undefined : onKey('mod+Enter', event.target)),
  });

  // Whoever goes back to the answer is not saying no any more.
  const { what: armedNow, disarm } = arm;
  useEffect(() => {
    const leave = ({ target }: Event): void => {
      if (isLeft(placeOf(target), armedNow)) disarm();
    };
    document.addEventListener('focusin', leave);
    return () => document.removeEventListener('focusin', leave);
  }, [armedNow, disarm]);

  // The list opens a hold with its verb armed: the second step is still the person's.
  const wasArmed = useRef<string | null>(null);
  useEffect(() => {
    if (armed === null || wasArmed.current === `${hold.id} ${armed}`) return;
    wasArmed.current = `${hold.id} ${armed}`;
    const action = find(armed);
    if (action !== undefined && (armed === 'reject' || onFocusFirst === undefined) && !isLocked) armOf(action, 'list');
    else if (armed === 'approve') onFocusFirst?.();
  });

  const armedAction = find(arm.what);
  const reason = armedAction?.reason;
  return (
    <>
      {children}
      {!isInline && <Sections hold={hold} />}
      <div className="decide" role="group" aria-label={strings.hold.actions}>
        {hold.goesOut === null ? <SendingLine /> : <GoingOut />}
        {isReader && <WaitingFor />}
        {!isReader && !isFinal(decision.sending) && hold.goesOut === null && (
          <div className="decide-actions cluster">
            {reason !== undefined && (
              <ReasonRow
                key={arm.what}
                {...reason}
                of={arm.what ?? ''}
                onEnter={(event) => onKey('Enter', event.target)}
              />
            )}
            {armedAction?.fields !== undefined && (
              <Suspense fallback={<p className="meta">{strings.hold.form.loading}</p>}>{armedAction.fields}</Suspense>
            )}
            {actions.map((action, index) => (
              <ArmButton
                key={action.id + String(index)}
                {...action}
                lasts={doesLast(action)}
                arm={arm}
                isLocked={isLocked || action.isLoading === true}
                describedBy={`${base}-${index}`}
                hint={keyOf(action, onFocusFirst === undefined)}
                onConfirm={() => confirm(action)}
              />
            ))}
            {hold.kind !== 'text' && hold.kind !== 'operator' && takesMessages(hold.agent) && <AskFirst />}
            <div className="decide-means meta">
              {actions.map((action, index) => (
                <p key={action.id + String(index)} id={`${base}-${index}`}>
                  {arm.what !== action.id
                    ? action.means
                    : action.fields !== undefined
                      ? strings.hold.armedFields
                      : action.reason === undefined
                        ? strings.hold.armed
                        : strings.hold.armedReason}
                </p>
              ))}
            </div>
          </div>
        )}
        <div className="decide-foot cluster meta">
          {lockedWhy !== null && lockedWhy !== '' && <span>{lockedWhy}</span>}
          {status}
          <AskReassign />
          <DraftLine />
        </div>
      </div>
    </>
  );
}

/** Somebody writes what goes with it: that takes as long as it takes. */
const doesLast = ({ lasts, reason }: Action): boolean => lasts === true || reason !== undefined;

/** The key that does it, shown in its button. */
function keyOf({ id, isSend }: Action, hasLetter: boolean): string | undefined {
  if (id === 'reject') return 'r';
  if (id === 'approve' && hasLetter) return 'a';
  return isSend === true ? strings.hold.sendKey : undefined;
}
