// One decision for several questions of one sort: each opened once, each sent with what was shown, each with its own result.
import { useMemo, useState, type ReactNode } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { agentTitle } from '../../base/account/names.ts';
import { useKeys } from '../../base/page/keys.ts';
import { ReadingBoundary, useReading, useUnseen } from '../../hold/reading/reading-boundary.tsx';
import { AgentBlock } from '../../hold/text/agent-block.tsx';
import { strings } from '../../i18n/strings.ts';
import { Icon } from '../../ui/icons.tsx';
import { BulkBar, useArmedFor, type Verdict } from './bulk-bar.tsx';
import { BulkList } from './bulk-list.tsx';
import {
  approveMeans,
  bulkBody,
  hasOneText,
  mayDecideTogether,
  partsOf,
  rejectMeans,
  resultState,
  type RowState,
  tableColumns,
} from './bulk-state.ts';
import { BulkTable } from './bulk-table.tsx';
import type { BulkRowProps } from './review-table.tsx';
import { type BulkSending, useBulkSending } from './use-bulk-sending.ts';
import { useEntries } from './use-entries.ts';
import './bulk.css';
import { newId } from '../../base/page/new-id.ts';

const text = strings.bulk;

export interface BulkReviewProps {
  rows: readonly HoldRowView[];
  onToggle: (id: string, isRange: boolean) => void;
  /** From now on it stays, whatever becomes of its questions: their results are shown here. */
  onSend: () => void;
  onClose: () => void;
  onDone: () => void;
}

export const BulkReview = (props: BulkReviewProps): ReactNode => (
  <ReadingBoundary>
    <Review {...props} />
  </ReadingBoundary>
);

function Review({ rows, onToggle, onSend, onClose, onDone }: BulkReviewProps): ReactNode {
  const [fixed, setFixed] = useState<readonly HoldRowView[] | null>(null);
  const shown = fixed ?? rows;
  const ids = useMemo(() => shown.map(({ id }) => id), [shown]);
  const [entries, change] = useEntries(ids, fixed !== null);
  const [armed, setArmed] = useArmedFor();
  const reading = useReading();
  const isSeen = useUnseen() === null;
  const sending = useBulkSending();
  const { isSending, results, isOver, unconfirmed } = sending;
  const [reason, setReason] = useState('');
  useKeys({
    Escape: () => {
      if (armed !== null) setArmed(null);
      else if (isOver) onDone();
      else onClose();
    },
  });

  const held = ids.map((id) => entries.get(id)?.hold ?? null).filter((hold) => hold !== null);
  const isReady = mayDecideTogether(ids, entries) && isSeen && unconfirmed === null;
  const isSent = isSending || isOver || unconfirmed !== null;
  const resultOf = (id: string): RowState | null => {
    const result = results.find((one) => one.id === id);
    return result === undefined ? null : resultState(result);
  };
  const items = shown.map((row): BulkRowProps => ({
    row,
    entry: entries.get(row.id) ?? null,
    result: resultOf(row.id),
    isSent,
    onRead: () => change(row.id, { isRead: true }),
    onRemove: !isSent ? () => onToggle(row.id, false) : null,
  }));
  const decide = async (what: Verdict): Promise<void> => {
    if (isSending) return;
    if (!isReady || reading?.isArmed() === false) return reading?.show();
    setArmed(armed === what ? null : what);
    if (armed !== what) return;
    setFixed(shown);
    onSend();
    await sending.post(partsOf(bulkBody(held, what, reason), newId));
  };
  return (
    <div className="bulk">
      <div className="cluster">
        <button type="button" className="button quiet" onClick={isOver ? onDone : onClose}>
          <Icon name="back" /> {text.back}
        </button>
        <Head rows={shown} {...{ results, isOver }} />
      </div>
      <Questions items={items} held={held} />
      <Failed {...sending} />
      {!isOver ? (
        <BulkBar
          unread={ids.filter((id) => entries.get(id)?.isRead !== true).length}
          sent={isSent ? results.length : null}
          count={shown.length}
          approveMeans={approveMeans(held)}
          rejectMeans={rejectMeans(held)}
          {...{ reason, setReason, armed, isReady, isSending, decide }}
        />
      ) : (
        <button type="button" className="button primary" onClick={onDone}>
          {text.finish}
        </button>
      )}
    </div>
  );
}

/** Whose questions these are; once they were sent, how many were taken. */
function Head({
  rows,
  results,
  isOver,
}: { rows: readonly HoldRowView[] } & Pick<BulkSending, 'results' | 'isOver'>): ReactNode {
  const [first] = rows;
  if (isOver)
    return (
      <>
        <h1>{text.results}</h1>
        <p role="status">{text.tally(results.filter(({ ok }) => ok).length, results.length)}</p>
      </>
    );
  return (
    <>
      <h1>{text.title(rows.length)}</h1>
      {first !== undefined && (
        <span className="meta">{text.lead(agentTitle(first.agent), strings.kinds[first.kind])}</span>
      )}
    </>
  );
}

interface QuestionsProps {
  items: readonly BulkRowProps[];
  /** Those that have been read. */
  held: readonly HoldView[];
}

/** As a table once all of them are known to be calls of one tool. */
function Questions({ items, held }: QuestionsProps): ReactNode {
  const [first] = held;
  const columns = held.length === items.length ? tableColumns(held) : null;
  const isOneText = columns === null && held.length === items.length && hasOneText(held);
  return (
    <>
      {first !== undefined && first.message !== '' && (columns ?? isOneText) !== false && (
        <AgentBlock agent={agentTitle(first.agent)} text={first.message} />
      )}
      {columns === null ? <BulkList {...{ items, isOneText }} /> : <BulkTable {...{ items, columns }} />}
    </>
  );
}

/** Why the decision was not taken, or that it may have been. */
function Failed({ failed, unconfirmed, post }: BulkSending): ReactNode {
  if (failed === null) return null;
  return (
    <p className={`notice ${unconfirmed === null ? 'danger' : 'warn'}`} role="alert">
      <span>{failed}</span>
      {unconfirmed !== null && (
        <button type="button" className="button" onClick={() => void post(unconfirmed)}>
          {strings.app.tryNow}
        </button>
      )}
    </p>
  );
}
