import type { ReactNode } from 'react';
import { useRead } from '../base/live/use-read.ts';
import { oneLine } from '../base/text/visible.ts';
import { strings } from '../i18n/strings.ts';

/** What the agent's own card says one might ask it: a press sends it. */
export function Examples({ agent, onChoose }: { agent: string; onChoose: (text: string) => void }): ReactNode {
  const { data } = useRead<{ items: { name: string; examples: string[] }[] }>('/agents');
  const examples = data?.items.find(({ name }) => name === agent)?.examples.slice(0, 4) ?? [];
  if (examples.length === 0) return null;
  return (
    <ul className="examples cluster" aria-label={strings.chat.examples}>
      {examples.map((example) => (
        <li key={example}>
          <button type="button" className="button small" dir="auto" onClick={() => onChoose(example)}>
            {oneLine(example, 120)}
          </button>
        </li>
      ))}
    </ul>
  );
}
