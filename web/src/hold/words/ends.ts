// What is known of how questions and tasks end, wherever they are shown; pure.
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { isEndedStatus } from '../../../../src/contract/tasks/task-names.ts';
import type { TaskStatus } from '../../../../src/contract/tasks/task.ts';

/** What is approved or rejected; other questions are answered or declined. */
export const isYesNo = (kind: HoldView['kind']): boolean =>
  kind === 'confirmation' || kind === 'tool_call' || kind === 'authorization';

export interface EndGlyph {
  icon: 'granted' | 'refused' | 'clock' | 'rotate' | 'slash';
  tone: 'ok' | 'danger' | 'warn' | 'muted';
}

/** Each end its own drawing and colour, so that none is mistaken for another at a glance. */
export const endGlyphs = {
  decided: { icon: 'granted', tone: 'ok' },
  declined: { icon: 'refused', tone: 'danger' },
  expired: { icon: 'clock', tone: 'warn' },
  superseded: { icon: 'rotate', tone: 'muted' },
  withdrawn: { icon: 'slash', tone: 'muted' },
  cancelled: { icon: 'slash', tone: 'muted' },
} as const satisfies Record<NonNullable<HoldView['ended']>['why'], EndGlyph>;

/** A task goes on no more. */
export const isOver = ({ status }: { status: TaskStatus }): boolean => isEndedStatus(status);
