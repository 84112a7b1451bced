// A conversation that has not begun: whom one writes to, and what the agent's own card says one might ask it.
import type { ReactNode } from 'react';
import { useMe } from '../base/account/me.ts';
import { agentTitle } from '../base/account/names.ts';
import { useRead } from '../base/live/use-read.ts';
import { oneLine } from '../base/text/visible.ts';
import { strings } from '../i18n/strings.ts';
import { Monogram } from '../ui/monogram.tsx';

interface Props {
  agent: string;
  /** A press sends an example. */
  onChoose: (text: string) => void;
}

export function Landing({ agent, onChoose }: Props): ReactNode {
  const { data } = useRead<{ items: { name: string; description: string; examples: string[] }[] }>('/agents');
  const known = data?.items.find(({ name }) => name === agent);
  // With keys the agents are people's, and no press sends them something for show.
  const isTrial = useMe()?.via === 'none';
  const examples = isTrial ? (known?.examples.slice(0, 4) ?? []) : [];
  return (
    <>
      <div className="chat-landing">
        <Monogram id={agent} name={agentTitle(agent)} />
        <p className="chat-landing-name">{agentTitle(agent)}</p>
        {known !== undefined && known.description !== '' && (
          <p className="meta" dir="auto">
            {oneLine(known.description, 240)}
          </p>
        )}
      </div>
      {examples.length > 0 && (
        <ul className="examples cluster" aria-label={strings.chat.examples}>
          {examples.map((example) => (
            <li key={example}>
              <button type="button" className="button" dir="auto" onClick={() => onChoose(example)}>
                {oneLine(example, 120)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
