// One line of a page's list: whose it is, what it is about, how it stands; the whole of it leads there.
import type { ReactNode } from 'react';
import { agentTitle } from '../app/names.ts';
import { Link } from '../app/router.ts';
import { Monogram } from './monogram.tsx';
import './lines.css';

interface Props {
  to: string;
  agent: string;
  title: string;
  /** What stands below it, each in its own direction. */
  details: readonly string[];
  end: ReactNode;
}

export function Line({ to, agent, title, details, end }: Props): ReactNode {
  return (
    <li>
      <Link className="line" to={to}>
        <Monogram id={agent} name={agentTitle(agent)} />
        <span className="line-main">
          <bdi className="line-title" dir="auto">
            {title}
          </bdi>
          <span className="meta">
            {details.map((part, index) => (
              <span key={`${index} ${part}`}>
                {index > 0 && ' · '}
                <bdi>{part}</bdi>
              </span>
            ))}
          </span>
        </span>
        <span className="line-end">{end}</span>
      </Link>
    </li>
  );
}
