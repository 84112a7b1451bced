// What is known of how questions and tasks end, wherever they are shown; pure.
import type { EndName, HoldView } from '../../../../src/contract/holds/hold.ts';
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { endNameOf } from '../../../../src/core/answers/end-name.ts';
import { isEndedStatus } from '../../../../src/contract/tasks/task-names.ts';
import { oneLine } from '../../base/text/visible.ts';
import type { TaskStatus } from '../../../../src/contract/tasks/task.ts';
import { stateTones, type Tone } from './state-tones.ts';

type Asked = Pick<HoldRowView, 'kind'> & { decides?: HoldView['decides'] };
export type Shown = Asked & Pick<HoldRowView, 'status' | 'ended' | 'verdict' | 'chosen' | 'supersededBy'>;

/** Of a question, or of its line in a list; null: it is open. */
export const endOf = (shown: Shown): EndName | null => endNameOf(shown);

/** With what was chosen of more than a yes and a no. */
export const withChosen = (text: string, { chosen }: Pick<HoldRowView, 'chosen'>): string =>
  chosen === undefined ? text : `${text}: ${oneLine(chosen, 40)}`;

export interface EndGlyph {
  icon: 'granted' | 'refused' | 'clock' | 'rotate' | 'slash';
  tone: Tone;
}

const yes: EndGlyph = { icon: 'granted', tone: stateTones.approved };
const no: EndGlyph = { icon: 'refused', tone: stateTones.refused };
const gone: EndGlyph = { icon: 'slash', tone: stateTones.other };

/** Ends that mean different things have different drawings, so that none is mistaken for another at a glance. */
export const endGlyphs: Record<EndName, EndGlyph> = {
  approved: yes,
  answered: { icon: 'granted', tone: stateTones.answered },
  rejected: no,
  declined: no,
  expired: { icon: 'clock', tone: stateTones.expired },
  superseded: { icon: 'rotate', tone: stateTones.other },
  withdrawn: gone,
  endedWith: gone,
  cancelled: gone,
};

/** A task goes on no more. */
export const isOver = ({ status }: { status: TaskStatus }): boolean => isEndedStatus(status);
