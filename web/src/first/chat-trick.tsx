// The same where one answers in a conversation: below its last words, or below its question while that waits.
import { type ReactNode, useEffect, useRef } from 'react';
import type { HoldRowView } from '../../../src/contract/views/inbox.ts';
import { useRead } from '../base/live/use-read.ts';
import type { Ask } from './first-run.tsx';
import { Trick } from './trick.tsx';

interface Props {
  /** The question that is open here; null: none is. */
  holdId: string | null;
  onAsk: Ask;
}

export function ChatTrick({ holdId, onAsk }: Props): ReactNode {
  const card = useRef<HTMLDivElement>(null);
  const rows = useRead<{ items: HoldRowView[] }>('/api/inbox/rows?view=forMe', { isLive: true }).data?.items;
  const isThere = rows !== undefined;
  useEffect(() => {
    // A question has its own place on the screen.
    if (isThere && holdId === null) card.current?.scrollIntoView({ block: 'center' });
  }, [isThere, holdId]);
  if (rows === undefined) return null;
  // It is about the question that its reader sees.
  const isHere = (row: HoldRowView): boolean => row.id === holdId;
  return (
    <div ref={card} className="chat-trick">
      <Trick rows={[...rows.filter(isHere), ...rows.filter((row) => !isHere(row))]} hereId={holdId} onAsk={onAsk} />
    </div>
  );
}
