// Questions that look like rules, with the text that would say so.
import type { ReactNode } from 'react';
import type { RecordRule } from '../../../src/contract/views/operate.ts';
import { agentTitle } from '../base/account/names.ts';
import { Link } from '../base/router/router.ts';
import { durationWords } from '../base/time/time.ts';
import { historyPath } from '../history/history-query.ts';
import { oneLine } from '../base/text/visible.ts';
import { strings } from '../i18n/strings.ts';
import { CopyButton } from '../hold/text/copy-button.tsx';

const words = strings.overview;

export function Rules({ rules }: { rules: RecordRule[] }): ReactNode {
  return (
    <section aria-labelledby="overview-rules">
      <h2 id="overview-rules">{words.rules}</h2>
      {rules.length === 0 ? (
        <p className="meta">{words.noRules}</p>
      ) : (
        <ul className="rules stack">
          {rules.map((rule) => (
            <Rule key={`${rule.agent} ${rule.kind} ${rule.title}`} rule={rule} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Rule({ rule }: { rule: RecordRule }): ReactNode {
  const { agent, title, times, way, replay, yaml } = rule;
  const end = way === 'defaults' ? 'answered' : 'approved';
  return (
    <li className="notice ok">
      <p>
        <strong>
          <bdi>{strings.inbox.quoted(oneLine(title, 120))}</bdi>
        </strong>{' '}
        <Link to={historyPath({ agent, q: title, end })}>{words.every(agentTitle(agent), times)}</Link>
      </p>
      <details>
        <summary>{words.makeRule}</summary>
        <p>{words.ways[way]}</p>
        <p>
          {words.replay[way]({
            ...replay,
            waited: replay.waitedMs < 1_000 ? '' : durationWords(replay.waitedMs),
          })}
        </p>
        <pre tabIndex={0} aria-label={words.yaml}>
          {yaml}
        </pre>
        <CopyButton className="small" text={yaml} />
      </details>
    </li>
  );
}
