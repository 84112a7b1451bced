// Before anything was asked: three steps, the first of which is a press away.
import type { ReactNode } from 'react';
import { useRead } from '../base/live/use-read.ts';
import { type AgentName, useMe } from '../base/account/me.ts';
import { openable } from '../base/router/openable.ts';
import { Link, navigate } from '../base/router/router.ts';
import { chatPath } from '../base/router/routes.ts';
import { usePageTitle } from '../base/page/title.ts';
import { oneLine } from '../base/text/visible.ts';
import { strings } from '../i18n/strings.ts';
import { Icon, Mark } from '../ui/icons.tsx';
import { Monogram } from '../ui/monogram.tsx';
import { FirstDrawing } from './first-drawing.tsx';
import './first-run.css';

const text = strings.firstRun;
const maxAgents = 3;

export function FirstRun({ agents }: { agents: AgentName[] }): ReactNode {
  const temporal = openable(useMe()?.temporalUrl ?? null, location.hostname);
  usePageTitle(text.title);
  return (
    <div className="first-run">
      <Mark size={40} />
      <h1>{text.title}</h1>
      <p>{text.lead}</p>
      <FirstDrawing />
      {agents.length === 0 ? (
        <>
          <p>{text.noAgents}</p>
          <pre>{text.command}</pre>
        </>
      ) : (
        <ol>
          <li>
            <h2>{text.ask}</h2>
            <p className="meta">{text.askHow}</p>
            <Asks agents={agents} />
          </li>
          <li>
            <h2>{text.answer}</h2>
            <p className="meta">{text.answerHow}</p>
          </li>
          <li>
            <h2>{text.see}</h2>
            <p className="meta">{text.seeHow}</p>
            {temporal !== null && (
              <a className="button small" href={temporal} target="_blank" rel="noreferrer">
                {text.temporal} <Icon name="outside" />
              </a>
            )}
          </li>
        </ol>
      )}
    </div>
  );
}

/** Begins a conversation with an agent, by this message if there is one. */
export type Ask = (agent: string, example?: string) => void;

interface AsksProps {
  agents: readonly AgentName[];
  /** In place of the way to the chat. */
  onAsk?: Ask | undefined;
}

/** A press asks an agent for something. */
export function Asks({ agents, onAsk }: AsksProps): ReactNode {
  // What the agents' own cards say one might ask them.
  const asked = useRead<{ items: { name: string; examples: string[] }[] }>('/agents').data?.items ?? [];
  const exampleOf = (agent: string): string | undefined => asked.find(({ name }) => name === agent)?.examples[0];
  const known = agents.toSorted(
    (a, b) => Number(exampleOf(b.name) !== undefined) - Number(exampleOf(a.name) !== undefined),
  );
  return (
    <ul className="first-asks cluster">
      {known.slice(0, maxAgents).map(({ name, title }) => (
        <li key={name}>
          <Try {...{ name, title, onAsk }} example={exampleOf(name)} />
        </li>
      ))}
    </ul>
  );
}

interface TryProps extends Pick<AsksProps, 'onAsk'> {
  name: string;
  title: string;
  example: string | undefined;
}

function Try({ name, title, example, onAsk }: TryProps): ReactNode {
  const path = chatPath(name);
  if (example === undefined) {
    return (
      <Link className="button" to={path} onGo={onAsk === undefined ? undefined : () => onAsk(name)}>
        <Monogram id={name} name={title} /> {strings.inbox.tryAgent(title)}
      </Link>
    );
  }
  return (
    <button
      type="button"
      className="button"
      onClick={() => (onAsk === undefined ? navigate(path, { state: { say: example } }) : onAsk(name, example))}
      title={text.sends(title)}
    >
      <Monogram id={name} name={title} />
      <bdi dir="auto">{strings.inbox.quoted(oneLine(example, 100))}</bdi>
    </button>
  );
}
