// A conversation that has not begun: whom one writes to, and what the agent's own card says one might ask it.
import type { ReactNode } from 'react';
import { agentTitle } from '../base/account/names.ts';
import { useRead } from '../base/live/use-read.ts';
import { oneLine } from '../base/text/visible.ts';
import { strings } from '../i18n/strings.ts';
import { Monogram } from '../ui/monogram.tsx';

interface AgentCard {
  name: string;
  description: string;
  examples: string[];
}

/** What its card says; null: nothing is known of it. */
export function useAgentCard(agent: string | null): AgentCard | null {
  const { data } = useRead<{ items: AgentCard[] }>(agent === null ? null : '/agents');
  return data?.items.find(({ name }) => name === agent) ?? null;
}

export function Landing({ agent, card }: { agent: string; card: AgentCard | null }): ReactNode {
  return (
    <div className="chat-landing">
      <Monogram id={agent} name={agentTitle(agent)} />
      <p className="chat-landing-name">{agentTitle(agent)}</p>
      {card !== null && card.description !== '' && (
        <p className="meta" dir="auto">
          {oneLine(card.description, 240)}
        </p>
      )}
    </div>
  );
}

interface Props {
  examples: readonly string[];
  onChoose: (example: string) => void;
}

/** Below the field. */
export function Examples({ examples, onChoose }: Props): ReactNode {
  if (examples.length === 0) return null;
  return (
    <section className="chat-recent stack">
      <h2 className="label" id="chat-examples">
        {strings.chat.examples}
      </h2>
      <ul className="examples cluster" aria-labelledby="chat-examples">
        {examples.map((example) => (
          <li key={example}>
            <button type="button" className="button" dir="auto" onClick={() => onChoose(example)}>
              {oneLine(example, 120)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
