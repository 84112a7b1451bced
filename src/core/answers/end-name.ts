// How a question ended, in one name of nine: pages, command line, mails and surfaces put it into words, none decides it again.
import { answerNames, type ShownStatus } from '../../contract/holds/hold-names.ts';
import type { HoldKind } from '../../contract/holds/question.ts';
import type { AnswerName, EndName, HoldEnd, Verdict } from '../../contract/holds/hold.ts';
import { parseActor } from '../policy/audience-entry.ts';

const answers: readonly (EndName | null)[] = answerNames;

/** Whether an answer ended it. */
export const isAnswerName = (name: EndName | null): name is AnswerName => answers.includes(name);

interface Asked {
  kind: HoldKind;
  /** The field that its two buttons set; null or missing: it has none. */
  decides?: object | null;
}

export interface EndFacts extends Asked {
  status: ShownStatus;
  ended: Pick<HoldEnd, 'why' | 'by'> | null;
  /** What its answer says; null: it has none. */
  verdict: Verdict | null;
  supersededBy: string | null;
}

/** Whether it asks for a yes or a no: giving neither is a no then. */
const isYesNo = ({ kind, decides = null }: Asked): boolean =>
  kind === 'confirmation' || kind === 'tool_call' || kind === 'authorization' || decides !== null;

/** What an answer is called, sent or not; `isGiven`: it is no refusal to answer. */
export function answerNameOf(asked: Asked, verdict: Verdict, isGiven: boolean): AnswerName {
  if (verdict === 'yes') return 'approved';
  if (verdict === 'answered') return 'answered';
  return isGiven || isYesNo(asked) ? 'rejected' : 'declined';
}

const maxChosen = 40;

/** What was chosen of more than a yes and a no, after the word for it: ` (Escalate)`; '' without one. */
export const chosenText = (chosen: string | null | undefined): string =>
  chosen === null || chosen === undefined ? '' : ` (${chosen.slice(0, maxChosen)})`;

/** Null: it has not ended. What its row does not say of its end, its status does. */
export function endNameOf(facts: EndFacts): EndName | null {
  const { status, ended, verdict, supersededBy } = facts;
  if (status === 'open' || status === 'time_up') return null;
  if (supersededBy !== null) return 'superseded';
  const why = ended?.why ?? (status === 'cancelled' && verdict !== null ? 'declined' : status);
  switch (why) {
    case 'approved':
    case 'answered':
      return why;
    case 'decided':
      return answerNameOf(facts, verdict ?? 'answered', true);
    case 'declined':
      return answerNameOf(facts, 'no', status === 'decided');
    case 'withdrawn':
      // Only an agent takes its own question back.
      return ended === null || parseActor(ended.by).kind === 'agent' ? 'withdrawn' : 'endedWith';
    default:
      return why;
  }
}
