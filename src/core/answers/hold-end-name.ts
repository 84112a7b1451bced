// How a question as it is stored ended, by name.
import type { AnswerEntry } from '../../contract/holds/decision.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { AnswerName, EndName, Hold } from '../../contract/holds/hold.ts';
import { answerNameOf, endNameOf } from './end-name.ts';
import { decidesOf, refusalTextOf, verdictOf } from '../consent/verdict.ts';

type Ended = Pick<Hold, 'question' | 'status' | 'ended' | 'decision' | 'supersededBy'>;

/** Null: it is open. */
export function endNameOfHold({ question, status, ended, decision, supersededBy }: Ended): EndName | null {
  return endNameOf({
    kind: question.kind,
    decides: decidesOf(question),
    status,
    ended,
    supersededBy,
    isAnswered: decision !== null,
    saidNo: decision?.status === 'resolved' ? refusalTextOf(question, decision.values) : null,
  });
}

/** What an answer that waits to be sent is called: as the end of its question will be. */
export function goingNameOf(question: Question, given: Pick<AnswerEntry, 'status' | 'values'>): AnswerName {
  const asked = { kind: question.kind, decides: decidesOf(question) };
  if (given.status === 'cancelled') return answerNameOf(asked, 'none');
  if (verdictOf(question, given) === 'no') return answerNameOf(asked, 'no');
  return answerNameOf(asked, refusalTextOf(question, given.values) === null ? 'yes' : 'field');
}
