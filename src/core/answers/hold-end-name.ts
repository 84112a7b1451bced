// How a question as it is stored ended, by name.
import type { AnswerEntry } from '../../contract/holds/decision.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { AnswerName, EndName, Hold } from '../../contract/holds/hold.ts';
import { answerNameOf, endNameOf } from './end-name.ts';
import { decidesOf, verdictOf } from '../consent/verdict.ts';

type Ended = Pick<Hold, 'question' | 'status' | 'ended' | 'decision' | 'supersededBy'>;

/** Null: it is open. */
export function endNameOfHold({ question, status, ended, decision, supersededBy }: Ended): EndName | null {
  const verdict = decision === null ? null : verdictOf(question, decision);
  return endNameOf({ kind: question.kind, decides: decidesOf(question), status, ended, supersededBy, verdict });
}

/** What an answer that waits to be sent is called: as the end of its question will be. */
export function goingNameOf(question: Question, given: Pick<AnswerEntry, 'status' | 'values'>): AnswerName {
  const asked = { kind: question.kind, decides: decidesOf(question) };
  return answerNameOf(asked, verdictOf(question, given), given.status === 'resolved');
}
