// The agents as operators know them: whether they answer, how they fare, how they ask, and what their cards say.
import { type ReactNode, useState } from 'react';
import type { AgentDetail } from '../../../src/contract/views/operate.ts';
import { Link } from '../base/router/router.ts';
import { chatPath, inboxPath, noFilters, taskPath } from '../base/router/routes.ts';
import { agoWords, useNow } from '../base/time/time.ts';
import { useRead } from '../base/live/use-read.ts';
import { oneLine, visible } from '../base/text/visible.ts';
import { strings } from '../i18n/strings.ts';
import { Facts } from '../ui/facts.tsx';
import { Icon } from '../ui/icons.tsx';
import { Monogram } from '../ui/monogram.tsx';
import { PageFrame, PagedList } from '../ui/page-frame.tsx';
import { ChangeMany } from './change-many.tsx';
import { GatesList } from './gates-list.tsx';
import { policyAnchor, whenWords } from '../hold/words/rule-words.ts';
import { Sparkline } from './sparkline.tsx';
import { tasksPath, noTaskQuery } from './task-query.ts';
import './operate.css';

const words = strings.operate;
const rereadMs = 20_000;
const tones = { ok: 'ok', failing: 'danger', away: 'danger', unread: 'muted' } as const;
const icons = { ok: 'granted', failing: 'alert', away: 'alert', unread: 'clock' } as const;

export function AgentsPage(): ReactNode {
  const agents = useRead<{ items: AgentDetail[] }>('/api/agents', { everyMs: rereadMs });
  return (
    <PageFrame title={strings.app.pages.agents}>
      <PagedList list={{ ...agents, items: agents.data?.items ?? null }} empty={<p>{words.noAgents}</p>}>
        {(items) => (
          <ul className="stack agents">
            {items.map((agent) => (
              <Agent key={agent.name} agent={agent} isAlone={items.length === 1} />
            ))}
          </ul>
        )}
      </PagedList>
      <GatesList />
    </PageFrame>
  );
}

interface AgentProps {
  agent: AgentDetail;
  /** There is no other: all of it is shown. */
  isAlone: boolean;
}

/** A line with how it fares, below it what is wrong; what seldom changes is behind a press. */
function Agent({ agent, isAlone }: AgentProps): ReactNode {
  const now = useNow();
  const { name, state, lastFailure, away } = agent;
  const [isOpen, setOpen] = useState(isAlone || location.hash === `#${name}`);
  const failure = lastFailure !== null && (
    <p className={state === 'failing' ? 'notice danger' : 'meta'}>
      <span>
        {words.lastFailure(agoWords(Date.parse(lastFailure.at), now))}{' '}
        <Link to={taskPath(lastFailure.id)}>{lastFailure.code}</Link>: <bdi>{oneLine(lastFailure.message, 200)}</bdi>
      </span>
    </p>
  );
  return (
    <li className="card box stack" id={name}>
      <div className="agent-line cluster">
        <button
          type="button"
          className="button quiet icon-only"
          aria-label={words.details(agent.title)}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <span className={isOpen ? 'turned-down' : undefined}>
            <Icon name="chevron" />
          </span>
        </button>
        <div className="card-head cluster">
          <Monogram id={name} name={agent.title} />
          <h2>
            <bdi>{visible(agent.title)}</bdi>
          </h2>
          <span className={`pill ${tones[state]}`}>
            <Icon name={icons[state]} /> {words.states[state]}
          </span>
        </div>
        <Figures agent={agent} now={now} />
        <Sparkline lately={agent.lately} />
      </div>
      {away !== null && (
        <p className="notice danger">{words.awaySince(agoWords(Date.parse(away.since), now), away.waiting)}</p>
      )}
      {state === 'failing' && failure}
      {isOpen && (
        <>
          {agent.description !== '' && <p dir="auto">{oneLine(agent.description, 400)}</p>}
          {state !== 'failing' && failure}
          <Asks agent={agent} />
          <Examples agent={agent} />
          <ChangeMany filter={{ agent: name }} />
          <Card agent={agent} />
        </>
      )}
    </li>
  );
}

function Figures({ agent, now }: { agent: AgentDetail; now: number }): ReactNode {
  const { name, tasks, questions, lastTask, cardSeenAt, slots } = agent;
  const waiting = slots.sending + slots.silent;
  const ended = tasks.done + tasks.failed + tasks.cancelled;
  const lastSeen = [cardSeenAt, lastTask?.at ?? null]
    .filter((at) => at !== null)
    .toSorted()
    .at(-1);
  return (
    <dl className="card-figures">
      <Figure name={words.lastSeen}>
        {lastSeen === undefined ? words.never : agoWords(Date.parse(lastSeen), now)}
      </Figure>
      {waiting > 0 && <Figure name={words.slots}>{words.slotsOf(waiting + slots.answering, waiting)}</Figure>}
      <Figure name={words.openTasks}>
        <Link to={tasksPath({ ...noTaskQuery, agent: name })}>{tasks.open}</Link>
      </Figure>
      <Figure name={words.openQuestions}>
        <Link to={inboxPath({ ...noFilters, view: 'all', agent: name })}>{questions.open}</Link>
      </Figure>
      <Figure name={words.endedWeek}>
        {ended}
        {tasks.failed > 0 && (
          <>
            {' · '}
            <Link className="danger" to={tasksPath({ ...noTaskQuery, agent: name, status: 'FAILED' })}>
              {words.failed(tasks.failed)}
            </Link>
          </>
        )}
      </Figure>
    </dl>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}

function Asks({ agent }: { agent: AgentDetail }): ReactNode {
  return (
    <p className="meta">
      {words.asksBy} <Link to={policyAnchor(agent.policy)}>{agent.policy ?? words.builtIn}</Link>
      {agent.rules.map(({ when, policy }, index) => (
        <span key={`${index} ${policy}`}>
          {'; '}
          {words.where(whenWords(when))} <Link to={policyAnchor(policy)}>{policy}</Link>
        </span>
      ))}
    </p>
  );
}

function Examples({ agent }: { agent: AgentDetail }): ReactNode {
  const examples = [...new Set(agent.skills.flatMap((skill) => skill.examples))].slice(0, 3);
  return (
    <div className="card-examples cluster meta">
      <Link className="button small" to={chatPath(agent.name)}>
        <Icon name="chat" /> {words.chat}
      </Link>
      {examples.map((example) => (
        <q key={example} dir="auto">
          {oneLine(example, 120)}
        </q>
      ))}
    </div>
  );
}

function Card({ agent }: { agent: AgentDetail }): ReactNode {
  const rows: [string, string][] = [
    [words.address, agent.url],
    [words.key, agent.name],
    [words.versionOf, [agent.version, agent.provider].filter((part) => part !== '').join(' · ')],
    [words.interfaces, agent.interfaces.join(', ')],
    [
      words.can,
      [...(agent.streaming ? [words.streaming] : []), ...(agent.pushNotifications ? [words.push] : [])].join(', '),
    ],
    [words.dialects, [...agent.dialects, words.wordsAndForms].join(', ')],
    [words.extensions, agent.extensions.join(', ')],
    [words.takes, agent.inputModes.join(', ')],
    [words.gives, agent.outputModes.join(', ')],
    ...agent.skills.map(({ name, description, tags }): [string, string] => [
      words.skill(name),
      [description, tags.length === 0 ? '' : `(${tags.join(', ')})`].filter((part) => part !== '').join(' '),
    ]),
  ];
  return (
    <details>
      <summary>{words.card}</summary>
      <Facts facts={rows.map(([name, value]) => [oneLine(name, 120), visible(value)])} />
    </details>
  );
}
