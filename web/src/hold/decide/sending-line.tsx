// What is known of the decision that was sent: "Sending…" at once, "recorded" only by the server's word.
import { type ReactNode, useEffect, useState } from 'react';
import { strings } from '../../i18n/strings.ts';
import { clockAt, useNow } from '../../base/time/time.ts';
import { dictOf } from '../values/dict.ts';
import { failureWords, describeWaiting } from '../answer/failure-words.ts';
import { usePane } from '../pane/pane.ts';

export function SendingLine(): ReactNode {
  const { decision, hold, lockedWhy } = usePane();
  const { sending } = decision;
  const isWaiting = sending.state === 'waiting';
  useNow(isWaiting);
  switch (sending.state) {
    case 'idle':
      return null;
    case 'sending':
      return (
        <p className="decide-line" role="status">
          {sending.attempt > 1 ? (
            strings.errors.decision_not_confirmed(strings.time.seconds(1)).split('.')[0]
          ) : (
            <First />
          )}
        </p>
      );
    case 'waiting':
      return (
        <p className="decide-line notice warn" role="status">
          <span>{describeWaiting(sending.code, Math.max(0, sending.atMs - Date.now()))}</span>
          <button type="button" className="button" onClick={decision.tryNow}>
            {strings.app.tryNow}
          </button>
        </p>
      );
    case 'unknown':
      return (
        <p className="decide-line notice danger" role="alert">
          <span>{strings.errors.unknown(sending.requestId ?? strings.errors.noReference)}</span>
          <button type="button" className="button" onClick={decision.tryNow}>
            {strings.errors.actions.checkNow}
          </button>
        </p>
      );
    case 'recorded':
      if (sending.isStaged) return null;
      return (
        <p className="decide-line notice ok" role="status">
          {hold.pause.count > 1 ? strings.hold.recordedTogether : strings.hold.recorded}
        </p>
      );
    case 'refused': {
      // Shown at the fields, or as the change itself.
      if (sending.refusal.code === 'payload_invalid' && sending.refusal.errors.length > 0) return null;
      if (sending.refusal.code === 'digest_mismatch' && lockedWhy !== null) return null;
      return (
        <p className="decide-line notice danger" role="alert">
          {failureWords(
            sending.refusal,
            hold,
            clockAt,
            sending.intent.body.status === 'resolved' ? dictOf(sending.intent.body.values) : {},
          )}
        </p>
      );
    }
    default:
      return sending satisfies never;
  }
}

const stillAfterMs = 3_000;

/** Longer than an answer takes: who waits may as well go on, for it is sent wherever they are. */
function First(): ReactNode {
  const [isStill, setStill] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setStill(true), stillAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return isStill ? strings.hold.stillSending : strings.hold.sending;
}
