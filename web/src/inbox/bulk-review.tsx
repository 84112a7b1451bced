// One decision for several questions of one sort: each opened once, each sent with what was shown, each with its own result.
import { useCallback, useEffect, useId, useMemo, useRef, useState, type ReactNode } from 'react';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import type { BulkReply, HoldRowView } from '../../../src/contract/views/inbox.ts';
import { announce } from '../base/page/announce.tsx';
import { ApiError, get, holdApi, send } from '../base/live/api.ts';
import { onHold } from '../base/live/event-stream.ts';
import { AgentBlock } from '../hold/text/agent-block.tsx';
import { visible } from '../base/text/visible.ts';
import { agentTitle } from '../base/account/names.ts';
import { type BulkRowProps, BulkTable, useSeen } from './bulk-table.tsx';
import { subjectWords } from '../hold/row/row-words.ts';
import { type Fact, Facts } from '../ui/facts.tsx';
import { Icon } from '../ui/icons.tsx';
import { useKeys } from '../base/page/keys.ts';
import { strings } from '../i18n/strings.ts';
import {
  bulkBody,
  failureWords,
  isShort,
  mayDecideTogether,
  mayHaveArrived,
  resultWords,
  tableColumns,
  type BulkBody,
  type BulkEntry,
} from './bulk-state.ts';
import './bulk.css';

const text = strings.bulk;
export type Verdict = 'approve' | 'reject';
const armedMs = 8_000;
const readAtOnce = 6;
const againMs = 3_000;

/** What may have arrived: it is sent again as it was, under its own key. */
interface Sent {
  body: BulkBody;
  key: string;
}

export interface BulkReviewProps {
  rows: HoldRowView[];
  onToggle: (id: string, isRange: boolean) => void;
  /** From now on it stays, whatever becomes of its questions: their results are shown here. */
  onSend: () => void;
  onClose: () => void;
  onDone: () => void;
}

/** Reads the whole questions, few at a time, and notices when one changes or ends under the reader. */
export function useEntries(
  ids: readonly string[],
): [Map<string, BulkEntry>, (id: string, change: Partial<BulkEntry>) => void] {
  const [entries, setEntries] = useState<Map<string, BulkEntry>>(new Map());
  const change = useCallback((id: string, fresh: Partial<BulkEntry>) => {
    setEntries((before) => {
      const known = before.get(id) ?? { hold: null, isRead: false, hasChanged: false, failed: false };
      return new Map(before).set(id, { ...known, ...fresh });
    });
  }, []);
  const key = ids.join(' ');
  useEffect(() => {
    const abort = new AbortController();
    const waiting = key === '' ? [] : key.split(' ');
    const stops = waiting.map((id) =>
      onHold(id, (row) => {
        setEntries((before) => {
          const known = before.get(id);
          if (known?.hold == null || (row.status === 'open' && row.digest === known.hold.digest)) return before;
          return new Map(before).set(id, { ...known, hasChanged: true, isRead: false });
        });
      }),
    );
    const next = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        try {
          const hold = await get<HoldView>(holdApi(id), { signal: abort.signal });
          change(id, { hold, failed: false });
        } catch {
          if (abort.signal.aborted) return;
          change(id, { failed: true });
        }
      }
    };
    for (let n = 0; n < readAtOnce; n += 1) void next();
    return () => {
      abort.abort();
      for (const stop of stops) stop();
    };
  }, [key, change]);
  return [entries, change];
}

/** Sends the decision; one that may have arrived is sent again, as it was, until it is known what became of it. */
function useSent() {
  const [isSending, setIsSending] = useState(false);
  const [results, setResults] = useState<BulkReply['results'] | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const [unconfirmed, setUnconfirmed] = useState<Sent | null>(null);
  const post = async (sent: Sent): Promise<void> => {
    setIsSending(true);
    setFailed(null);
    try {
      const reply = await send<BulkReply>('POST', '/api/holds/decisions', sent.body, { idempotencyKey: sent.key });
      setUnconfirmed(null);
      setResults(reply.results);
      announce(text.tally(reply.results.filter(({ ok }) => ok).length, reply.results.length));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Until it is known what became of it nothing else can be sent.
      setUnconfirmed(mayHaveArrived(error.status) ? sent : null);
      setFailed(failureWords(error));
    } finally {
      setIsSending(false);
    }
  };
  const again = useRef(post);
  again.current = post;
  useEffect(() => {
    if (unconfirmed === null || isSending) return undefined;
    const timer = setTimeout(() => void again.current(unconfirmed), againMs);
    return () => clearTimeout(timer);
  }, [unconfirmed, isSending]);
  return { isSending, results, failed, unconfirmed, post };
}

/** What is pressed once and not confirmed yet; it rests by itself. */
export function useArmedFor(): [Verdict | null, (armed: Verdict | null) => void] {
  const [armed, setArmed] = useState<Verdict | null>(null);
  useEffect(() => {
    if (armed === null) return undefined;
    const timer = setTimeout(() => setArmed(null), armedMs);
    return () => clearTimeout(timer);
  }, [armed]);
  return [armed, setArmed];
}

export function BulkReview({ rows, onToggle, onSend, onClose, onDone }: BulkReviewProps): ReactNode {
  const [fixed, setFixed] = useState<HoldRowView[] | null>(null);
  const shown = fixed ?? rows;
  const ids = useMemo(() => shown.map(({ id }) => id), [shown]);
  const [entries, change] = useEntries(ids);
  const [armed, setArmed] = useArmedFor();
  const { isSending, results, failed, unconfirmed, post } = useSent();
  const [reason, setReason] = useState('');
  useKeys({
    Escape: () => {
      if (armed !== null) setArmed(null);
      else if (results !== null) onDone();
      else onClose();
    },
  });

  const held = ids.map((id) => entries.get(id)?.hold ?? null).filter((hold) => hold !== null);
  const isReady = mayDecideTogether(ids, entries) && unconfirmed === null;
  const first = shown[0];
  const columns = held.length === shown.length ? tableColumns(held) : null;
  const tally = results === null ? '' : text.tally(results.filter(({ ok }) => ok).length, results.length);
  const items = shown.map((row): BulkRowProps => ({
    row,
    entry: entries.get(row.id) ?? null,
    result: results?.find(({ id }) => id === row.id) ?? null,
    onRead: () => change(row.id, { isRead: true }),
    onRemove: results === null && !isSending && unconfirmed === null ? () => onToggle(row.id, false) : null,
  }));
  const decide = async (what: Verdict): Promise<void> => {
    if (!isReady || isSending) return;
    setArmed(armed === what ? null : what);
    if (armed !== what) return;
    setFixed(shown);
    onSend();
    await post({ body: bulkBody(held, what, reason), key: crypto.randomUUID() });
  };
  return (
    <div className="bulk stack pad">
      <button type="button" className="button quiet" onClick={results === null ? onClose : onDone}>
        <Icon name="back" /> {text.back}
      </button>
      <h1>{results === null ? text.title(shown.length) : text.results}</h1>
      {first !== undefined && results === null && (
        <p>{text.lead(agentTitle(first.agent), strings.kinds[first.kind])}</p>
      )}
      {results !== null && <p role="status">{tally}</p>}
      {columns !== null && held[0] !== undefined && held[0].message !== '' && (
        <AgentBlock agent={agentTitle(held[0].agent)} text={held[0].message} />
      )}
      {columns === null ? (
        <ul className="bulk-list">
          {items.map((item) => (
            <BulkItem key={item.row.id} {...item} />
          ))}
        </ul>
      ) : (
        <BulkTable columns={columns} items={items} />
      )}
      {failed !== null && (
        <p className={`notice ${unconfirmed === null ? 'danger' : 'warn'}`} role="alert">
          <span>{failed}</span>
          {unconfirmed !== null && (
            <button type="button" className="button" onClick={() => void post(unconfirmed)}>
              {strings.app.tryNow}
            </button>
          )}
        </p>
      )}
      {results === null ? (
        <BulkBar
          unread={ids.filter((id) => entries.get(id)?.isRead !== true).length}
          count={shown.length}
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

interface BarProps extends Omit<DecideButtonProps, 'what' | 'means' | 'onPress'> {
  unread: number;
  rejectMeans: string;
  reason: string;
  setReason: (reason: string) => void;
  decide: DecideButtonProps['onPress'];
}

export function BulkBar({ unread, rejectMeans: noMeans, reason, setReason, decide, ...button }: BarProps): ReactNode {
  const reasonId = useId();
  return (
    <div className="bulk-bar stack">
      <p className="meta">{unread === 0 ? text.allRead : text.unread(unread)}</p>
      <div className="field">
        <label htmlFor={reasonId}>{text.reason}</label>
        <input id={reasonId} value={reason} maxLength={2_000} onChange={(event) => setReason(event.target.value)} />
      </div>
      <div className="bulk-buttons">
        <DecideButton {...button} what="approve" means={text.approveMeans} onPress={decide} />
        <DecideButton {...button} what="reject" means={noMeans} onPress={decide} />
      </div>
    </div>
  );
}

function rejectMeans(holds: readonly HoldView[]): string {
  const refusable = holds.filter(({ onReject }) => onReject === 'told').length;
  if (refusable === holds.length) return text.rejectMeans;
  return refusable === 0 ? text.rejectCancels : text.rejectMixed;
}

interface DecideButtonProps {
  what: Verdict;
  count: number;
  armed: Verdict | null;
  isReady: boolean;
  isSending: boolean;
  means: string;
  onPress: (what: Verdict) => Promise<void>;
}

function DecideButton({ what, count, armed, isReady, isSending, means, onPress }: DecideButtonProps): ReactNode {
  const isArmed = armed === what;
  const label =
    what === 'approve'
      ? [text.approve(count), text.confirmApprove(count)]
      : [text.reject(count), text.confirmReject(count)];
  const meansId = useId();
  // A letter arms and Enter decides, as at a single question; a key held down is one press.
  const key = what === 'approve' ? 'a' : 'r';
  const press = ({ repeat }: KeyboardEvent): void => {
    if (!repeat) void onPress(what);
  };
  useKeys({
    [key]: (event) => (isArmed ? undefined : press(event)),
    Enter: (event) => (isArmed ? press(event) : false),
  });
  return (
    <div>
      <button
        type="button"
        className={`button${what === 'approve' ? ' primary' : ''}${isArmed ? ' armed' : ''}`}
        aria-disabled={!isReady || isSending}
        aria-describedby={meansId}
        data-key={isArmed ? strings.hold.enterKey : key}
        onClick={() => void onPress(what)}
      >
        {isSending ? text.sending : label[isArmed ? 1 : 0]}
      </button>
      <p className="meta" id={meansId}>
        {isReady ? means : text.notReady}
      </p>
    </div>
  );
}

function BulkItem({ row, entry, result, onRead, onRemove }: BulkRowProps): ReactNode {
  const title = subjectWords(row);
  const hold = entry?.hold ?? null;
  const isOpen = hold !== null && isShort(hold);
  const location = useSeen<HTMLLIElement>(isOpen && entry?.isRead !== true, onRead);
  return (
    <li className="bulk-item" ref={location}>
      <details
        open={isOpen || undefined}
        onToggle={(event) => {
          if (event.currentTarget.open && hold !== null) onRead();
        }}
      >
        <summary>
          <bdi dir="auto">{title}</bdi>
          {entry?.hasChanged === true && <span className="warn"> · {text.changed}</span>}
          {entry?.isRead !== true && result === null && <span className="meta"> · {text.unread1}</span>}
          {result !== null && <span className={result.ok ? 'ok' : 'danger'}> · {resultWords(result)}</span>}
        </summary>
        {hold === null ? (
          <p className="meta">{entry?.failed === true ? text.gone : strings.app.loading}</p>
        ) : (
          <BulkText hold={hold} />
        )}
      </details>
      {onRemove !== null && (
        <button type="button" className="button quiet" aria-label={text.remove(title)} onClick={onRemove}>
          {text.drop}
        </button>
      )}
    </li>
  );
}

function BulkText({ hold }: { hold: HoldView }): ReactNode {
  const args = Object.entries(hold.context.toolArgs).map(([name, value]): Fact => [
    visible(name),
    visible(typeof value === 'string' ? value : JSON.stringify(value)),
  ]);
  return (
    <AgentBlock agent={agentTitle(hold.agent)} text={hold.message === '' ? text.noExplanation : hold.message}>
      {hold.tool !== null && <p className="meta">{text.tool(visible(hold.tool.name))}</p>}
      <Facts facts={args} />
    </AgentBlock>
  );
}
