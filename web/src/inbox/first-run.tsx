// Before anything was asked: three steps, the first of which is a press away.
import { useEffect, useState, type ReactNode } from 'react';
import { get } from '../app/api.ts';
import type { AgentName } from '../app/agents.ts';
import { useMe } from '../app/me.ts';
import { Link, navigate } from '../app/router.ts';
import { chatPath } from '../app/routes.ts';
import { usePageTitle } from '../app/title.ts';
import { oneLine } from '../hold/text/visible.ts';
import { strings } from '../i18n/strings.ts';
import { Icon, Mark } from '../ui/icons.tsx';
import { Monogram } from '../ui/monogram.tsx';
import './first-run.css';

const text = strings.firstRun;
const maxAgents = 3;

interface Asked {
  name: string;
  examples: string[];
}

/** What the agents' own cards say one might ask them. */
function useExamples(): ReadonlyMap<string, string> {
  const [found, setFound] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    const abort = new AbortController();
    get<{ items: Asked[] }>('/agents', { signal: abort.signal }).then(
      ({ items }) =>
        setFound(
          new Map(
            items.flatMap(({ name, examples: [first] }): [string, string][] =>
              first === undefined ? [] : [[name, first]],
            ),
          ),
        ),
      () => undefined,
    );
    return () => abort.abort();
  }, []);
  return found;
}

export function FirstRun({ agents }: { agents: AgentName[] }): ReactNode {
  const examples = useExamples();
  const temporal = useMe()?.temporalUrl ?? null;
  usePageTitle(text.title);
  const known = agents.toSorted((a, b) => Number(examples.has(b.name)) - Number(examples.has(a.name)));
  return (
    <div className="first-run">
      <Mark size={40} />
      <h1>{text.title}</h1>
      <p>{text.lead}</p>
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
            <ul className="first-asks">
              {known.slice(0, maxAgents).map(({ name, title }) => (
                <li key={name}>
                  <Try name={name} title={title} example={examples.get(name)} />
                </li>
              ))}
            </ul>
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

function Try({ name, title, example }: { name: string; title: string; example: string | undefined }): ReactNode {
  if (example === undefined) {
    return (
      <Link className="button" to={chatPath(name)}>
        <Monogram id={name} name={title} /> {strings.inbox.tryAgent(title)}
      </Link>
    );
  }
  return (
    <button
      type="button"
      className="button"
      onClick={() => navigate(chatPath(name), { state: { say: example } })}
      title={text.sends(title)}
    >
      <Monogram id={name} name={title} />
      <bdi dir="auto">{text.quoted(oneLine(example, 100))}</bdi>
    </button>
  );
}
