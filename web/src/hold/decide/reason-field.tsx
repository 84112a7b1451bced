import { type ReactNode, useId } from 'react';
import { strings } from '../../i18n/strings.ts';
import { TextField } from '../../ui/controls.tsx';
import { usePane } from '../pane.ts';

/** Words to go with a no. */
export function ReasonField({ label = strings.hold.reason }: { label?: string }): ReactNode {
  const { work, lockedWhy } = usePane();
  const shared = { className: 'field reason', value: work.reason, onChange: work.setReason };
  return <TextField id={useId()} label={label} isLocked={lockedWhy !== null} {...shared} />;
}
