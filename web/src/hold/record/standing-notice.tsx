// What happened to the question while it was open, shown where it cannot be missed.
import { agentTitle } from '../../base/account/names.ts';
import type { ReactNode } from 'react';
import { navigate } from '../../base/router/router.ts';
import { holdPath } from '../../base/router/routes.ts';
import { strings } from '../../i18n/strings.ts';
import { DiffText } from '../values/diff-text.tsx';
import { usePane } from '../pane/pane.ts';
import { UndoButton } from '../grace/undo-button.tsx';
import { isPassedOnBy, passedOnText, standingText } from '../pane/standing.ts';
import { leaveFor } from '../draft/use-work.ts';
import { changesOf } from '../values/value-diff.ts';
import { withoutSecrets } from '../draft/drafts.ts';

const words = strings.hold;

export function StandingNotice(): ReactNode {
  const { standing, hold, newest, myId, work, seen } = usePane();
  const text = standingText(standing, hold.agent);
  switch (standing.state) {
    case 'open':
      return isPassedOnBy(newest, myId) ? <PassedOn /> : null;
    case 'ended':
      return null;
    case 'gone':
      return <PassedOn />;
    case 'time-up':
    case 'asking':
      return <p className={standing.state === 'asking' ? 'notice' : 'notice warn'}>{text}</p>;
    case 'superseded':
      return (
        <div className="notice warn">
          <span>
            {words.askedAgain(agentTitle(hold.agent))} {work.isTouched || hold.draft !== null ? words.carried : ''}
          </span>
          <button
            type="button"
            className="button"
            onClick={() => {
              if (work.isTouched)
                leaveFor(standing.by, withoutSecrets(work.values, hold.secretPaths), work.reason, hold);
              navigate(holdPath(standing.by), { replace: true });
            }}
          >
            {words.showNew}
          </button>
        </div>
      );
    case 'changed':
      return (
        <div className="notice warn changed-notice" role="alert">
          <h3>{text}</h3>
          <p>{words.changedLead}</p>
          <dl className="changes">
            {changesOf(hold, standing.next).map(({ what, before, after }) => (
              <div key={what}>
                <dt>{words.changeParts[what]}</dt>
                <dd>
                  <DiffText before={before} after={after} />
                </dd>
              </div>
            ))}
          </dl>
          <button type="button" className="button primary" onClick={seen}>
            {words.seenChange}
          </button>
        </div>
      );
    default:
      return standing satisfies never;
  }
}

/** Others have it: who, where the reader passed it on themselves, and the way to what is next. */
function PassedOn(): ReactNode {
  const { newest, myId, onNext, take } = usePane();
  const from = isPassedOnBy(newest, myId) ? newest.moves.at(-1)?.from : undefined;
  return (
    <div className="notice">
      <span>{passedOnText(newest, myId)}</span>
      {from !== undefined && <UndoButton id={newest.id} onTaken={take} from={from} />}
      {onNext !== null && (
        <button type="button" className="button" onClick={onNext}>
          {words.nextMine}
        </button>
      )}
    </div>
  );
}
