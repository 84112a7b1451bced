// What happened to the question while it was open, shown where it cannot be missed.
import { agentTitle } from '../../app/account/names.ts';
import type { ReactNode } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { navigate } from '../../app/router.ts';
import { holdPath } from '../../app/routes.ts';
import { strings } from '../../i18n/strings.ts';
import { DiffText } from '../values/diff-text.tsx';
import type { Standing } from './standing.ts';
import { leaveFor, type Work } from '../draft/use-work.ts';
import { changesOf } from '../values/value-diff.ts';
import { withoutSecrets } from '../draft/drafts.ts';

const words = strings.hold;

interface Props {
  standing: Standing;
  shown: HoldView;
  work: Work;
  onSeen: () => void;
}

export function StandingNotice({ standing, shown, work, onSeen }: Props): ReactNode {
  switch (standing.state) {
    case 'open':
    case 'ended':
      return null;
    case 'time-up':
      return <p className="notice warn">{words.timeUp}</p>;
    case 'gone':
      return <p className="notice warn">{words.passedOn}</p>;
    case 'asking':
      return <p className="notice">{words.asking(agentTitle(shown.agent))}</p>;
    case 'superseded':
      return (
        <div className="notice warn">
          <span>
            {words.askedAgain(agentTitle(shown.agent))} {work.isTouched || shown.draft !== null ? words.carried : ''}
          </span>
          <button
            type="button"
            className="button"
            onClick={() => {
              if (work.isTouched)
                leaveFor(standing.by, withoutSecrets(work.values, shown.secretPaths), work.reason, shown);
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
          <h3>{words.changed}</h3>
          <p>{words.changedLead}</p>
          <dl className="changes">
            {changesOf(shown, standing.next).map(({ what, before, after }) => (
              <div key={what}>
                <dt>{words.changeParts[what]}</dt>
                <dd>
                  <DiffText before={before} after={after} />
                </dd>
              </div>
            ))}
          </dl>
          <button type="button" className="button primary" onClick={onSeen}>
            {words.seenChange}
          </button>
        </div>
      );
    default:
      return standing satisfies never;
  }
}
