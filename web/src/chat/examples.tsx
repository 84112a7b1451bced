import { type ReactNode, useEffect, useState } from 'react';
import { get } from '../app/api.ts';
import { oneLine } from '../hold/text/visible.ts';
import { strings } from '../i18n/strings.ts';

/** What the agent's own card says one might ask it: a press sends it. */
export function Examples({ agent, onChoose }: { agent: string; onChoose: (text: string) => void }): ReactNode {
  const [examples, setExamples] = useState<readonly string[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    get<{ items: { name: string; examples: string[] }[] }>('/agents', { signal: abort.signal }).then(
      ({ items }) => setExamples(items.find(({ name }) => name === agent)?.examples.slice(0, 4) ?? []),
      () => undefined,
    );
    return () => abort.abort();
  }, [agent]);
  if (examples.length === 0) return null;
  return (
    <ul className="examples" aria-label={strings.chat.examples}>
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
