// A later deadline, by those whom the policy allows: so much later than it is now.
import { type ReactNode, useRef, useState } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { holdApi, send, serverNow } from '../../base/live/api.ts';
import { useSending } from '../../base/live/use-sending.ts';
import { announce } from '../../base/page/announce.tsx';
import { clockWords, reader } from '../../base/time/time.ts';
import { strings } from '../../i18n/strings.ts';
import { ErrorText } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useMenu } from '../../ui/menu.ts';
import { pageActs } from '../acts/acts.ts';
import { useOffered } from '../acts/use-offered.ts';
import { useQuestion } from '../pane/pane.ts';
import { whyOf } from '../answer/failure-words.ts';
import './talk.css';

const words = strings.talk;
const hourMs = 3_600_000;
const lengths = { hour: hourMs, fourHours: 4 * hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs } as const;

export function Extend(): ReactNode {
  const { hold, take } = useQuestion();
  const isOffered = useOffered('extend');
  const menu = useRef<HTMLDetailsElement>(null);
  useMenu(menu);
  const [isOpen, setOpen] = useState(false);
  const { why, run } = useSending((error) => whyOf(error, hold));
  if (!isOffered || hold.expiresAt === null) return null;
  const deadlineMs = Date.parse(hold.expiresAt);
  const at = (ms: number): string => clockWords(ms, serverNow(), reader);
  const choose = (ms: number): Promise<boolean> =>
    run(async () => {
      // A moment, not a length: pressed twice it is the same deadline.
      const later = await send<HoldView>('POST', holdApi(hold.id, '/extend'), { until: new Date(ms).toISOString() });
      if (menu.current !== null) menu.current.open = false;
      take(later);
      announce(words.extended(at(ms)));
    });
  return (
    <details className="menu" ref={menu} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="button small">
        <Icon name={pageActs.extend.icon} /> <span className="tool-word">{words.extend}</span>
      </summary>
      <div className="menu-items snooze-items">
        {isOpen && (
          <>
            {(Object.keys(lengths) as (keyof typeof lengths)[]).map((name) => (
              <button
                key={name}
                type="button"
                className="button quiet"
                onClick={() => void choose(deadlineMs + lengths[name])}
              >
                {words.longer[name]} <span className="meta num">{at(deadlineMs + lengths[name])}</span>
              </button>
            ))}
            <ErrorText why={why} />
            <p className="meta">{words.extendMeans}</p>
          </>
        )}
      </div>
    </details>
  );
}
