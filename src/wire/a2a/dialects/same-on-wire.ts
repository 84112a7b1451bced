// Whether an agent will read in an answer what the record says of it; asked before anything is decided.
import type { Verdict } from '../../../contract/holds/hold.ts';
import type { Answer, Question } from '../../../contract/holds/question.ts';
import { decisionFieldOf, isSameOnWire, verdictOf } from '../../../core/consent/verdict.ts';
import { verdictOnWire } from './registry.ts';

const words: Record<Verdict, string> = { yes: 'a yes', no: 'a no', answered: 'neither a yes nor a no' };

/** What is wrong with an answer of which the agent would read another thing, by JSON pointer; null: nothing is. */
export function whyOtherOnWire(
  question: Question,
  answer: Omit<Answer, 'by'>,
): { path: string; message: string } | null {
  const onWire = verdictOnWire({ question, answer: { ...answer, by: '' } });
  if (isSameOnWire(question, answer, onWire)) return null;
  const given = words[verdictOf(question, answer)];
  const field = decisionFieldOf(question);
  const message = `this is ${given}, and the agent would read ${words[onWire ?? 'answered']}: say the same in all of its fields`;
  return { path: field === null ? '' : `/${field}`, message };
}
