// How the installation runs, for operators: whether people and agents are served in time, where slots are, who is away.
import type { ReactNode } from 'react';
import type { Operations } from '../../../src/contract/views/operations.ts';
import { agentTitle } from '../base/account/names.ts';
import { durationWords } from '../base/time/time-words.ts';
import { agoWords, useNow } from '../base/time/time.ts';
import { useRead } from '../base/live/use-read.ts';
import { strings } from '../i18n/strings.ts';
import { Link } from '../base/router/router.ts';
import { pagePath } from '../base/router/routes.ts';
import { PageFrame, PageState } from '../ui/page-frame.tsx';
import { inTimePercent } from './aim-share.ts';
import './operate.css';

const words = strings.operate.operations;
const rereadMs = 5_000;

export function OperationsPage(): ReactNode {
  const { data, error, reread } = useRead<Operations>('/api/operations', { everyMs: rereadMs });
  return (
    <PageFrame title={strings.app.pages.operations}>
      <PageState error={error} hasData={data !== null} onAgain={reread} />
      {data !== null && (
        <>
          <Now data={data} />
          <Levels data={data} />
          <div className="cards">
            <Slots data={data} />
            <Away data={data} />
          </div>
        </>
      )}
    </PageFrame>
  );
}

function Now({ data: { workers, runs, stuck, slots } }: { data: Operations }): ReactNode {
  const used = slots.agents.reduce((sum, one) => sum + one.sending + one.answering + one.silent, 0);
  const figures: [string, ReactNode, boolean][] = [
    [words.workers, workers, workers === 0],
    [words.slots, words.used(used, slots.total), slots.total > 0 && used >= slots.total],
    [
      words.runs,
      runs.waiting === 0 ? 0 : words.oldest(runs.waiting, durationWords(runs.oldestMs)),
      runs.oldestMs > 60_000,
    ],
    ...stuck.map(({ cause, tasks, oldestMs }): [string, ReactNode, boolean] => [
      words.stuck[cause],
      tasks === 0 ? 0 : words.oldest(tasks, durationWords(oldestMs)),
      tasks > 0,
    ]),
  ];
  return (
    <dl className="card box card-figures">
      {figures.map(([name, value, isBad]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={isBad ? 'num danger' : 'num'}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type Figures = Operations['levels'][number]['hour'];

function Levels({ data: { levels, objective } }: { data: Operations }): ReactNode {
  return (
    <section className="card box stack" aria-labelledby="levels">
      <h2 id="levels">{words.levels}</h2>
      <Table
        caption={words.levelsMean(Math.round(objective * 100))}
        columns={[words.what, words.hour, words.day, words.p99]}
        groups={levels.map(({ level, withinSeconds, hour, day, of }) => ({
          head: words.level[level](withinSeconds),
          rows: [{ names: [], hour, day }, ...of].map((line, index) => ({
            key: `${index} ${line.names.join(' ')}`,
            name:
              index === 0 ? (
                <Share figures={day} isBad={isBad(day, objective)} />
              ) : (
                line.names.map(level === 'answer' ? agentTitle : asIs).join(' · ')
              ),
            isPart: index > 0,
            bad: [line.hour, line.day].flatMap((figures, at) => (isBad(figures, objective) ? [at] : [])),
            cells: [inTime(line.hour), inTime(line.day), line.day.total === 0 ? '–' : words.within(line.day.p99)],
          })),
        }))}
      />
    </section>
  );
}

/** How much of the day was in time, as a bar and in words. */
function Share({ figures, isBad: isLate }: { figures: Figures; isBad: boolean }): ReactNode {
  const percent = inTimePercent(figures);
  if (percent === null) return <>–</>;
  return (
    <span className="num cluster aim-share">
      <svg className={isLate ? 'danger' : 'accent'} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width={percent} height="6" fill="currentColor" />
      </svg>
      {`${percent.toLocaleString()}\u00a0%`} <span className="sr-only">{words.day}</span>
    </span>
  );
}

const asIs = (name: string): string => name;
const isBad = ({ total, late }: Figures, objective: number): boolean => late > total * (1 - objective);
const inTime = ({ total, late }: Figures): string => (total === 0 ? '–' : words.inTime(total - late, total));

function Slots({ data: { slots } }: { data: Operations }): ReactNode {
  return (
    <section className="card box stack" aria-labelledby="slots">
      <h2 id="slots">{words.slotsOf}</h2>
      {slots.agents.length === 0 ? (
        <p>{words.noSlots}</p>
      ) : (
        <Table
          caption={words.slotsMean}
          columns={[words.agent, words.sending, words.answering, words.silent]}
          groups={[
            {
              rows: slots.agents.map(({ agent, sending, answering, silent }) => ({
                key: agent,
                name: agentTitle(agent),
                cells: [sending, answering, silent].map(String),
              })),
            },
          ]}
        />
      )}
    </section>
  );
}

function Away({ data: { circuits } }: { data: Operations }): ReactNode {
  const now = useNow();
  return (
    <section className="card box stack" aria-labelledby="away">
      <h2 id="away">{words.away}</h2>
      {circuits.length === 0 ? (
        <p>{words.noneAway}</p>
      ) : (
        <Table
          caption={words.awayMean}
          columns={[words.agent, words.since, words.state, words.waiting]}
          groups={[
            {
              rows: circuits.map(({ agent, since, state, cause, waiting }) => ({
                key: agent,
                name: agentTitle(agent),
                bad: state === 'open' ? [1] : [],
                cells: [agoWords(Date.parse(since), now), `${words.states[state]} (${cause})`, String(waiting)],
              })),
            },
          ]}
        />
      )}
      <p>
        <Link to={pagePath('agents')}>{strings.app.pages.agents}</Link>
      </p>
    </section>
  );
}

interface TableRow {
  key: string;
  name: ReactNode;
  /** Of the row above it. */
  isPart?: boolean;
  /** Which of its cells are not as they should be: these alone are marked. */
  bad?: readonly number[];
  cells: string[];
}

interface TableProps {
  caption: string;
  columns: string[];
  /** Rows, below a line of their own where they have one. */
  groups: { head?: string; rows: TableRow[] }[];
}

function Table({ caption, columns, groups }: TableProps): ReactNode {
  return (
    <div className="scrolls" tabIndex={0} role="group" aria-label={caption}>
      <table className="figures">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ head, rows }, at) => (
          <tbody key={head ?? at}>
            {head !== undefined && (
              <tr>
                <th scope="rowgroup" colSpan={columns.length}>
                  <strong>{head}</strong>
                </th>
              </tr>
            )}
            {rows.map(({ key, name, isPart = false, bad = [], cells }) => (
              <tr key={key}>
                <th scope="row" className={isPart ? 'part' : undefined}>
                  <bdi>{name}</bdi>
                </th>
                {cells.map((cell, index) => (
                  <td key={index} className={bad.includes(index) ? 'num danger strong' : 'num'}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}
