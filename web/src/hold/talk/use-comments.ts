// What was said of one question among those who may decide it; read anew with each change of the question.
import { useCallback, useEffect, useState } from 'react';
import type { CommentsView } from '../../../../src/contract/comment.ts';
import type { HoldView } from '../../../../src/contract/hold.ts';
import { get, send } from '../../app/api.ts';

export interface Discussion {
  comments: CommentsView | null;
  say: (text: string) => Promise<void>;
}

export function useComments({ id, mayDiscuss, version }: HoldView): Discussion {
  const [comments, setComments] = useState<CommentsView | null>(null);
  const path = `/api/holds/${encodeURIComponent(id)}/comments`;
  useEffect(() => {
    if (!mayDiscuss) return undefined;
    const abort = new AbortController();
    get<CommentsView>(path, { signal: abort.signal }).then(setComments, () => undefined);
    return () => abort.abort();
  }, [path, mayDiscuss, version]);
  const say = useCallback(
    async (text: string): Promise<void> => setComments(await send<CommentsView>('POST', path, { text })),
    [path],
  );
  return { comments, say };
}
