// A question that has ended: how, by whom, what was sent, and what the reader had written themselves.
import type { ReactNode } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { serverNow } from '../../base/live/api.ts';
import { useKeys } from '../../base/page/keys.ts';
import { shortDigest } from '../../base/account/names.ts';
import { Link } from '../../base/router/router.ts';
import { pagePath } from '../../base/router/routes.ts';
import { strings } from '../../i18n/strings.ts';
import { absoluteWords, clockAt, reader } from '../../base/time/time.ts';
import { CopyButton } from '../text/copy-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { toolParts } from '../answer/answers.ts';
import { ArgTable } from '../values/arg-table.tsx';
import { type Dict, dictOf, isSame } from '../values/dict.ts';
import { withoutSecrets } from '../draft/drafts.ts';
import { usePane } from '../pane/pane.ts';
import { Sections } from './folds.tsx';
import { labelOf } from '../values/humanise.ts';
import { ValueList } from '../values/value-list.tsx';
import { endOf } from '../words/ends.ts';
import { authorWords } from '../words/people.ts';
import { outcomeOf } from './outcome.ts';
import { endSentence } from './end-sentence.ts';
import { formatValue } from '../values/value-diff.ts';
import { visible } from '../../base/text/visible.ts';

const words = strings.hold;

/** By what an answer came. */
const sourceWords = (source: NonNullable<HoldView['decision']>['source']): string =>
  source === 'grant' ? strings.grants.source : words.sources[source];

export function EndBanner(): ReactNode {
  const { newest: hold, myId } = usePane();
  const name = endOf(hold);
  const isGood = name === 'approved' || name === 'answered';
  const isBad = name === 'expired' || name === 'cancelled';
  const { reason } = outcomeOf(hold);
  return (
    <p className={`notice ${isGood ? 'ok' : isBad ? 'warn' : ''}`}>
      {endSentence(hold, myId, clockAt)} {reason !== null && <bdi>{words.withReason(visible(reason))}</bdi>}
    </p>
  );
}

export function EndedView({ onBack }: { onBack: () => void }): ReactNode {
  const { newest: hold, myId, onNext, isInline } = usePane();
  useKeys({
    Enter: () => {
      if (onNext === null) return false;
      onNext();
      return undefined;
    },
  });
  return (
    <>
      {endOf(hold) === 'approved' && hold.grants !== undefined && hold.grants.given.length > 0 && (
        <p className="notice">
          {strings.grants.gave(hold.grants.given.length < hold.grants.by)}{' '}
          <Link to={pagePath('grants')}>{strings.app.pages.grants}</Link>
        </p>
      )}
      <SentValues hold={hold} />
      <Record hold={hold} myId={myId} />
      <HadWritten />
      {!isInline && <Sections hold={hold} />}
      {!isInline && (
        <div className="decide ended">
          {onNext === null ? (
            <button type="button" className="button" onClick={onBack}>
              {words.inMyInbox}
            </button>
          ) : (
            <button type="button" className="button primary" onClick={onNext}>
              {words.nextMine} <kbd aria-hidden="true">{words.enterKey}</kbd>
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** The arguments of a call as they were proposed and as they were sent, and what else was answered. */
function sentOf(hold: HoldView): { args: SentArgs | null; rest: Dict } {
  const values = dictOf(hold.decision?.values);
  const parts = hold.kind === 'tool_call' ? toolParts(hold) : null;
  if (parts === null) return { args: null, rest: values };
  const { toolArgs } = hold.context;
  if (parts.edit === null) return { args: { proposed: toolArgs, sent: toolArgs, schema: {} }, rest: values };
  const { field, proposed, schema } = parts.edit;
  const { [field]: edited, ...rest } = values;
  return { args: { proposed, sent: dictOf(edited ?? proposed), schema }, rest };
}

interface SentArgs {
  proposed: Dict;
  sent: Dict;
  schema: Dict;
}

function SentValues({ hold }: { hold: HoldView }): ReactNode {
  if (hold.decision === null) return null;
  const { sent, when } = outcomeOf(hold);
  if (sent !== 'values') return <NotSent hold={hold} />;
  const { args, rest } = sentOf(hold);
  const hasRest = Object.keys(rest).length > 0;
  return (
    <section className="sent stack">
      <h2 className="label">{when === 'together' ? words.answeredValues : words.sentValues}</h2>
      {args !== null && !isSame(args.proposed, {}) && <ArgTable {...args} />}
      {!hasRest && args === null && <p className="meta">{words.noValues}</p>}
      {hasRest && <ValueList schema={hold.schema} values={rest} proposed={proposedOf(hold)} />}
    </section>
  );
}

/** Without the decision itself, and without what was sealed. */
const proposedOf = ({ kind, defaults, decides, secretPaths }: HoldView): Dict =>
  kind === 'form'
    ? Object.fromEntries(
        Object.entries(defaults).filter(([name]) => name !== decides?.field && !secretPaths.includes(`/${name}`)),
      )
    : {};

/** What was asked for, of which nothing was sent. */
function NotSent({ hold }: { hold: HoldView }): ReactNode {
  const asked = sentOf(hold).args?.proposed ?? {};
  const { sent, reason, when } = outcomeOf(hold);
  const refusal = when === 'together' ? words.refusalAnswered : words.refusalSent;
  return (
    <section className="sent stack">
      <h2 className="label">{words.askedValues}</h2>
      {!isSame(asked, {}) && <ArgTable proposed={asked} sent={asked} schema={{}} />}
      <p className="meta">{sent === 'nothing' ? words.nothingSent : refusal(reason === null ? '' : visible(reason))}</p>
    </section>
  );
}

const timeWords = (at: string | null): string =>
  at === null ? '' : absoluteWords(Date.parse(at), serverNow(), reader);

const voterWords = (vote: HoldView['votes']['by'][number]): string =>
  vote.isGone ? words.voterGone(authorWords(vote, null)) : authorWords(vote, null);

function Record({ hold, myId }: { hold: HoldView; myId: string | null }): ReactNode {
  const { decision, ended } = hold;
  const author = decision ?? ended;
  const at = author?.at ?? null;
  const rows: [string, string][] = [
    [decision === null ? words.recordOf.endedBy : words.recordOf.by, author === null ? '' : authorWords(author, myId)],
    [words.recordOf.at, timeWords(at)],
    [words.recordOf.sent, outcomeOf(hold).when === 'later' ? timeWords(ended?.at ?? null) : ''],
    [words.recordOf.source, decision === null ? '' : sourceWords(decision.source)],
    [words.recordOf.reason, decision?.reason ?? ''],
    [words.recordOf.votes, hold.votes.need > 1 ? hold.votes.by.map(voterWords).join(', ') : ''],
    [words.recordOf.policy, hold.policy],
    [words.recordOf.digest, shortDigest(decision?.digest ?? hold.digest)],
  ];
  return (
    <section className="record stack">
      <h2 className="label">{words.record}</h2>
      <Facts className="values" facts={rows.map(([label, text]) => [label, visible(text)])} />
    </section>
  );
}

/** What the reader wrote and did not send. */
function HadWritten(): ReactNode {
  const { hold, newest, work, decision, myId } = usePane();
  const isSent = decision.sending.state === 'recorded' || newest.decision?.by === myId;
  if (isSent || (!work.isTouched && work.restoredAt === null)) return null;
  const properties = dictOf(newest.schema['properties']);
  const lines = Object.entries(withoutSecrets(work.values, hold.secretPaths))
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${labelOf(name, properties[name])}: ${formatValue(value)}`);
  const written = work.text === '' ? lines : [work.text];
  const text = [...written, ...(work.reason === '' ? [] : [work.reason])].join('\n');
  if (text === '') return null;
  return (
    <section className="unsent stack">
      <h2 className="label">{words.hadWritten}</h2>
      <pre className="asis" tabIndex={0} dir="auto">
        {text}
      </pre>
      <CopyButton text={text} />
    </section>
  );
}
