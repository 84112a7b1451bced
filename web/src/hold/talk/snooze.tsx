// "Remind me": the question leaves one's own list until then; its deadline and everybody else's list stay.
import { type ReactNode, useId, useRef, useState } from 'react';
import type { HoldView } from '../../../../src/contract/hold.ts';
import { announce } from '../../app/announce.tsx';
import { send, serverNow } from '../../app/api.ts';
import { clockWords, reader } from '../../app/time.ts';
import { strings } from '../../i18n/strings.ts';
import { Icon } from '../../ui/icons.tsx';
import { usePane } from '../pane.ts';
import { localInput, snoozeTimes } from './snooze-times.ts';
import './talk.css';

const words = strings.talk;
const pathOf = (hold: HoldView): string => `/api/holds/${encodeURIComponent(hold.id)}/snooze`;
const at = (ms: number): string => clockWords(ms, serverNow(), reader);

export function Snooze(): ReactNode {
  const { hold, take, onNext } = usePane();
  const id = useId();
  const menu = useRef<HTMLDetailsElement>(null);
  const [other, setOther] = useState('');
  const [isFailed, setFailed] = useState(false);
  if (hold.status !== 'open' || !hold.forMe) return null;
  const now = serverNow();
  const choose = async (ms: number): Promise<void> => {
    try {
      const snoozed = await send<HoldView>('PUT', pathOf(hold), { until: new Date(ms).toISOString() });
      if (menu.current !== null) menu.current.open = false;
      take(snoozed);
      announce(words.snoozed(at(ms)));
      onNext?.();
    } catch {
      setFailed(true);
    }
  };
  return (
    <details className="menu" ref={menu}>
      <summary className="button small">
        <Icon name="clock" /> <span className="tool-word">{words.snooze}</span>
      </summary>
      <div className="menu-items snooze-items">
        {snoozeTimes(now, hold.expiresAt).map(({ name, atMs }) => (
          <button key={name} type="button" className="button quiet" onClick={() => void choose(atMs)}>
            {words.times[name]} <span className="meta num">{at(atMs)}</span>
          </button>
        ))}
        <label htmlFor={id}>{words.otherTime}</label>
        <input
          id={id}
          type="datetime-local"
          min={localInput(now)}
          value={other}
          onChange={(event) => setOther(event.target.value)}
        />
        <button
          type="button"
          className="button small"
          aria-disabled={other === '' || undefined}
          onClick={() => {
            if (other !== '') void choose(new Date(other).getTime());
          }}
        >
          {words.remind}
        </button>
        {isFailed && (
          <p className="error" role="alert">
            {words.notSnoozed}
          </p>
        )}
        <p className="meta">{words.snoozeMeans}</p>
      </div>
    </details>
  );
}

/** Said with the question while it is out of sight, with the way back. */
export function SnoozedNotice(): ReactNode {
  const { hold, take } = usePane();
  if (hold.status !== 'open' || hold.snoozedUntil === null) return null;
  return (
    <p className="notice">
      <span>{words.snoozed(at(Date.parse(hold.snoozedUntil)))}</span>
      <button
        type="button"
        className="button"
        onClick={() => void send<HoldView>('DELETE', pathOf(hold)).then(take, () => undefined)}
      >
        {words.wake}
      </button>
    </p>
  );
}
