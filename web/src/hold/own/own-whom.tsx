// How many of the reader's own questions wait for whom, in a sentence with their faces.
import type { ReactNode } from 'react';
import { useMe } from '../../base/account/me.ts';
import { nameFor, shortEntry } from '../../base/account/names.ts';
import { strings } from '../../i18n/strings.ts';
import { Faces } from '../../ui/monogram.tsx';
import { byAwaited, type OwnWaiting } from './own-waiting.ts';
import './own-request.css';

const facesAtMost = 6;

export function OwnWhom({ waiting }: { waiting: readonly OwnWaiting[] }): ReactNode {
  const myId = useMe()?.id ?? null;
  const owner = nameFor(`user:${myId ?? ''}`, myId, strings.requests.you);
  const awaited = byAwaited(waiting).map(({ entry, count }) => ({ entry, count, name: shortEntry(entry, owner) }));
  if (awaited.length === 0) return null;
  return (
    <p className="own-whom cluster">
      <Faces of={awaited.map(({ entry, name }) => ({ id: entry, name }))} most={facesAtMost} />
      <span>
        {strings.inbox.yoursWait(
          waiting.length,
          awaited.map(({ name, count }) => `${name} ${count}`),
        )}
      </span>
    </p>
  );
}
