// Questions that fit no table, one below the other: short ones open, long ones to be opened.
import type { ReactNode } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { agentTitle } from '../../base/account/names.ts';
import { visible } from '../../base/text/visible.ts';
import { subjectWords } from '../../hold/row/row-words.ts';
import { AgentBlock } from '../../hold/text/agent-block.tsx';
import { strings } from '../../i18n/strings.ts';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { isShort, resultWords } from './bulk-state.ts';
import { type BulkRowProps, useSeen } from './bulk-table.tsx';

const text = strings.bulk;

interface Props {
  items: readonly BulkRowProps[];
  /** The agent says the same of all of them, once above. */
  isOneText: boolean;
}

export function BulkList({ items, isOneText }: Props): ReactNode {
  return (
    <ul className="bulk-list">
      {items.map((item) => (
        <BulkItem key={item.row.id} {...item} isOneText={isOneText} />
      ))}
    </ul>
  );
}

function BulkItem({ isOneText, ...item }: BulkRowProps & Pick<Props, 'isOneText'>): ReactNode {
  const { row, entry, onRead, onRemove } = item;
  const title = subjectWords(row);
  const hold = entry?.hold ?? null;
  const isOpen = hold !== null && isShort(hold);
  const ref = useSeen<HTMLLIElement>(isOpen && entry?.isRead !== true, onRead);
  return (
    <li className="bulk-item" ref={ref} data-unseen={entry?.isRead !== true || undefined}>
      {isOneText ? (
        <p className="bulk-line">
          <BulkTitle {...item} />
        </p>
      ) : (
        <details
          open={isOpen || undefined}
          // That one comes open is a toggle too, wherever on the page it is.
          onToggle={(event) => {
            if (!isOpen && event.currentTarget.open && hold !== null) onRead();
          }}
        >
          <summary>
            <BulkTitle {...item} />
          </summary>
          {hold === null ? (
            <p className="meta">{entry?.failed === true ? text.gone : strings.app.loading}</p>
          ) : (
            <BulkText hold={hold} />
          )}
        </details>
      )}
      {onRemove !== null && (
        <button type="button" className="button quiet" aria-label={text.remove(title)} onClick={onRemove}>
          {text.drop}
        </button>
      )}
    </li>
  );
}

function BulkTitle({ row, entry, result }: BulkRowProps): ReactNode {
  return (
    <>
      <bdi dir="auto">{subjectWords(row)}</bdi>
      {entry?.hasChanged === true && <span className="warn"> · {text.changed}</span>}
      {entry?.isRead !== true && result === null && <span className="meta"> · {text.unread1}</span>}
      {result !== null && <span className={result.ok ? 'ok' : 'danger'}> · {resultWords(result)}</span>}
    </>
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
