// The buttons of one question: verb and object, the consequence under each, always visible.
import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { DecisionBody } from '../../../../src/contract/holds/decision.ts';
import { takesMessages } from '../../app/account/names.ts';
import { useKeys } from '../../app/shell/keys.ts';
import { strings } from '../../i18n/strings.ts';
import { ArmButton, type ArmButtonProps } from './arm-button.tsx';
import { AskFirst } from './ask-first.tsx';
import { Sections } from '../record/folds.tsx';
import { DraftLine } from '../draft/draft-line.tsx';
import { usePane } from '../pane.ts';
import { GoingOut } from '../grace/going-out.tsx';
import { AskReassign } from './reassign.tsx';
import { isFinal } from './sending.ts';
import { SendingLine } from './sending-line.tsx';

export interface Action extends Pick<ArmButtonProps, 'label' | 'armedLabel' | 'isDirect' | 'beforeArming'> {
  id: 'approve' | 'reject' | 'other';
  means: string;
  tone: 'primary' | 'plain' | 'destroys';
  /** The answer; null when it cannot be made yet, and the page shows why. */
  make: () => DecisionBody | null;
  /** Ctrl+Enter. */
  isSend?: boolean;
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
  /** A letter never decides: it arms also what one press of the button does. */
  const pressLetter = (id: string): void | false =>
    onPressable(find(id), ({ beforeArming }) => {
      if (beforeArming !== undefined) beforeArming();
      else if (arm.what !== id) arm.press(id);
    });

  useKeys({
    a: () => (onFocusFirst === undefined ? pressLetter('approve') : onFocusFirst()),
    r: () => pressLetter('reject'),
    Enter: () =>
      onPressable(find(arm.what), (action) => {
        if (arm.press(action.id)) confirm(action);
      }),
    'mod+Enter': () =>
      onPressable(
        actions.find(({ isSend }) => isSend === true),
        (action) => {
          const isNow = action.isDirect === true || action.beforeArming !== undefined;
          if (isNow || arm.press(action.id)) confirm(action);
        },
      ),
  });

  // The list opens a hold with its verb armed: the second step is still the person's.
  const wasArmed = useRef<string | null>(null);
  useEffect(() => {
    if (armed === null || wasArmed.current === `${hold.id} ${armed}`) return;
    wasArmed.current = `${hold.id} ${armed}`;
    const action = find(armed);
    if (action !== undefined && (armed === 'reject' || onFocusFirst === undefined) && !isLocked) arm.press(action.id);
    else if (armed === 'approve') onFocusFirst?.();
  });

  return (
    <>
      {children}
      {!isInline && <Sections hold={hold} />}
      <div className="decide" role="group" aria-label={strings.hold.actions}>
        {hold.goesOut === null ? <SendingLine /> : <GoingOut />}
        {!isFinal(decision.sending) && hold.goesOut === null && (
          <div className="decide-actions cluster">
            {actions.map((action, index) => (
              <ArmButton
                key={action.id + String(index)}
                {...action}
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
                  {arm.what === action.id ? strings.hold.armed : action.means}
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

/** The key that does it, shown in its button. */
function keyOf({ id, isSend }: Action, hasLetter: boolean): string | undefined {
  if (id === 'reject') return 'r';
  if (id === 'approve' && hasLetter) return 'a';
  return isSend === true ? strings.hold.sendKey : undefined;
}
