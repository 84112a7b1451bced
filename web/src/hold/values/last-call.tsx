// A tool call against the last approved one of the same tool: which of its arguments are not as they were then.
import { createContext, type ReactNode, useContext } from 'react';
import type { LastCall } from '../../../../src/contract/views/precedents.ts';
import { useMe } from '../../base/account/me.ts';
import { Link } from '../../base/router/router.ts';
import { holdPath } from '../../base/router/routes.ts';
import { oneLine, visible } from '../../base/text/visible.ts';
import { agoWords, useTimeWords } from '../../base/time/time.ts';
import { strings } from '../../i18n/strings.ts';
import { actorWords } from '../words/people.ts';
import type { Dict } from './dict.ts';
import { type Difference, differenceAt, wasText } from './last-values.ts';

const words = strings.precedents;
const LastCallContext = createContext<LastCall | null>(null);

export const LastCallProvider = LastCallContext.Provider;

/** Whether the argument is as it was; null where nothing is known to compare it with. */
export function useLastCall(): (path: readonly string[]) => 'same' | 'differs' | undefined {
  const last = useContext(LastCallContext);
  return (path) => (last === null ? undefined : differenceAt(last, path) === null ? 'same' : 'differs');
}

/** Beneath a value: what it was, and how often that was approved. */
export function LastMark({ path, values }: { path: readonly string[]; values: Dict }): ReactNode {
  const last = useContext(LastCallContext);
  const difference = last === null ? null : differenceAt(last, path);
  if (difference === null) return null;
  return <p className="arg-last">{markWords(difference, values)}</p>;
}

function markWords(difference: Difference, values: Dict): string {
  const { kind, times, mine } = difference;
  if (kind === 'added') return words.wasNot;
  const often = mine > 0 ? words.youApprovedTimes(mine) : words.approvedTimes(times);
  return `${words.was(visible(wasText(difference, values)))}, ${often}`;
}

/** Above the arguments: how many differ, from whose decision, and what is not given any more. */
export function LastCallLine(): ReactNode {
  const last = useContext(LastCallContext);
  const myId = useMe()?.id ?? null;
  const ago = useTimeWords((now) => (last === null ? '' : agoWords(Date.parse(last.at), now)));
  if (last === null) return null;
  const { differs, same } = last;
  const gone = differs.filter(({ kind }) => kind === 'removed');
  return (
    <div className="last-call meta" role="note">
      <p>
        {differs.length === 0 ? words.sameAsLast(last.approved) : words.differs(differs.length, differs.length + same)}
        {' · '}
        <Link to={holdPath(last.id)}>{words.lastApproved(actorWords(last.by, myId), ago)}</Link>
      </p>
      {gone.map((one) => (
        <p key={one.path.join('.')} className="arg-last">
          {words.gone(oneLine(one.path.join(' › '), 60), visible(wasText(one, {})))}
        </p>
      ))}
    </div>
  );
}
