// What decides on many at once: a reason for all, and two buttons that are pressed twice.
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useKeys } from '../../base/page/keys.ts';
import { strings } from '../../i18n/strings.ts';

const text = strings.bulk;
const verdicts = ['approve', 'reject'] as const;
export type Verdict = (typeof verdicts)[number];
const armedMs = 8_000;

/** What is pressed once and not confirmed yet; it is dropped after a while. */
export function useArmedFor(): [Verdict | null, (armed: Verdict | null) => void] {
  const [armed, setArmed] = useState<Verdict | null>(null);
  useEffect(() => {
    if (armed === null) return undefined;
    const timer = setTimeout(() => setArmed(null), armedMs);
    return () => clearTimeout(timer);
  }, [armed]);
  return [armed, setArmed];
}

interface BarProps extends Omit<DecideButtonProps, 'what' | 'meansId' | 'onPress' | 'isPressed'> {
  unread: number;
  approveMeans: string;
  rejectMeans: string;
  reason: string;
  setReason: (reason: string) => void;
  decide: DecideButtonProps['onPress'];
}

export function BulkBar(props: BarProps): ReactNode {
  const { unread, sent, approveMeans, rejectMeans, reason, setReason, decide, ...button } = props;
  const id = useId();
  const [pressed, setPressed] = useState<Verdict | null>(null);
  const press = (what: Verdict): Promise<void> => {
    setPressed(what);
    return decide(what);
  };
  return (
    <div className="bulk-bar stack">
      <div className="bulk-buttons cluster">
        {verdicts.map((what) => (
          <DecideButton
            key={what}
            {...button}
            {...{ what, sent, isPressed: pressed === what }}
            meansId={`${id}-${what}`}
            onPress={press}
          />
        ))}
        <div className="decide-reason">
          <label htmlFor={id}>{text.reason}</label>
          <input id={id} value={reason} maxLength={2_000} onChange={(event) => setReason(event.target.value)} />
        </div>
      </div>
      {sent !== null ? (
        <p className="meta num" role="status">
          {text.sentOf(sent, button.count)}
        </p>
      ) : (
        <div className="meta">
          <span>{unread > 0 ? text.unread(unread) : button.isReady ? text.allRead : text.rowsRead}</span> ·{' '}
          <span id={`${id}-approve`}>{button.isReady ? approveMeans : unread > 0 ? text.notReady : text.notWhole}</span>{' '}
          {button.isReady && <span id={`${id}-reject`}>{rejectMeans}</span>}
        </div>
      )}
    </div>
  );
}

interface DecideButtonProps {
  what: Verdict;
  count: number;
  armed: Verdict | null;
  isReady: boolean;
  isSending: boolean;
  /** Of how many the result is known, once they are on their way. */
  sent: number | null;
  /** It was the last one pressed. */
  isPressed: boolean;
  /** What says what it does. */
  meansId: string;
  onPress: (what: Verdict) => Promise<void>;
}

function DecideButton(props: DecideButtonProps): ReactNode {
  const { what, count, armed, isReady, isSending, sent, isPressed, meansId, onPress } = props;
  const button = useRef<HTMLButtonElement>(null);
  const isArmed = armed === what;
  const label =
    what === 'approve'
      ? [text.approve(count), text.confirmApprove(count)]
      : [text.reject(count), text.confirmReject(count)];
  // A letter arms and Enter decides, as at a single question; a key held down is one press.
  const key = what === 'approve' ? 'a' : 'r';
  const press = ({ repeat }: KeyboardEvent): void => {
    if (repeat) return;
    // Enter would open or close the row that was read last.
    if (isReady) button.current?.focus({ preventScroll: true });
    void onPress(what);
  };
  useKeys({
    [key]: (event) => (isArmed ? undefined : press(event)),
    Enter: (event) => (isArmed ? press(event) : false),
  });
  return (
    <button
      ref={button}
      type="button"
      className={`button${what === 'approve' ? ' primary' : ''}${isArmed ? ' armed' : ''}`}
      aria-disabled={!isReady || isSending}
      aria-describedby={meansId}
      data-key={isArmed ? strings.hold.enterKey : key}
      onClick={() => void onPress(what)}
    >
      {isSending && isPressed ? text.sending : label[isArmed ? 1 : 0]}
      {sent !== null && isPressed && <progress value={sent} max={count} aria-hidden="true" />}
    </button>
  );
}
