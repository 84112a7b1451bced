// How a question as it is stored ended, by name.
import type { EndName, Hold } from '../../contract/holds/hold.ts';
import { endNameOf } from './end-name.ts';
import { decidesOf, refusalTextOf } from './yes-no.ts';

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
