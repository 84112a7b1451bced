// What is known of how questions and tasks end, wherever they are shown; pure.
import type { EndName, HoldView } from '../../../../src/contract/holds/hold.ts';
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { endNameOf } from '../../../../src/core/answers/end-name.ts';
import { isEndedStatus } from '../../../../src/contract/tasks/task-names.ts';
import { oneLine } from '../../base/text/visible.ts';
import type { TaskStatus } from '../../../../src/contract/tasks/task.ts';

type Asked = Pick<HoldRowView, 'kind'> & { decides?: HoldView['decides'] };
export type Shown = Asked & Pick<HoldRowView, 'status' | 'ended' | 'verdict' | 'chosen' | 'supersededBy'>;

/** Of a question, or of its line in a list; null: it is open. */
export const endOf = (shown: Shown): EndName | null => endNameOf(shown);

/** With what was chosen of more than a yes and a no. */
export const withChosen = (text: string, { chosen }: Pick<HoldRowView, 'chosen'>): string =>
  chosen === undefined ? text : `${text}: ${oneLine(chosen, 40)}`;

export interface EndGlyph {
  icon: 'granted' | 'refused' | 'clock' | 'rotate' | 'slash';
  tone: 'ok' | 'danger' | 'warn' | 'muted';
}

const yes: EndGlyph = { icon: 'granted', tone: 'ok' };
const no: EndGlyph = { icon: 'refused', tone: 'danger' };
const gone: EndGlyph = { icon: 'slash', tone: 'muted' };

/** Ends that mean different things have different drawings, so that none is mistaken for another at a glance. */
export const endGlyphs: Record<EndName, EndGlyph> = {
  approved: yes,
  answered: { icon: 'granted', tone: 'muted' },
  rejected: no,
  declined: no,
  expired: { icon: 'clock', tone: 'warn' },
  superseded: { icon: 'rotate', tone: 'muted' },
  withdrawn: gone,
  endedWith: gone,
  cancelled: gone,
};

/** A task goes on no more. */
export const isOver = ({ status }: { status: TaskStatus }): boolean => isEndedStatus(status);
