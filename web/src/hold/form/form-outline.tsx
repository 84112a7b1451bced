// Next to a long form, or above it where there is no room: its parts, each with a tick once it has what it needs.
import { memo, type ReactNode } from 'react';
import { strings } from '../../i18n/strings.ts';
import { Icon } from '../../ui/icons.tsx';
import type { OutlineEntry } from './outline.ts';

const words = strings.hold.form;

interface Props {
  entries: readonly OutlineEntry[];
  done: readonly string[];
  onGo: (key: string) => void;
}

export const FormOutline = memo(function FormOutline({ entries, done, onGo }: Props): ReactNode {
  return (
    <nav className="outline" aria-label={words.outline}>
      <ul>
        {entries.map(({ key, title }) => {
          const isDone = done.includes(key);
          return (
            <li key={key}>
              <button type="button" className="outline-link" onClick={() => onGo(key)}>
                <span className="outline-tick">{isDone && <Icon name="check" />}</span>
                <bdi className="cut" dir="auto">
                  {title}
                </bdi>
                {isDone && <span className="sr-only">{words.filledIn}</span>}
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
});
