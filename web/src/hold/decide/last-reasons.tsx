// What this person wrote with their last noes to this agent: one press writes it again, and sends nothing.
import type { ReactNode } from 'react';
import { oneLine } from '../../base/text/visible.ts';
import { strings } from '../../i18n/strings.ts';
import { usePane } from '../pane/pane.ts';

const maxChars = 48;

export function LastReasons({ onTake }: { onTake: () => void }): ReactNode {
  const { precedents, work } = usePane();
  const reasons = precedents?.reasons ?? [];
  if (reasons.length === 0) return null;
  return (
    <div className="last-reasons cluster" role="group" aria-label={strings.hold.lastReasons}>
      {reasons.map((reason) => (
        <button
          key={reason}
          type="button"
          className="button small"
          title={reason}
          // The field keeps the focus, and with it the keys that send.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            work.setReason(reason);
            onTake();
          }}
        >
          <bdi dir="auto">{oneLine(reason, maxChars)}</bdi>
        </button>
      ))}
    </div>
  );
}
