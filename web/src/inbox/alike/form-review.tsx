// Several forms of one sort: one form for what is the same, a row for each with what differs, one decision for each.
import { type ReactNode, Suspense, useId, useMemo, useRef, useState } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { agentTitle } from '../../base/account/names.ts';
import { announce } from '../../base/page/announce.tsx';
import { useKeys } from '../../base/page/keys.ts';
import { Link } from '../../base/router/router.ts';
import { holdPath } from '../../base/router/routes.ts';
import { visible } from '../../base/text/visible.ts';
import type { FormHandle } from '../../hold/form/form-handle.ts';
import { FormPanel } from '../../hold/form/form-panel.tsx';
import { headlineWords, rowTitle } from '../../hold/row/row-words.ts';
import { ReadBlock } from '../../hold/reading/read-block.tsx';
import { ReadingBoundary, useReading, useUnseen } from '../../hold/reading/reading-boundary.tsx';
import { AgentBlock } from '../../hold/text/agent-block.tsx';
import { type Dict, dictOf } from '../../hold/values/dict.ts';
import { labelOf } from '../../hold/values/humanise.ts';
import { columnWords } from '../../hold/values/plain-words.ts';
import { ValueList, valueWords } from '../../hold/values/value-list.tsx';
import { strings } from '../../i18n/strings.ts';
import { Icon } from '../../ui/icons.tsx';
import { type AlikeForm, formBody, joinForms, type JoinedForms } from './alike-forms.ts';
import { approveMeans, type BulkEntry, hasOneText, rowState, type RowState } from '../bulk/bulk-state.ts';
import { BulkBar, useArmedFor, type Verdict } from '../bulk/bulk-bar.tsx';
import { ReviewRow, ReviewTable } from '../bulk/review-table.tsx';
import { isInTitles } from '../bulk/differs.ts';
import { useEntries } from '../bulk/use-entries.ts';
import { type FormResult, type FormResults, useFormSending } from './form-sending.ts';
import '../bulk/bulk.css';

const text = strings.bulk;
const nothing: never[] = [];
const notSent = { result: null, isSent: false };

interface Props {
  rows: readonly HoldRowView[];
  onClose: () => void;
}

export function FormReview({ rows, onClose }: Props): ReactNode {
  // As it was opened: what ends meanwhile stays, and says so.
  const [shown] = useState(rows);
  const ids = useMemo(() => shown.map(({ id }) => id), [shown]);
  const sending = useFormSending();
  const [entries, change] = useEntries(ids, sending.isSending || sending.results.size > 0);
  const held = ids.map((id) => entries.get(id)?.hold ?? null).filter((hold) => hold !== null);
  const isLoaded = held.length === ids.filter((id) => entries.get(id)?.failed !== true).length;
  const key = held.map(({ id, version }) => `${id} ${version}`).join('\n');
  const forms = useMemo(() => (isLoaded ? joinForms(held) : null), [key, isLoaded]);
  const isOver = sending.results.size > 0 && !sending.isSending;
  return (
    <div className="bulk">
      <div className="cluster">
        <button type="button" className="button quiet" onClick={onClose}>
          <Icon name="back" /> {text.back}
        </button>
        <h1>{isOver ? text.results : text.title(forms?.joined.length ?? shown.length)}</h1>
      </div>
      {forms === null ? (
        <p className="meta">{strings.app.loading}</p>
      ) : (
        <ReadingBoundary of={key}>
          <Forms {...{ forms, sending, entries, onClose }} rows={shown} onRead={(id) => change(id, { isRead: true })} />
        </ReadingBoundary>
      )}
    </div>
  );
}

interface FormsProps extends Pick<Props, 'rows' | 'onClose'> {
  forms: JoinedForms;
  sending: ReturnType<typeof useFormSending>;
  entries: ReadonlyMap<string, BulkEntry>;
  onRead: (id: string) => void;
}

function Forms({ forms, rows, sending, entries, onRead, onClose }: FormsProps): ReactNode {
  const { joined, apart, columns, same, asks } = forms;
  const [first] = joined;
  const [armed, setArmed] = useArmedFor();
  const [reason, setReason] = useState('');
  const [shared, setShared] = useState<Dict>({});
  const handle = useRef<FormHandle>(null);
  const prefix = useId();
  const reading = useReading();
  const isSeen = useUnseen() === null;
  useKeys({ Escape: () => (armed === null ? onClose() : setArmed(null)) });
  if (first === undefined) return <ApartList apart={apart} />;
  const isOver = sending.results.size > 0 && !sending.isSending;
  const unread = joined.filter(({ id }) => rowState(entries.get(id) ?? null, notSent) !== null).length;
  const isReady = unread === 0 && isSeen && !sending.isSending;
  const decide = async (what: Verdict): Promise<void> => {
    if (sending.isSending) return;
    if (!isReady || reading?.isArmed() === false) return reading?.show();
    const filled = asks.length === 0 || what === 'reject' ? shared : (handle.current?.read() ?? null);
    if (filled === null) return;
    setArmed(armed === what ? null : what);
    if (armed !== what) return;
    const ok = await sending.send(
      joined.map((hold) => ({ hold, body: formBody(hold, what, pick(filled, asks), reason) })),
    );
    announce(text.tally(ok, joined.length));
  };
  const given = { [first.decides.field]: first.decides.yes };
  return (
    <>
      {isOver && <p role="status">{text.tally(countOk(sending.results), joined.length)}</p>}
      {hasOneText(joined) && <AgentBlock agent={agentTitle(first.agent)} text={first.message} />}
      {/* Before the rows: below them it lay under the bar that waits for it. */}
      {asks.length > 0 && !isOver && (
        <section className="stack">
          <h2 className="label">{text.onceForAll(joined.length)}</h2>
          <Suspense fallback={<p className="meta">{strings.hold.form.loading}</p>}>
            <FormPanel
              handle={handle}
              schema={first.schema}
              initial={first.defaults}
              onChange={setShared}
              problems={nothing}
              idPrefix={`${prefix}-all`}
              asSections={false}
              asJson={nothing}
              secretPaths={nothing}
              given={given}
              only={asks}
            />
          </Suspense>
        </section>
      )}
      <FormTable {...{ joined, rows, columns, sending, entries, onRead }} />
      {Object.keys(same).length > 0 && (
        <section className="stack">
          <h2 className="label">{text.sameInAll(joined.length)}</h2>
          <ReadBlock kind="form">
            <ValueList schema={first.schema} values={same} />
          </ReadBlock>
        </section>
      )}
      <ApartList apart={apart} />
      {isOver ? (
        <button type="button" className="button primary" onClick={onClose}>
          {text.finish}
        </button>
      ) : (
        <BulkBar
          count={joined.length}
          sent={sending.isSending ? sending.results.size : null}
          approveMeans={approveMeans(joined)}
          rejectMeans={first.onReject === 'answers' ? text.rejectMeans : text.rejectForms}
          isSending={sending.isSending}
          {...{ unread, reason, setReason, armed, isReady, decide }}
        />
      )}
    </>
  );
}

const pick = (values: Dict, names: readonly string[]): Dict =>
  Object.fromEntries(names.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]));

const countOk = (results: FormResults): number => [...results.values()].filter(({ ok }) => ok).length;

interface TableProps extends Pick<FormsProps, 'rows' | 'sending' | 'entries' | 'onRead'> {
  joined: readonly AlikeForm[];
  columns: readonly string[];
}

function FormTable({ joined, rows, columns: differing, sending, entries, onRead }: TableProps): ReactNode {
  const properties = dictOf(joined[0]?.schema['properties']);
  const shown = joined.flatMap((hold) => {
    const row = rows.find(({ id }) => id === hold.id);
    return row === undefined ? [] : [{ hold, row }];
  });
  const all = shown.map(({ hold }) => hold.defaults);
  const titles = shown.map(({ row }) => rowTitle(row));
  const apart = differing.filter(
    (name) =>
      !isInTitles(
        titles,
        all.map((values) => values[name]),
      ),
  );
  // Without a column of its own a table cuts its titles.
  const columns = apart.length === 0 ? differing : apart;
  const says = hasOneText(joined) ? [] : [{ key: '', label: text.says, differs: true }];
  return (
    <ReviewTable
      label={text.formTable}
      columns={[
        ...columns.map((name) => ({
          key: name,
          label: labelOf(name, properties[name]),
          differs: true,
          isNumber: shown.every(({ hold }) => typeof hold.defaults[name] === 'number'),
        })),
        ...says,
      ]}
      rows={shown.map(({ row }) => row)}
    >
      {(shape) =>
        shown.map(({ hold, row }) => (
          <ReviewRow
            key={hold.id}
            {...{ shape, row }}
            cells={[
              ...columns.map((name) => valueWords(properties[name], hold.defaults[name], columnWords(name, all))),
              ...says.map(() => visible(hold.message)),
            ]}
            result={stateOf(sending.results.get(hold.id))}
            isSent={sending.isSending || sending.results.size > 0}
            entry={entries.get(hold.id) ?? null}
            onRead={() => onRead(hold.id)}
            onRemove={null}
          />
        ))
      }
    </ReviewTable>
  );
}

const stateOf = (result: FormResult | undefined): RowState | null =>
  result === undefined ? null : { text: result.text, tone: result.ok ? 'ok' : 'danger' };

/** Those that cannot join, each with why, and the way to it. */
function ApartList({ apart }: { apart: readonly { hold: HoldView; why: keyof typeof text.apart }[] }): ReactNode {
  if (apart.length === 0) return null;
  return (
    <section className="stack">
      <h2 className="label">{text.byThemselves(apart.length)}</h2>
      <ul className="bulk-list">
        {apart.map(({ hold, why }) => (
          <li key={hold.id} className="bulk-item">
            <Link to={holdPath(hold.id)} dir="auto">
              {headlineWords({ headline: hold.headline })}
            </Link>
            <span className="meta">{text.apart[why]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
