// The buttons of one question: verb and object, the consequence under each, always visible.
import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { DecisionBody } from '../../../../src/contract/holds/decision.ts';
import { takesMessages } from '../../app/account/names.ts';
import { useKeys } from '../../app/shell/keys.ts';
import { strings } from '../../i18n/strings.ts';
import { ArmButton } from './arm-button.tsx';
import { AskFirst } from './ask-first.tsx';
import { Sections } from '../record/folds.tsx';
import { DraftLine } from '../draft/draft-line.tsx';
import { usePane } from '../pane.ts';
import { GoingOut } from '../grace/going-out.tsx';
import { AskReassign } from './reassign.tsx';
import { isFinal } from './sending.ts';
import { SendingLine } from './sending-line.tsx';

export interface Action {
  id: 'approve' | 'reject' | 'other';
  label: string;
  /** Announced once it is armed: by the first press, or by its letter. */
  armedLabel: string;
  /** One press of the button is enough; its letter arms all the same. */
  isDirect?: boolean;
  /** Something has to be seen first: this shows it, and nothing is armed. */
  beforeArming?: () => void;
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

  const confirm = (action: Action): void => {
    // Armed by the list, or before what is to be seen was drawn.
    if (action.beforeArming !== undefined) {
      action.beforeArming();
      return;
    }
    const body = action.make();
    if (body !== null) submit(body);
  };
  /** A letter never decides: it arms also what one press of the button does. */
  const pressLetter = (action: Action | undefined): void | false => {
    if (action === undefined || isLocked || action.isLoading === true) return false;
    if (action.beforeArming !== undefined) action.beforeArming();
    else if (arm.what !== action.id) arm.press(action.id);
    return undefined;
  };
  const pressKey = (action: Action | undefined): void | false => {
    if (action === undefined || isLocked || action.isLoading === true) return false;
    if (action.beforeArming !== undefined) action.beforeArming();
    else if (action.isDirect === true || arm.press(action.id)) confirm(action);
    return undefined;
  };
  const of = (id: Action['id']): Action | undefined => actions.find((action) => action.id === id);

  useKeys({
    a: () => {
      if (onFocusFirst === undefined) return pressLetter(of('approve'));
      onFocusFirst();
      return undefined;
    },
    r: () => pressLetter(of('reject')),
    Enter: () => {
      const action = actions.find(({ id }) => id === arm.what);
      if (action === undefined || isLocked || action.isLoading === true) return false;
      if (arm.press(action.id)) confirm(action);
      return undefined;
    },
    'mod+Enter': () => pressKey(actions.find(({ isSend }) => isSend === true)),
  });

  // The list opens a hold with its verb armed: the second step is still the person's.
  const wasArmed = useRef<string | null>(null);
  useEffect(() => {
    if (armed === null || wasArmed.current === `${hold.id} ${armed}`) return;
    wasArmed.current = `${hold.id} ${armed}`;
    const action = actions.find(({ id }) => id === armed);
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
