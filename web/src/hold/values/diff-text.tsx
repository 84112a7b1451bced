import type { ReactNode } from 'react';
import { strings } from '../../i18n/strings.ts';
import { visible } from '../../base/text/visible.ts';
import { diffWords } from './word-diff.ts';

/** Old and new in one line; what is struck and underlined is also named in text. */
export function DiffText({ before, after }: { before: string; after: string }): ReactNode {
  return (
    <span className="diff-text" dir="auto">
      {diffWords(visible(before), visible(after)).map(({ kind, text }, index) => {
        if (kind === 'same') return text;
        const Tag = kind === 'removed' ? 'del' : 'ins';
        return (
          <Tag key={`${index}-${kind}`}>
            <span className="sr-only">{kind === 'removed' ? strings.hold.wasRemoved : strings.hold.wasAdded} </span>
            {text}
          </Tag>
        );
      })}
    </span>
  );
}
