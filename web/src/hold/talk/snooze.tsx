// "Remind me": the question leaves one's own list until then; its deadline and everybody else's list stay.
import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { announce } from '../../base/page/announce.tsx';
import { useKeys } from '../../base/page/keys.ts';
import { holdApi, send, serverNow } from '../../base/live/api.ts';
import { clockWords, reader } from '../../base/time/time.ts';
import { strings } from '../../i18n/strings.ts';
import { useMenu } from '../../ui/menu.ts';
import { useSending } from '../../base/live/use-sending.ts';
import { ErrorText } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { pageActs } from '../acts/acts.ts';
import { useOffered } from '../acts/use-offered.ts';
import { useQuestion } from '../pane/pane.ts';
import { OwnTime } from './own-time.tsx';
import { snoozeTimes } from './snooze-times.ts';
import './talk.css';

const words = strings.talk;
const pathOf = (hold: HoldView): string => holdApi(hold.id, '/snooze');
const at = (ms: number): string => clockWords(ms, serverNow(), reader);

export function Snooze(): ReactNode {
  const { hold, take, onNext } = useQuestion();
  const menu = useRef<HTMLDetailsElement>(null);
  useMenu(menu);
  const [isOpen, setOpen] = useState(false);
  const { why, run } = useSending(() => words.notSnoozed);
  const isOffered = useOffered('snooze');
  const { key, icon } = pageActs.snooze;
  const open = (): void | false => {
    if (menu.current === null) return false;
    flushSync(() => setOpen(true));
    menu.current.open = true;
    menu.current.querySelector<HTMLElement>('.menu-items button')?.focus();
    return undefined;
  };
  useKeys({ [key]: open }, isOffered ? [{ key, label: words.snooze }] : []);
  if (!isOffered) return null;
  const now = serverNow();
  const choose = (ms: number): Promise<boolean> =>
    run(async () => {
      const snoozed = await send<HoldView>('PUT', pathOf(hold), { until: new Date(ms).toISOString() });
      if (menu.current !== null) menu.current.open = false;
      take(snoozed);
      announce(words.snoozed(at(ms)));
      onNext?.();
    });
  return (
    <details
      className="menu"
      data-menu="snooze"
      ref={menu}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="button small">
        <Icon name={icon} /> <span className="tool-word">{words.snooze}</span>
      </summary>
      <div className="menu-items snooze-items">
        {/* Once it is open: a question is drawn without what is in its menus. */}
        {isOpen && (
          <>
            {snoozeTimes(now, hold.expiresAt).map(({ name, atMs }) => (
              <button key={name} type="button" className="button quiet" onClick={() => void choose(atMs)}>
                {words.times[name]} <span className="meta num">{at(atMs)}</span>
              </button>
            ))}
            <OwnTime expiresAt={hold.expiresAt} onChoose={(ms) => void choose(ms)} />
            <ErrorText why={why} />
            <p className="meta">{words.snoozeMeans}</p>
          </>
        )}
      </div>
    </details>
  );
}

/** Shown with the question while it is snoozed, with the way back. */
export function SnoozedNotice(): ReactNode {
  const { hold, take } = useQuestion();
  const isOffered = useOffered('unsnooze');
  if (!isOffered || hold.snoozedUntil === null) return null;
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
