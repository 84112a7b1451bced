// The policies, answering what operators ask most: who would be asked now, when does it climb, and what does silence do?
import { type ReactNode, useEffect } from 'react';
import type { AskedEntry, PolicyDetail } from '../../../src/contract/views/operate.ts';
import { isKind } from '../../../src/core/policy/audience-entry.ts';
import { agentTitle, shortName } from '../base/account/names.ts';
import { Link } from '../base/router/router.ts';
import { inboxPath, noFilters, pagePath } from '../base/router/routes.ts';
import { clockWords, reader, useNow } from '../base/time/time.ts';
import { useRead } from '../base/live/use-read.ts';
import { strings } from '../i18n/strings.ts';
import { Icon } from '../ui/icons.tsx';
import { Monogram } from '../ui/monogram.tsx';
import { PageFrame, PageState } from '../ui/page-frame.tsx';
import { ChangeMany } from './change-many.tsx';
import { LadderLine } from './ladder-line.tsx';
import { anchorId, whenWords } from '../hold/words/rule-words.ts';
import { askedWords, entryWords, ladderWords, spanWords } from './policy-words.ts';
import './operate.css';

const words = strings.operate;
const rereadMs = 30_000;

export function PoliciesPage(): ReactNode {
  const { data, error, reread } = useRead<{ items: PolicyDetail[] }>('/api/policies', {
    isLive: true,
    everyMs: rereadMs,
  });
  const hasData = data !== null;
  useEffect(() => {
    // A link to one policy comes before its page has them.
    if (hasData && location.hash !== '')
      document.querySelector(`#${CSS.escape(location.hash.slice(1))}`)?.scrollIntoView();
  }, [hasData]);
  return (
    <PageFrame title={strings.app.pages.policies}>
      <PageState error={error} hasData={hasData} onAgain={reread} />
      {data?.items.length === 0 && (
        <div className="empty">
          <p>{words.noPolicies}</p>
        </div>
      )}
      {data?.items.map((policy) => (
        <Policy key={policy.name} policy={policy} />
      ))}
    </PageFrame>
  );
}

function Policy({ policy }: { policy: PolicyDetail }): ReactNode {
  const { name, audience, quorum, excludesRequester, deputies, danger, open } = policy;
  return (
    <section className="card box stack" id={anchorId(name)} aria-labelledby={`${anchorId(name)}-name`}>
      <div className="card-head cluster">
        <h2 id={`${anchorId(name)}-name`}>{name}</h2>
        {policy.isBuiltIn && <span className="pill muted">{words.isBuiltIn}</span>}
        {danger && (
          <span className="pill danger">
            <Icon name="alert" /> {words.danger}
          </span>
        )}
        {quorum > 1 && <span className="pill muted">{words.quorum(quorum)}</span>}
        <Link className="card-open num" to={inboxPath({ ...noFilters, view: 'all', policy: name })}>
          {words.openNow(open)}
        </Link>
      </div>
      <div className="policy">
        <div>
          <h3>{words.whoNow}</h3>
          <ul className="asked stack">
            {audience.map((one) => (
              <Asked key={one.entry} asked={one} />
            ))}
          </ul>
          {excludesRequester && <p className="meta">{words.notRequester}</p>}
          {deputies === 'none' && <p className="meta">{words.noDeputies}</p>}
          {policy.grace !== null && <p className="meta">{words.grace(spanWords(policy.grace))}</p>}
          {policy.notify.length > 0 && <p className="meta">{words.notifies(policy.notify.join(', '))}</p>}
        </div>
        <div>
          <h3>{words.ladder}</h3>
          <LadderLine policy={policy} />
          <ol className="ladder-words stack">
            <li>{words.asksFirst(askedWords(audience))}</li>
            {ladderWords(policy).map((sentence, index) => (
              <li key={`${index} ${sentence}`}>{sentence}</li>
            ))}
          </ol>
          {policy.calendar !== null && <Hours calendar={policy.calendar} />}
        </div>
      </div>
      <UsedBy policy={policy} />
      <ChangeMany filter={{ policy: name }} />
    </section>
  );
}

function Asked({ asked: { entry, people } }: { asked: AskedEntry }): ReactNode {
  const lacksKey = people.length === 0 && !isKind(entry, 'owner') && !isKind(entry, 'agent');
  return (
    <li>
      {/* Of one who is named, the face is the line. */}
      {lacksKey ? (
        <span className="warn">{words.noKeyIn(entryWords(entry))}</span>
      ) : (
        !isKind(entry, 'user') && entryWords(entry)
      )}
      {people.length > 0 && (
        <ul className="faces stack">
          {people.map(({ id, standsInFor, isAway }) => (
            <li key={id} className={isAway ? 'cluster away' : 'cluster'}>
              <Monogram id={id} name={shortName(id)} isPerson />
              <bdi>{shortName(id)}</bdi>
              {isAway && <span className="meta">{words.away}</span>}
              {standsInFor !== null && <span className="meta">{words.standsIn(shortName(standsInFor))}</span>}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function Hours({ calendar }: { calendar: NonNullable<PolicyDetail['calendar']> }): ReactNode {
  const now = useNow();
  const { zone, hours, holidays, isOpen, changesAt } = calendar;
  const until = changesAt === null ? null : clockWords(Date.parse(changesAt), now, reader);
  return (
    <p className="meta">
      <span className={`pill ${isOpen ? 'ok' : 'muted'}`}>
        <Icon name="clock" /> {isOpen ? words.openUntil(until) : words.closedUntil(until)}
      </span>{' '}
      {words.hours(hours, zone)}
      {holidays !== null && words.holidays(holidays)}
    </p>
  );
}

function UsedBy({ policy: { usedBy } }: { policy: PolicyDetail }): ReactNode {
  if (usedBy.length === 0) return <p className="meta">{words.usedByNone}</p>;
  return (
    <p className="meta">
      {words.usedBy}{' '}
      {usedBy.map(({ agent, when }, index) => (
        <span key={`${index} ${agent}`}>
          {index > 0 && '; '}
          <Link to={`${pagePath('agents')}#${agent}`}>{agentTitle(agent)}</Link>
          {when !== null && ` (${whenWords(when)})`}
        </span>
      ))}
    </p>
  );
}
