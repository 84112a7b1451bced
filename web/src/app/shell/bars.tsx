// What the page says of itself, in one place under the header: the connection, a new build, the end of the session.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { announce } from '../../base/page/announce.tsx';
import { serverNow } from '../../base/time/clock.ts';
import {
  hasBeenLive,
  useBackAgain,
  useIsOutdated,
  useLastEventAt,
  useShownConnection,
} from '../../base/live/event-stream.ts';
import type { Connection } from '../../base/live/stream-state.ts';
import { useMe } from '../../base/account/me.ts';
import { strings } from '../../i18n/strings.ts';
import { clockWords, durationWords, reader, useNow } from '../../base/time/time.ts';

const text = strings.app;
const firstConnectionMs = 2_000;
const endsSoonMs = 5 * 60_000;

/** The first connection counts as lost only after the time that it may take to come. */
function useIsLost(connection: Connection): boolean {
  const [isLost, setIsLost] = useState(false);
  useEffect(() => {
    if (connection === 'live') {
      setIsLost(false);
      return undefined;
    }
    const timer = setTimeout(() => setIsLost(true), hasBeenLive() ? 0 : firstConnectionMs);
    return () => clearTimeout(timer);
  }, [connection]);
  return isLost && connection !== 'live';
}

export function Bars(): ReactNode {
  const connection = useShownConnection();
  const isLost = useIsLost(connection);
  const lastEventAt = useLastEventAt();
  const back = useBackAgain();
  const isOutdated = useIsOutdated();
  const lostAt = useRef(lastEventAt);
  if (!isLost) lostAt.current = lastEventAt;
  const at = clockWords(lostAt.current, serverNow(), reader);
  const lostText = connection === 'offline' ? text.offlineBar(at) : text.reconnectingBar(at);
  useEffect(() => {
    if (isLost) announce(lostText);
  }, [isLost, lostText]);
  useEffect(() => {
    if (back !== null) announce(text.backAgain(back.changes));
  }, [back]);
  return (
    <div className="bars">
      {isLost && <p className="bar warn">{lostText}</p>}
      {!isLost && back !== null && <p className="bar ok">{text.backAgain(back.changes)}</p>}
      {isOutdated && (
        <p className="bar">
          {text.newVersion}{' '}
          <button type="button" className="button link" onClick={() => location.reload()}>
            {text.reload}
          </button>
        </p>
      )}
      <SessionEnds />
    </div>
  );
}

function SessionEnds(): ReactNode {
  const me = useMe();
  const now = useNow();
  if (me?.sessionEndsAt == null) return null;
  const left = Date.parse(me.sessionEndsAt) - now;
  if (left <= 0 || left > endsSoonMs) return null;
  return <p className="bar">{strings.login.endsSoon(durationWords(left))}</p>;
}
