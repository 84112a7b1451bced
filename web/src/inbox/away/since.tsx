// In the empty pane: what happened while the reader was away.
import type { ReactNode } from 'react';
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { useMe } from '../../base/account/me.ts';
import { useRead } from '../../base/live/use-read.ts';
import { agoWords, useTimeWords } from '../../base/time/time.ts';
import { EndedRow } from '../../hold/record/ended-row.tsx';
import { strings } from '../../i18n/strings.ts';
import { whileAway } from './while-away.ts';

const text = strings.precedents;

export function Since({ since, rows }: { since: number; rows: readonly HoldRowView[] }): ReactNode {
  const myId = useMe()?.id ?? null;
  const from = encodeURIComponent(new Date(since).toISOString());
  const ended = useRead<{ items: HoldRowView[] }>(`/api/inbox/rows?view=decided&endedFrom=${from}`).data?.items;
  const ago = useTimeWords((now) => agoWords(since, now));
  if (ended === undefined) return null;
  const found = whileAway(rows, ended, since, myId);
  const lines = [
    found.came > 0 ? text.came(found.came) : '',
    found.expired > 0 ? text.expired(found.expired) : '',
    found.byOthers > 0 ? text.byOthers(found.byOthers) : '',
    found.withdrawn > 0 ? text.withdrawn(found.withdrawn) : '',
  ].filter((line) => line !== '');
  return (
    <section className="since stack" aria-labelledby="since">
      <h3 className="meta" id="since">
        {text.since(ago)}
      </h3>
      <p>{lines.length === 0 ? text.nothing : lines.join(' · ')}</p>
      {found.named.length > 0 && (
        <ul className="stack">
          {found.named.map((row) => (
            <EndedRow key={row.id} row={row} myId={myId} />
          ))}
        </ul>
      )}
    </section>
  );
}
