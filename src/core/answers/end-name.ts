// How a question ended, in one name of ten: pages, command line, mails and surfaces put it into words, none decides it again.
import { answerNames } from '../../contract/holds/hold-names.ts';
import type { HoldKind } from '../../contract/holds/question.ts';
import type { AnswerName, EndName, HoldEnd, HoldStatus } from '../../contract/holds/hold.ts';
import { parseActor } from '../policy/audience-entry.ts';

/** What buttons its kind has: a yes and a no, or an answer that is given or not. */
type Sort = 'yesNo' | 'answer';
/** What an answer says; `field`: one of its fields says no, and it is sent as an answer; `none`: a refusal to answer. */
type Verdict = 'yes' | 'no' | 'field' | 'none';

const byVerdict: Record<Sort, Record<Verdict, AnswerName>> = {
  yesNo: { yes: 'approved', no: 'rejected', field: 'refused', none: 'rejected' },
  answer: { yes: 'answered', no: 'rejected', field: 'refused', none: 'declined' },
};

const answers: readonly (EndName | null)[] = answerNames;

/** Whether an answer ended it. */
export const isAnswerName = (name: EndName | null): name is AnswerName => answers.includes(name);

interface Asked {
  kind: HoldKind;
  /** The field that its two buttons set; null or missing: it has none. */
  decides?: object | null;
}

export interface EndFacts extends Asked {
  status: HoldStatus;
  ended: Pick<HoldEnd, 'why' | 'by'> | null;
  /** The label of the field by which its answer says no. */
  saidNo: string | null;
  supersededBy: string | null;
  isAnswered: boolean;
}

const sortOf = ({ kind, decides = null }: Asked): Sort =>
  kind === 'confirmation' || kind === 'tool_call' || kind === 'authorization' || decides !== null ? 'yesNo' : 'answer';

/** What an answer is called, sent or not. */
export const answerNameOf = (asked: Asked, verdict: Verdict): AnswerName => byVerdict[sortOf(asked)][verdict];

const maxChosen = 40;

/** What was chosen of more than a yes and a no, after the word for it: ` (Escalate)`; '' without one. */
export const chosenText = (chosen: string | null | undefined): string =>
  chosen === null || chosen === undefined ? '' : ` (${chosen.slice(0, maxChosen)})`;

/** Null: it is open. What its row does not say of its end, its status does. */
export function endNameOf(facts: EndFacts): EndName | null {
  const { status, ended, saidNo, supersededBy, isAnswered } = facts;
  if (status === 'open') return null;
  if (supersededBy !== null) return 'superseded';
  const why = ended?.why ?? (status === 'cancelled' && isAnswered ? 'declined' : status);
  switch (why) {
    case 'decided':
      return answerNameOf(facts, saidNo === null ? 'yes' : 'field');
    case 'declined':
      return answerNameOf(facts, status === 'decided' ? 'no' : 'none');
    case 'withdrawn':
      // Only an agent takes its own question back.
      return ended === null || parseActor(ended.by).kind === 'agent' ? 'withdrawn' : 'endedWith';
    default:
      return why;
  }
}
