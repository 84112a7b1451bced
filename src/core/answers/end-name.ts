// How a question ended, in one name of ten: pages, command line, mails and surfaces put it into words, none decides it again.
import type { HoldKind } from '../../contract/holds/question.ts';
import type { EndName, HoldEnd, HoldStatus } from '../../contract/holds/hold.ts';
import { parseActor } from '../policy/audience-entry.ts';

/** What buttons its kind has: a yes and a no, or an answer that is given or not. */
type Sort = 'yesNo' | 'answer';
/** What an answer says; `field`: one of its fields says no, and it is sent as an answer; `none`: a refusal to answer. */
type Verdict = 'yes' | 'no' | 'field' | 'none';

const answerNames = {
  yesNo: { yes: 'approved', no: 'rejected', field: 'refused', none: 'rejected' },
  answer: { yes: 'answered', no: 'rejected', field: 'refused', none: 'declined' },
} as const satisfies Record<Sort, Record<Verdict, EndName>>;

/** The names of answers. */
export type AnswerName = (typeof answerNames)[Sort][Verdict];

const answers: readonly EndName[] = Object.values(answerNames).flatMap((names) => Object.values(names));

/** Whether an answer ended it. */
export const isAnswerName = (name: EndName | null): name is AnswerName => name !== null && answers.includes(name);

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

/** Null: it is open. What its row does not say of its end, its status does. */
export function endNameOf(facts: EndFacts): EndName | null {
  const { status, ended, saidNo, supersededBy, isAnswered } = facts;
  if (status === 'open') return null;
  if (supersededBy !== null) return 'superseded';
  const why = ended?.why ?? (status === 'cancelled' && isAnswered ? 'declined' : status);
  switch (why) {
    case 'decided':
      return answerNames[sortOf(facts)][saidNo === null ? 'yes' : 'field'];
    case 'declined':
      return answerNames[sortOf(facts)][status === 'decided' ? 'no' : 'none'];
    case 'withdrawn':
      // Only an agent takes its own question back.
      return ended === null || parseActor(ended.by).kind === 'agent' ? 'withdrawn' : 'endedWith';
    default:
      return why;
  }
}

/** What a decision that has not been sent will be called once it is. */
export function goingNameOf(
  asked: Asked,
  { status, isNo }: { status: 'resolved' | 'cancelled'; isNo: boolean },
): AnswerName {
  return answerNames[sortOf(asked)][status === 'cancelled' ? 'none' : isNo ? 'no' : 'yes'];
}
