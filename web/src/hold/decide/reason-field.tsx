import { type ReactNode, useId } from 'react';
import { strings } from '../../i18n/strings.ts';
import { usePane } from '../pane.ts';

/** Words to go with a no. */
export function ReasonField({ label = strings.hold.reason }: { label?: string }): ReactNode {
  const { work, lockedWhy } = usePane();
  const id = useId();
  return (
    <div className="field reason">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        dir="auto"
        maxLength={2000}
        value={work.reason}
        readOnly={lockedWhy !== null}
        onChange={(event) => work.setReason(event.target.value)}
      />
    </div>
  );
}
