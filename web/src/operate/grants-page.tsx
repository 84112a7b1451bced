// Standing grants: who gave what, what was used and what is left, and the press that ends one.
import type { ReactNode } from 'react';
import type { GrantView } from '../../../src/contract/base/grant.ts';
import { send } from '../base/live/api.ts';
import { useRead } from '../base/live/use-read.ts';
import { useSending } from '../base/live/use-sending.ts';
import { shortName } from '../base/account/names.ts';
import { announce } from '../base/page/announce.tsx';
import { Link } from '../base/router/router.ts';
import { holdPath } from '../base/router/routes.ts';
import { clockAt } from '../base/time/time.ts';
import { strings } from '../i18n/strings.ts';
import { ErrorText } from '../ui/controls.tsx';
import { Facts } from '../ui/facts.tsx';
import { Icon } from '../ui/icons.tsx';
import { PageFrame, PageState } from '../ui/page-frame.tsx';
import { whyOf } from './why-words.ts';
import './operate.css';

const words = strings.grants;
const rereadMs = 30_000;

export function GrantsPage(): ReactNode {
  const { data, error, reread } = useRead<{ items: GrantView[] }>('/api/grants', { isLive: true, everyMs: rereadMs });
  return (
    <PageFrame title={strings.app.pages.grants}>
      <PageState error={error} hasData={data !== null} onAgain={reread} />
      {data?.items.length === 0 && (
        <div className="empty drawn">
          <Icon name="check" />
          <p>{words.none}</p>
        </div>
      )}
      {data?.items.map((grant) => (
        <Grant key={grant.id} grant={grant} onChanged={reread} />
      ))}
    </PageFrame>
  );
}

function Grant({ grant, onChanged }: { grant: GrantView; onChanged: () => void }): ReactNode {
  const { id, agent, tool, state, by, need, until, times, sum, ranges, recheck, ended, hold } = grant;
  const { isSending, why, run } = useSending(whyOf);
  const change = async (method: 'POST' | 'DELETE', path: string, done: string): Promise<void> => {
    const isDone = await run(() => send(method, `/api/grants/${id}${path}`));
    if (isDone) announce(done);
    onChanged();
  };
  const facts: [string, string][] = [
    [words.by, `${by.map((one) => shortName(one.by)).join(', ')}${need > 1 ? ` (${words.of(by.length, need)})` : ''}`],
    [words.ranges, ranges.length === 0 ? words.equal : ranges.join(', ')],
    [words.used, words.of(times.used, times.most)],
    ...(sum === null ? [] : [[words.sum(sum.of), words.of(sum.used, sum.most)] as [string, string]]),
    [words.until, clockAt(until)],
    [words.recheck, words.oneIn(recheck)],
    ...(ended === null
      ? []
      : [[words.ended, words.endedBy(words.whys[ended.why], shortName(ended.by))] as [string, string]]),
  ];
  return (
    <section className="card box stack" aria-labelledby={`grant-${id}`}>
      <h2 id={`grant-${id}`}>
        <bdi>{tool}</bdi> <span className="meta">{agent.replace(/^\w+:/, '')}</span>{' '}
        <span className="pill muted">{words.states[state]}</span>
      </h2>
      <Facts facts={facts.map(([name, value]) => [name, <bdi key={name}>{value}</bdi>])} />
      <p className="cluster">
        <Link to={holdPath(hold)}>{words.madeOf}</Link>
        {grant.mayGive && (
          <button
            type="button"
            className="button"
            disabled={isSending}
            onClick={() => void change('POST', '/give', words.given)}
          >
            {words.give}
          </button>
        )}
        {grant.mayRevoke && (
          <button
            type="button"
            className="button"
            disabled={isSending}
            onClick={() => void change('DELETE', '', words.revoked)}
          >
            {words.revoke}
          </button>
        )}
        <ErrorText why={why} />
      </p>
    </section>
  );
}
