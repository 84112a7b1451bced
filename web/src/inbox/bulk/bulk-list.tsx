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

export function BulkList({ items }: { items: readonly BulkRowProps[] }): ReactNode {
  return (
    <ul className="bulk-list">
      {items.map((item) => (
        <BulkItem key={item.row.id} {...item} />
      ))}
    </ul>
  );
}

function BulkItem({ row, entry, result, onRead, onRemove }: BulkRowProps): ReactNode {
  const title = subjectWords(row);
  const hold = entry?.hold ?? null;
  const isOpen = hold !== null && isShort(hold);
  const ref = useSeen<HTMLLIElement>(isOpen && entry?.isRead !== true, onRead);
  return (
    <li className="bulk-item" ref={ref}>
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
