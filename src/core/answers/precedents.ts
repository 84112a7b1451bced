// What one person's earlier decisions say about a question that waits for them now.
import type { Decision } from '../../contract/holds/decision.ts';
import type { Question } from '../../contract/holds/question.ts';
import { objectOf } from '../base/json.ts';
import { reasonNames } from './reason-names.ts';
import { verdictOf } from '../consent/verdict.ts';

/** At most so many reasons are offered again, none longer than this: they are to be read at a glance. */
const maxReasons = 3;
const maxReasonChars = 200;

interface Decided {
  question: Question;
  decision: Pick<Decision, 'by' | 'status' | 'values' | 'reason'> | null;
}

/** What was written with a no: the refusal's own reason, or the field of the answer that carried it; null: nothing. */
function reasonOf({ question, decision }: Decided): string | null {
  if (decision === null || verdictOf(question, decision) !== 'no') return null;
  const properties = objectOf(question.schema['properties']);
  const isOpenText = (name: string): boolean =>
    objectOf(properties[name])['type'] === 'string' && !question.secrets.includes(name);
  const carried = reasonNames.filter(isOpenText).map((name) => decision.values[name]);
  const words = [decision.reason, ...carried].find((one) => typeof one === 'string' && one.trim() !== '');
  return typeof words === 'string' ? words.trim() : null;
}

/** The last reasons that this person gave, each once; `decided` is latest first. */
export function lastReasons(decided: readonly Decided[], by: string): string[] {
  const own = decided.filter(({ decision }) => decision?.by === by).flatMap((one) => reasonOf(one) ?? []);
  return [...new Set(own)].filter((reason) => reason.length <= maxReasonChars).slice(0, maxReasons);
}
