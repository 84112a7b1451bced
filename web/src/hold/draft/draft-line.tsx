import type { ReactNode } from 'react';
import { strings } from '../../i18n/strings.ts';
import { clockAt } from '../../base/time/time.ts';
import { usePane } from '../pane/pane.ts';

/** What is known of the draft: saved when, and that secrets are not in it. */
export function DraftLine(): ReactNode {
  const { work, hold, lockedWhy } = usePane();
  const words = strings.hold;
  if (hold.kind === 'operator' || hold.status !== 'open') return null;
  const { saved } = work;
  const text =
    saved.state === 'saved'
      ? words.draftSaved(clockAt(saved.at))
      : saved.state === 'failed'
        ? words.draftFailed
        : saved.state === 'refused'
          ? words.draftRefused
          : saved.state === 'saving'
            ? words.draftSaving
            : work.restoredAt === null || lockedWhy !== null
              ? ''
              : words.draftRestored(clockAt(work.restoredAt));
  const isRestored = saved.state === 'none' && work.restoredAt !== null && lockedWhy === null;
  return (
    <span className="draft" data-draft={saved.state}>
      {text}
      {work.isTouched && hold.secretPaths.length > 0 && ` ${words.draftSecrets}`}
      {isRestored && (
        <button type="button" className="button link" onClick={work.startOver}>
          {words.startOver}
        </button>
      )}
    </span>
  );
}
